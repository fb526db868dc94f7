import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { RpcClient, type RpcMethods, type RpcRequest, type RpcResponse, RpcServer, Transferred } from './rpc.ts';

interface Api {
  add(a: number, b: number): Promise<number>;
  bytes(): Promise<{ readonly bytes: ArrayBuffer }>;
  wait(): Promise<void>;
}

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A client and a server at both ends of a port. */
function connected(methods: Partial<RpcMethods<Api>> = {}) {
  const { port1, port2 } = new MessageChannel();
  ends.push(() => port1.close());
  const aborted: string[] = [];
  const client = new RpcClient<Api>(
    (request) => port1.postMessage(request),
    ({ message, code }) => new Error(`${String(code)}: ${message}`),
  );
  const server = new RpcServer<Api>(
    {
      add: async (_, a, b) => a + b,
      bytes: async () => {
        const { buffer } = new Uint8Array([1, 2, 3]);
        return new Transferred({ bytes: buffer }, [buffer]);
      },
      wait: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push('wait');
            reject(new Error('aborted'));
          });
        }),
      ...methods,
    },
    (response, transfer) => port2.postMessage(response, transfer),
  );
  port1.on('message', (response: RpcResponse) => client.receive(response));
  port2.on('message', (request: RpcRequest) => server.receive(request));
  return { client, port1, port2, aborted };
}

test('calls a method in another thread and resolves with its result, or rejects with its error', async () => {
  const { client } = connected({
    wait: async () => {
      throw Object.assign(new Error('broken'), { code: 'FAILED' });
    },
  });
  expect(await Promise.all([client.call('add', [1, 2]), client.call('add', [3, 4])])).toEqual([3, 7]);
  await expect(client.call('wait', [])).rejects.toThrow('FAILED: broken');
  expect(new Uint8Array((await client.call('bytes', [])).bytes)).toEqual(new Uint8Array([1, 2, 3]));
});

test('rejects with the class of an error that has no code', async () => {
  const { client } = connected({
    add: async () => {
      throw new RangeError('too large');
    },
  });
  await expect(client.call('add', [1, 2])).rejects.toThrow('RangeError: too large');
});

test('rejects with the reason of its signal and tells the other thread', async () => {
  const { client, port2, aborted } = connected();
  const ending = new AbortController();
  const waits = client.call('wait', [], ending.signal);
  await once(port2, 'message');
  ending.abort(new Error('no longer wanted'));
  await expect(waits).rejects.toThrow('no longer wanted');
  await once(port2, 'message');
  expect(aborted).toEqual(['wait']);
  await expect(client.call('add', [1, 1], ending.signal)).rejects.toThrow('no longer wanted');
});

test('posts pending calls again, and rejects all once it has ended', async () => {
  const posted: RpcRequest[] = [];
  const client = new RpcClient<Api>((request) => posted.push(request));
  const [first, second] = [client.call('add', [1, 2]), client.call('wait', [])];
  client.repeat();
  expect(posted.map((request) => request.kind === 'call' && request.method)).toEqual(['add', 'wait', 'add', 'wait']);
  client.receive({ kind: 'result', id: 1, value: 3 });
  client.receive({ kind: 'result', id: 1, value: 4 });
  expect(await first).toBe(3);
  client.end(new Error('closed'));
  await expect(second).rejects.toThrow('closed');
  await expect(client.call('add', [1, 2])).rejects.toThrow('closed');
});
