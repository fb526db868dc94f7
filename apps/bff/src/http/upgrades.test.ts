import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestQueue } from './request-queue.ts';
import { webSocketUpgrades } from './upgrades.ts';

let server: Server;
let socket: Socket;
let received: string;
let upgrades: string[];
/** Responses wait for this. */
let gate: Promise<void>;

beforeEach(async () => {
  upgrades = [];
  gate = Promise.resolve();
  server = createServer();
  const queue = new RequestQueue(server, {
    serve: (request, response) => {
      const { method, url, headers } = request;
      void Promise.all([text(request), gate]).then(([body]) =>
        response.end(`${method} ${url} ${headers.authorization} ${body};`),
      );
    },
    onOverflow: () => {},
  });
  webSocketUpgrades(server, queue).on('upgrade', (request: { url: string }, upgraded: Socket) => {
    upgrades.push(request.url);
    upgraded.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  received = '';
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  await once(socket, 'connect');
});

afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Resolves when the connection is closed, also by a reset. */
const closeOf = (of: Socket) => new Promise((resolve) => of.once('close', resolve));

const head = (upgrade: string, length: number) =>
  `POST /info?x=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nAuthorization: Bearer k\r\nContent-Length: ${length}\r\n\r\n`;

describe('[INFO-36] a request that offers h2c', () => {
  it('is served as an ordinary request, and its connection is closed', async () => {
    const closed = closeOf(socket);
    socket.write(`${head('h2c', 5)}first`);
    await closed;
    expect(received).toContain('POST /info?x=1 Bearer k first;');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r$[^]*^Connection: close\r$/m);
    expect(upgrades).toEqual([]);
  });

  it('is served if it arrives in pieces', async () => {
    const bytes = `${head('h2c', 4)}body`;
    const closed = closeOf(socket);
    socket.write(bytes.slice(0, 90));
    await new Promise(setImmediate);
    socket.write(bytes.slice(90, -4));
    await new Promise(setImmediate);
    socket.write(bytes.slice(-4));
    await closed;
    expect(received).toContain('Bearer k body;');
  });

  it('is parsed again only once per connection, however many follow', async () => {
    let parsers = 0;
    server.on('connection', () => (parsers += 1));
    const closed = closeOf(socket);
    socket.write(head('h2c', 0).repeat(1000));
    await closed;
    expect(parsers).toBe(1);
  });

  it('may follow other requests on its connection', async () => {
    socket.write('GET /plain HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the first response', () => received.includes('GET /plain undefined ;'));
    socket.write(`${head('h2c', 6)}second`);
    await closeOf(socket);
    expect(received).toContain('POST /info?x=1 Bearer k second;');
  });
});

it('emits a WebSocket upgrade', async () => {
  socket.write(head('WebSocket', 0));
  await until('it is refused there', () => received.includes('400 Bad Request'));
  expect(upgrades).toEqual(['/info?x=1']);
});

it.each(['websocket', 'h2c'])(
  '[INFO-36] closes the connection on an offer of %s while responses to earlier requests are pending',
  async (protocol) => {
    const closed = closeOf(socket);
    gate = new Promise(() => {});
    socket.write(`POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\ncall${head(protocol, 0)}`);
    await closed;
    expect(received).toBe('');
    expect(upgrades).toEqual([]);
  },
);
