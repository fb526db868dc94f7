import { connect } from 'node:net';
import { LedgerError, type Meter, type Reservation } from '@l4desk/ledger';
import { until } from '@l4desk/testkit';
import { bearer, http, postJson } from '@l4desk/testkit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

const ORDERS = { type: 'openOrders', user: walletOf(1) };
const exhausted = new LedgerError('credits_exhausted', 'The credits of this month are used up.', {
  credits: { needed: 1, used: 10, limit: 10, resetsAt: 1_796_083_200_000 },
});

describe('402', () => {
  let rig: InfoRig;
  const poor: Meter = { reserve: () => exhausted };

  beforeAll(async () => {
    rig = await startInfoRig({ meter: poor });
    rig.respond('openOrders', { json: [] });
  });

  afterAll(() => rig[Symbol.asyncDispose]());

  it('[INFO-9, INFO-8] is checked last, after all other errors, and nothing is forwarded', async () => {
    rig.exchange.asked.length = 0;
    const { url } = rig.service;
    const json = { 'content-type': 'application/json' };
    const statuses = [
      await http(`${url}/info`, { method: 'PUT' }),
      await http(`${url}/nowhere`, { method: 'POST' }),
      await postJson(`${url}/info`, ORDERS),
      await http(`${url}/info`, { method: 'POST', headers: bearer(rig.key), body: 'x' }),
      await http(`${url}/info`, { method: 'POST', headers: { ...bearer(rig.key), ...json }, body: 'x' }),
      await rig.ask({ type: 'nonsense' }),
      await rig.ask({ ...ORDERS, user: '0x1' }),
      await rig.ask({ type: 'l4BookSnapshot', coin: 'NOPE' }),
      await rig.ask(ORDERS),
    ].map(({ status }) => status);
    expect(statuses).toEqual([405, 404, 401, 415, 400, 400, 400, 400, 402]);
    expect(rig.exchange.asked).toEqual([]);
  });
});

describe('the charge', () => {
  it('[BILL-19] is durable before a byte of the response is sent', async () => {
    let charged: () => void = () => {};
    const durable = new Promise<void>((resolve) => (charged = resolve));
    let isCharging = false;
    const charge = () => {
      isCharging = true;
      return durable;
    };
    await using rig = await startInfoRig({ meter: { reserve: () => ({ charge, release() {} }) } });
    rig.respond('openOrders', { json: [] });
    const body = JSON.stringify(ORDERS);
    const socket = connect(rig.service.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.write(
      `POST /info HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(rig.key).authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until('the charge is under way', () => isCharging);
    await new Promise(setImmediate);
    expect(received).toBe('');
    charged();
    await until('the response', () => received.startsWith('HTTP/1.1 200'));
    socket.destroy();
  });

  it('[BILL-19] becomes the response if it fails', async () => {
    const release: Reservation['release'] = () => {};
    const meter: Meter = { reserve: () => ({ charge: () => Promise.reject(exhausted), release }) };
    await using rig = await startInfoRig({ meter });
    rig.respond('openOrders', { json: [] });
    expect(rig.errorOf(await rig.ask(ORDERS)).error).toBe('credits_exhausted');
  });
});
