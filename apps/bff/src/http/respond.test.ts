import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendJsonBytes } from './respond.ts';

/** Every byte there is, over and over: what a wrong encoding would change is among them. */
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

const server = createServer((request, response) => sendJsonBytes(response, 200, BODIES[named(request.url)] ?? []));

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

it.each(Object.keys(BODIES))('a response is sent byte for byte: %s', async (name) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`);
  const body = Buffer.from(await response.arrayBuffer());
  const sent = Buffer.concat(BODIES[name] ?? []);
  expect(body.equals(sent)).toBe(true);
  expect(response.headers.get('content-length')).toBe(String(sent.length));
  expect(response.headers.get('content-type')).toBe('application/json');
});
