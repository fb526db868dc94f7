import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webSocketUpgrades } from './plain-upgrades.ts';

let server: Server;
let socket: Socket;
let received: string;
let upgrades: string[];
/** What answers wait for. */
let gate: Promise<void>;
let openGate: () => void;

beforeEach(async () => {
  upgrades = [];
  gate = Promise.resolve();
  server = createServer((request, response) => {
    const { method, url, headers } = request;
    void Promise.all([text(request), gate]).then(([body]) =>
      response.end(`${method} ${url} ${headers.authorization} ${body};`),
    );
  });
  webSocketUpgrades(server).on('upgrade', (request: { url: string }, upgraded: Socket) => {
    upgrades.push(request.url);
    upgraded.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  received = '';
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

const head = (upgrade: string, length: number) =>
  `POST /info?x=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nAuthorization: Bearer k\r\nContent-Length: ${length}\r\n\r\n`;

it('[INFO-3] a request that offers h2c is answered as an ordinary one, and its connection goes on', async () => {
  socket.write(`${head('h2c', 5)}first`);
  await until('the first answer', () => received.includes('POST /info?x=1 Bearer k first;'));
  socket.write(`${head('h2c', 6)}sec`);
  socket.write('ond');
  await until('the second answer', () => received.includes('POST /info?x=1 Bearer k second;'));
  socket.write('GET /plain HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the third answer', () => received.includes('GET /plain undefined ;'));
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  expect(upgrades).toEqual([]);
});

it('[INFO-3] so is one whose head comes in pieces, with a body after it', async () => {
  const bytes = `${head('h2c', 4)}body`;
  socket.write(bytes.slice(0, 90));
  await new Promise(setImmediate);
  socket.write(bytes.slice(90, -4));
  await new Promise(setImmediate);
  socket.write(bytes.slice(-4));
  await until('the answer', () => received.includes('Bearer k body;'));
  expect(upgrades).toEqual([]);
});

it('a WebSocket upgrade goes its own way', async () => {
  socket.write(head('WebSocket', 0));
  await until('it is refused there', () => received.includes('400 Bad Request'));
  expect(upgrades).toEqual(['/info?x=1']);
});

describe('an upgrade behind a call that is not answered yet', () => {
  const call = 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\ncall';

  beforeEach(() => {
    gate = new Promise((resolve) => (openGate = resolve));
  });

  it('[BILL-20] a WebSocket is refused when its turn comes: the answer of the call stands before it, whole', async () => {
    socket.write(call.repeat(2) + head('websocket', 0));
    const closed = once(socket, 'close');
    await new Promise(setImmediate);
    expect(received).toBe('');
    openGate();
    await closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(received).toContain('"error":"invalid_request"');
    expect(upgrades).toEqual([]);
  });

  it('[INFO-3] an h2c offer is answered in its turn', async () => {
    socket.write(`${call}${head('h2c', 5)}first`);
    await new Promise(setImmediate);
    openGate();
    await until('both answers', () => received.includes('Bearer k first;'));
    expect(received.indexOf('POST /slow undefined call;')).toBeLessThan(received.indexOf('POST /info?x=1'));
  });
});
