import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { KeptLog, until } from '@l4desk/testkit';
import { bearer } from '@l4desk/testkit/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig } from '../info/test-support/info-rig.ts';
import { PendingResponses } from './pending-responses.ts';
import { sendJsonBytes } from './respond.ts';

/** More than the buffers of two sockets can hold. */
const SIZE = 16 * 1024 * 1024;

/** Upstream limits that allow large and slow responses. */
const upstream = { timeoutMs: 600_000, responseBytesMax: () => 4 * SIZE };

/** A connection that reads nothing until it is resumed. */
async function silentConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

describe('[INFO-29] the memory of unread responses', () => {
  let server: Server;
  let pending: PendingResponses;
  let log: KeptLog;
  let sockets: Socket[];
  /** Body by path. Any other path gets a new body each time. */
  let shared: Map<string, Uint8Array>;
  let written: string[];

  beforeEach(async () => {
    [sockets, shared, written, log] = [[], new Map(), [], new KeptLog()];
    pending = new PendingResponses({ bytesMax: 3.5 * SIZE, stallMs: 60_000, log });
    server = createServer((request, response) => {
      const url = request.url ?? '';
      response.once('close', () => written.splice(written.indexOf(url), 1));
      const part = shared.get(url) ?? new Uint8Array(SIZE);
      pending.keep(url.slice(1, 2), response, sendJsonBytes(response, 200, [part]));
      written.push(url);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function ask(path: string): Promise<Socket> {
    const socket = await silentConnection((server.address() as AddressInfo).port);
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until('it is written', () => written.includes(path));
    return socket;
  }

  it('is bounded by aborting only the oldest response of the account that retains most', async () => {
    for (const path of ['/b1', '/a1', '/a2', '/a3']) await ask(path);
    await until('one is gone', () => written.length === 3);
    expect(written).toEqual(['/b1', '/a2', '/a3']);
    expect(pending.bytes).toBe(3 * SIZE);
    expect(log.lines.join('')).toContain('too many unsent bytes');
  });

  it('counts once if responses share it', async () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(SIZE));
    for (let n = 0; n < 8; n += 1) shared.set(`/a${n}`, bytes);
    for (const path of shared.keys()) await ask(path);
    expect([written.length, pending.bytes]).toEqual([8, SIZE]);
  });

  it('is released when they are read or disconnected', async () => {
    const [read, left] = [await ask('/a1'), await ask('/b1')];
    expect(pending.bytes).toBe(2 * SIZE);
    read.resume();
    left.destroy();
    await until('both are over', () => pending.bytes === 0);
  });
});

describe('[INFO-29] the memory of responses that wait behind another one on their connection', () => {
  const pending = new PendingResponses({ bytesMax: SIZE, stallMs: 60_000, log: new KeptLog() });

  /** Sends responses that have no connection yet. Returns the bytes that they retain, before and after they have ended. */
  function kept(count: number, part: Uint8Array, method = 'GET'): readonly number[] {
    const responses = Array.from({ length: count }, () => {
      const request = new IncomingMessage(new Socket());
      request.method = method;
      return new ServerResponse(request);
    });
    for (const response of responses) pending.keep('a', response, sendJsonBytes(response, 200, [part]));
    const { bytes } = pending;
    for (const response of responses) response.emit('close');
    return [bytes, pending.bytes];
  }

  it('is one copy per small response, even if they share the body', () => {
    expect(kept(8, new Uint8Array(8_192))).toEqual([8 * 8_192, 0]);
    expect(kept(8, new Uint8Array(8_193))).toEqual([8_193, 0]);
  });

  it('excludes the underlying buffer of a small body, and includes all of it for a large one', () => {
    const memory = new Uint8Array(SIZE);
    expect(kept(2, memory.subarray(100, 800))).toEqual([1_400, 0]);
    expect(kept(2, memory.subarray(100, 9_000))).toEqual([SIZE, 0]);
  });

  it('is zero if only the head is sent', () => {
    expect(kept(2, new Uint8Array(8_192), 'HEAD')).toEqual([0, 0]);
    expect(kept(2, new Uint8Array(8_193), 'HEAD')).toEqual([0, 0]);
  });
});

it('[INFO-29] a response that was read leaves no limit of time to the call that waits behind it', async () => {
  const stallMs = 60_000;
  const pending = new PendingResponses({ bytesMax: 4 * SIZE, stallMs, log: new KeptLog() });
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    if (responses.push(response) > 1) return;
    response.once('prefinish', () => pending.watch(response));
    sendJsonBytes(response, 200, [new Uint8Array(SIZE)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = await silentConnection((server.address() as AddressInfo).port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
  await until('the second call waits', () => responses.length === 2);
  const [first] = responses;
  expect(first?.req.socket.timeout).toBe(stallMs);
  socket.resume();
  await until('the first one is read', () => first?.writableFinished === true);
  expect(first?.req.socket.timeout).toBe(0);
  socket.destroy();
  server.close();
});

describe('[INFO-29] a response of the service', () => {
  let rig: InfoRig;

  afterEach(() => rig[Symbol.asyncDispose]());

  async function ask(bytes: number): Promise<Socket> {
    rig.respond('allMids', { status: 200, text: Buffer.from(JSON.stringify(['x'.repeat(bytes)])) });
    const socket = await silentConnection(rig.service.port);
    post(socket);
    return socket;
  }

  function post(socket: Socket): void {
    const body = '{"type":"allMids"}';
    socket.write(
      `POST /info HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(rig.key).authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  const cuts = (reason: string) =>
    rig.service.logs.filter((line) => line.includes('response aborted') && line.includes(reason)).length;

  it('is aborted if its client reads nothing for RESPONSE_STALL_MS', async () => {
    rig = await startInfoRig({ upstream, env: { RESPONSE_STALL_MS: '100' } });
    const socket = await ask(SIZE);
    await until('it is cut', () => cuts('client reads nothing') === 1);
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(size).toBeLessThan(SIZE);
  });

  it('is complete if its client reads it late, and the connection stays usable', async () => {
    rig = await startInfoRig({ upstream });
    const socket = await ask(SIZE);
    await until('it is written', () => rig.meter.last?.outcome === 'charged');
    let size = 0;
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      text = (text + chunk.toString('latin1')).slice(-1000);
    });
    await until('all of it', () => size > SIZE && text.endsWith(']'));
    rig.respond('allMids', { json: ['next'] });
    post(socket);
    await until('the next one', () => text.endsWith('["next"]'));
    expect(cuts('')).toBe(0);
    socket.destroy();
  });

  it('is aborted if PENDING_RESPONSES_BYTES_MAX is exceeded', async () => {
    rig = await startInfoRig({ upstream, env: { PENDING_RESPONSES_BYTES_MAX: '67108864' } });
    const sockets = [];
    for (let n = 1; n <= 3; n += 1) {
      sockets.push(await ask(24 * 1024 * 1024));
      await until('it is charged', () => rig.meter.calls.filter(({ outcome }) => outcome === 'charged').length === n);
    }
    await until('one is cut', () => cuts('too many unsent bytes') > 0);
    expect(cuts('too many unsent bytes')).toBe(1);
    for (const socket of sockets) socket.destroy();
  });
});
