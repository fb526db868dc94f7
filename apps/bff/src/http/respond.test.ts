import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sendJsonBytes } from './respond.ts';

/** All byte values, repeated, so that a wrong encoding would show. */
const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => at % 256);

const BODIES: Readonly<Record<string, readonly Uint8Array[]>> = {
  nothing: [],
  'an empty piece': [bytes(0)],
  'a small piece': [bytes(700)],
  'part of a larger memory': [bytes(4_000).subarray(300, 900)],
  'the largest that leaves with its head': [bytes(8_192)],
  'a larger one': [bytes(8_193)],
  'several small ones': [bytes(300), bytes(5)],
};

/** Number of socket writes per response. */
const writes: number[] = [];

const server = createServer((request, response) => {
  const write = vi.spyOn(request.socket, 'write');
  sendJsonBytes(response, 200, BODIES[named(request.url)] ?? []);
  // An empty write only signals the end.
  writes.push(write.mock.calls.filter(([data]) => data.length > 0).length);
  write.mockRestore();
});

function named(url = ''): string {
  return decodeURIComponent(url.slice(1));
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it.each(Object.keys(BODIES))('sends a response byte for byte: %s', async (name) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`);
  const body = Buffer.from(await response.arrayBuffer());
  const sent = Buffer.concat(BODIES[name] ?? []);
  expect(body.equals(sent)).toBe(true);
  expect(response.headers.get('content-length')).toBe(String(sent.length));
  expect(response.headers.get('content-type')).toBe('application/json');
});

it.each([
  ['the largest that leaves with its head', true],
  ['a larger one', false],
])('sends head and body in one write up to 8 KiB: %s', async (name, isOne) => {
  writes.length = 0;
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`)).arrayBuffer();
  expect(writes.map((count) => count === 1)).toEqual([isOne]);
});

/** Sends the calls at once on one connection, which closes after the last, and resolves with the received text. */
async function received(...calls: readonly [method: string, name: string][]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const heads = calls.map(([method, name], at) => {
    const connection = at === calls.length - 1 ? 'close' : 'keep-alive';
    return `${method} /${encodeURIComponent(name)} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
  });
  socket.write(heads.join(''));
  await once(socket, 'close');
  return text;
}

const latin1 = (name: string) => Buffer.concat(BODIES[name] ?? []).toString('latin1');

/** The expected head and body of a response. */
const response = (name: string, body = latin1(name)) => [
  expect.stringMatching(new RegExp(`^HTTP/1.1 200 OK\r\n.*\r\nContent-Length: ${latin1(name).length}\r\n`, 's')),
  body,
];

/** Splits responses into heads and bodies by the sizes of the bodies. */
function apart(text: string, ...sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (const size of sizes) {
    const body = rest.indexOf('\r\n\r\n') + 4;
    pieces.push(rest.slice(0, body), rest.slice(body, body + size));
    rest = rest.slice(body + size);
  }
  return rest === '' ? pieces : [...pieces, rest];
}

it.each(Object.keys(BODIES))('responds to HEAD with only the head: %s', async (name) => {
  expect(apart(await received(['HEAD', name]), 0)).toEqual(response(name, ''));
});

it('sends the responses to two pipelined calls completely and in order', async () => {
  const names = ['the largest that leaves with its head', 'a larger one', 'a small piece'] as const;
  for (const first of names)
    for (const second of names) {
      const text = await received(['GET', first], ['GET', second]);
      expect(apart(text, latin1(first).length, latin1(second).length)).toEqual([
        ...response(first),
        ...response(second),
      ]);
    }
});
