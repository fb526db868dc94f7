import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { MESSAGE_BYTES_MAX, UpstreamSocket } from './upstream-connection.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Opens a socket to its own server and records the socket's events. */
async function open(compress = false) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: compress });
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const heard: string[] = [];
  const { port } = server.address() as AddressInfo;
  const socket = new UpstreamSocket(`ws://127.0.0.1:${port}/`, {
    compress,
    onBytes: () => heard.push('bytes'),
    onPong: () => heard.push('pong'),
  });
  socket.addEventListener('open', () => heard.push('open'));
  socket.addEventListener('message', ({ data }) => heard.push(`message ${String(data)}`));
  socket.addEventListener('error', ({ message = '' }) => heard.push(`error ${message}`));
  const closed = new Promise<number | undefined>((resolve) =>
    socket.addEventListener('close', ({ code }) => resolve(code)),
  );
  const [peer] = await accepted;
  const end = async () => {
    socket.close();
    peer.terminate();
    server.close();
    await once(server, 'close');
  };
  return { socket, peer, heard, closed, [Symbol.asyncDispose]: end };
}

test('reports bytes, messages and pongs, from the first message on', async () => {
  await using rig = await open();
  const pinged = once(rig.peer, 'ping');
  rig.peer.send('hello');
  while (!rig.heard.includes('message hello')) await new Promise(setImmediate);
  rig.socket.ping();
  await pinged;
  while (!rig.heard.includes('pong')) await new Promise(setImmediate);
  expect(rig.heard.filter((line) => line !== 'bytes')).toEqual(['open', 'message hello', 'pong']);
  expect(rig.heard.slice(-2)).toEqual(['bytes', 'pong']);
});

test('[UP-15] closes the socket after an invalid frame, even if the other side does not close it', async () => {
  await using rig = await open();
  // The package would wait for the other side with its own timer, which never fires here.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  rig.peer.pause();
  rig.peer.send(Buffer.from([0xff, 0xfe]), { binary: false });
  expect(await rig.closed).toBe(1006);
  expect(rig.heard).toContain('error WS_ERR_INVALID_UTF8');
});

test.each([
  ['a plain', false],
  ['a compressed', true],
])('refuses %s message of more than 64 MiB and says so', async (_what, compress) => {
  await using rig = await open(compress);
  rig.peer.on('error', () => {});
  rig.peer.send(Buffer.alloc(MESSAGE_BYTES_MAX + 1, 0x20), { binary: false, compress });
  expect(await rig.closed).toBe(1006);
  expect(rig.heard).toContain('error sent a message of more than 64 MiB');
  expect(rig.heard.some((line) => line.startsWith('message'))).toBe(false);
});

test('reads a message of four times the largest book', async () => {
  await using rig = await open(true);
  rig.peer.send(Buffer.alloc(MESSAGE_BYTES_MAX, 0x20), { binary: false, compress: true });
  const isRead = () => rig.heard.some((line) => line.startsWith('message'));
  while (!isRead()) await new Promise(setImmediate);
  expect(rig.heard.at(-1)?.length).toBe('message '.length + MESSAGE_BYTES_MAX);
});
