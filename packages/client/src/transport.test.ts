import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Chance, ScriptedService } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { l4BookSnapshot, ServiceError, TransportError, WireFormatError } from './index.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await ScriptedService.start({ coins: ['BTC', 'xyz:GOLD'], chance: new Chance(1) });
});
afterAll(() => service[Symbol.asyncDispose]());

function client() {
  return createClient({ baseUrl: service.url, apiKey: 'l4k_secret' });
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call must fail'),
    (error: unknown) => error,
  );
}

describe('l4BookSnapshot', () => {
  it('[SNAP-1] requests one coin and returns the checked snapshot', async () => {
    const snapshot = await l4BookSnapshot(client(), { coin: 'xyz:GOLD' });
    expect(snapshot).toMatchObject({ coin: 'xyz:GOLD', height: service.height, epoch: service.epoch, seq: 0 });
    expect(snapshot.levels).toEqual(service.book('xyz:GOLD').levels());
  });

  it('[AUTH-1] sends the key as a Bearer token, and none in a page of the dashboard', async () => {
    await l4BookSnapshot(client(), { coin: 'BTC' });
    expect(service.snapshotRequests.at(-1)?.authorization).toBe('Bearer l4k_secret');
    await l4BookSnapshot(createClient({ baseUrl: `${service.url}/` }), { coin: 'BTC' });
    expect(service.snapshotRequests.at(-1)?.authorization).toBeUndefined();
  });

  it('reports an error of the service by its code, with status and path', async () => {
    const error = await failureOf(l4BookSnapshot(client(), { coin: 'NOPE' }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'unknown_coin', status: 400, retryable: false, path: 'coin' });
  });

  it.each([
    ['a page of a proxy', (send: Send) => send(502, '<html>Bad Gateway</html>')],
    [
      'an error that is not on the closed list',
      (send: Send) => send(400, '{"error":"nope","message":"x","code":400,"msg":"x"}'),
    ],
    ['nothing', (send: Send) => send(500, '')],
  ])('attributes %s to something in between, not to the service', async (_, reply) => {
    service.snapshotScript.push((_snapshot, response) => reply((status, body) => response.writeHead(status).end(body)));
    const error = await failureOf(l4BookSnapshot(client(), { coin: 'BTC' }));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'status', retryable: true });
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['another coin', JSON.stringify({ coin: 'ETH', time: 1, height: 1, epoch: 'x', seq: 0, levels: [[], []] })],
    ['one side only', JSON.stringify({ coin: 'BTC', time: 1, height: 1, epoch: 'x', seq: 0, levels: [[]] })],
  ])('rejects a snapshot that is %s', async (_, body) => {
    service.snapshotScript.push((_snapshot, response) => response.writeHead(200).end(body));
    expect(await failureOf(l4BookSnapshot(client(), { coin: 'BTC' }))).toBeInstanceOf(WireFormatError);
  });

  it('distinguishes an unreachable service from a refusal', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const error = await failureOf(
      l4BookSnapshot(createClient({ baseUrl: `http://127.0.0.1:${port}` }), { coin: 'BTC' }),
    );
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'network', retryable: true });
  });

  it('distinguishes a response that breaks off from a refusal', async () => {
    service.snapshotScript.push((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"coin":');
      response.destroy();
    });
    const error = await failureOf(l4BookSnapshot(client(), { coin: 'BTC' }));
    expect(error).toMatchObject({ name: 'TransportError', code: 'network' });
  });

  it.each([
    ['baseUrl', { baseUrl: 'desk.example' }],
    ['baseUrl', { baseUrl: 'ftp://desk.example' }],
    ['baseUrl', { baseUrl: 'https://' }],
    ['wsUrl', { baseUrl: 'https://desk.example', wsUrl: 'https://desk.example' }],
  ])('throws at once if %s is invalid: %j', (name, settings) => {
    expect(() => createClient(settings)).toThrow(new RegExp(`^${name} must begin with`));
  });

  it('[INFO-7] keeps the key out of every error', async () => {
    const call = l4BookSnapshot(createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'l4k_secret' }), { coin: 'BTC' });
    const error = (await failureOf(call)) as Error;
    expect(`${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`).not.toContain('l4k_secret');
  });
});

type Send = (status: number, body: string) => void;
