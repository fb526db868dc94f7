import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@l4desk/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InfoDesk, startInfoDesk, walletOf } from '../info/test-support/info-desk.ts';
import type { FakeAnswer } from '../test-support/fake-exchange.ts';
import { bearer } from '../test-support/http.ts';

let desk: InfoDesk;

beforeAll(async () => {
  desk = await startInfoDesk({ env: { WALLET_TIMEOUT_MS: '60000', BATCH_TIMEOUT_MS: '60000' } });
});

afterAll(() => desk[Symbol.asyncDispose]());

beforeEach(() => {
  desk.meter.calls.length = 0;
  desk.exchange.asked.length = 0;
  desk.answer('perpDexs', { json: [null] });
});

/** A raw connection, and what came over it. */
async function open(): Promise<{ readonly socket: Socket; readonly text: () => string }> {
  const socket = connect(desk.service.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, text: () => text };
}

function callOf(query: object): string {
  const body = JSON.stringify(query);
  return `POST /info HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(desk.key).authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const outcomes = () => desk.meter.calls.map(({ outcome }) => outcome);

describe('[BILL-20] calls on one connection', () => {
  it('begin one after another, and are answered in order', async () => {
    let letGo: (answer: FakeAnswer) => void = () => {};
    desk.answer('allMids', { until: new Promise((resolve) => (letGo = resolve)) });
    const { socket, text } = await open();
    socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(20));
    await until('the first is asked', () => desk.asked('allMids').length === 1);
    expect(desk.meter.calls).toHaveLength(1);
    letGo({ json: { first: '1' } });
    await until('all are answered', () => (text().match(/HTTP\/1\.1 200/g) ?? []).length === 21);
    expect(text().indexOf('{"first":"1"}')).toBeLessThan(text().indexOf('[null]'));
    expect(outcomes()).toEqual(Array(21).fill('charged'));
    socket.destroy();
  });

  it('cost nothing when the client goes before their turn', async () => {
    desk.answer('allMids', 'hang');
    const { socket } = await open();
    socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(20));
    await until('the first is asked', () => desk.asked('allMids').length === 1);
    socket.destroy();
    await until('the first is given up', () => outcomes().includes('released'));
    expect(outcomes()).toEqual(['released']);
    expect(desk.asked('perpDexs')).toEqual([]);
  });
});

it('[BILL-21] a batch whose client has gone is given up at once, and not charged', async () => {
  desk.answer('spotClearinghouseState', 'hang');
  const { socket } = await open();
  socket.write(callOf({ type: 'batchSpotClearinghouseState', users: [walletOf(1), walletOf(2)] }));
  await until('both wallets are asked for', () => desk.exchange.open === 2);
  socket.destroy();
  await until('nothing is asked any more', () => desk.exchange.open === 0);
  await until('it is over', () => outcomes()[0] !== 'held');
  expect(outcomes()).toEqual(['released']);
});

describe('[INFO-30] a body that nobody wants', () => {
  const PIECE = Buffer.alloc(1024 * 1024, 0x20);

  it.each([
    ['without a key', 'POST /info', '401'],
    ['at an unknown path', 'POST /nowhere', '404'],
    ['with a wrong method', 'PUT /info', '405'],
    ['of a question that has none', 'GET /healthz', '200'],
  ])('is read to a bound and then cut: %s', async (_, line, status) => {
    const { socket, text } = await open();
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`);
    await until('the answer', () => text().startsWith(`HTTP/1.1 ${status}`));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let sent = 0;
    while (!socket.destroyed && sent < 200) {
      sent += 1;
      await Promise.race([new Promise((resolve) => socket.write(PIECE, resolve)), closed]);
    }
    // 16, and what the buffers on the way hold.
    expect(sent).toBeGreaterThan(10);
    expect(sent).toBeLessThan(60);
  });

  it('leaves the connection usable when it ends before the bound', async () => {
    const { socket, text } = await open();
    socket.write('POST /info HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n');
    await until('the answer', () => text().startsWith('HTTP/1.1 401'));
    socket.write(Buffer.alloc(3_000_000, 0x20));
    socket.write(callOf({ type: 'perpDexs' }));
    await until('the next answer', () => text().includes('HTTP/1.1 200'));
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
    socket.destroy();
  });
});
