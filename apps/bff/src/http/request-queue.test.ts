import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestQueue, WAITING_REQUESTS_MAX } from './request-queue.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let server: Server;
let queue: RequestQueue;
let client: Socket;
let received: string;
let served: ServerResponse[];
let overflows: number;
/** Maximum number of pending responses of one connection. */
let pendingMax: number;

beforeEach(async () => {
  [served, overflows, pendingMax, received] = [[], 0, 0, ''];
  server = createServer();
  queue = new RequestQueue(server, {
    serve: (_, response) => void served.push(response),
    onOverflow: () => (overflows += 1),
  });
  server.on('request', ({ socket }: { readonly socket: Duplex }) => {
    pendingMax = Math.max(pendingMax, queue.pending(socket).size);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  await once(client, 'connect');
});

afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Resolves when the connection is closed, also by a reset. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

describe('[INFO-35, BILL-20] requests of one connection', () => {
  it('are served one after another, in order', async () => {
    client.write(REQUEST.repeat(3));
    for (let n = 1; n <= 3; n += 1) {
      await until('it is served', () => served.length === n);
      served[n - 1]?.end(`<${n}>`);
      await until('the response', () => received.includes(`<${n}>`));
    }
    expect(pendingMax).toBe(3);
    await until('nothing is pending', () => queue.pending(served[0]?.req.socket ?? client).size === 0);
  });

  it('are pending only up to a limit, however many are sent', async () => {
    client.pause();
    const closed = closeOf(client);
    client.write(REQUEST.repeat(200_000));
    await closed;
    expect([served.length, overflows, pendingMax]).toEqual([1, 1, WAITING_REQUESTS_MAX + 1]);
  });
});
