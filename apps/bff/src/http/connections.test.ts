import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { ERROR_CODES, errorBody } from '@l4desk/protocol';
import { temporaryDirectory, until } from '@l4desk/testkit';
import { bearer, type FakeResponse, http, postJson } from '@l4desk/testkit/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from '../info/test-support/info-rig.ts';
import { WAITING_REQUESTS_MAX } from './request-queue.ts';

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig({ upstream: { timeoutMs: 600_000, responseBytesMax: () => 64 * 1024 * 1024 } });
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(() => {
  rig.meter.calls.length = 0;
  rig.exchange.asked.length = 0;
  rig.service.logs.length = 0;
  rig.respond('perpDexs', { json: [null] });
});

/** A raw connection, and the text received on it. */
async function open(): Promise<{ readonly socket: Socket; readonly text: () => string }> {
  const socket = connect(rig.service.port, '127.0.0.1');
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
  return `POST /info HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(rig.key).authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Resolves when the connection is closed, also by a reset. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Waits until the service has noticed that a client disconnected. */
const gone = (from: InfoRig = rig) =>
  until('the service knows', () => from.service.logs.some((line) => line.includes('client disconnected')));

const outcomes = () => rig.meter.calls.map(({ outcome }) => outcome);

/** Delays the responses to a kind until the returned function is called. */
function holdBack(type: string): (response: FakeResponse) => void {
  let letGo: (response: FakeResponse) => void = () => {};
  rig.respond(type, { until: new Promise((resolve) => (letGo = resolve)) });
  return (response) => letGo(response);
}

describe('[BILL-20] calls on one connection', () => {
  it('start one after another, and their responses are sent in order', async () => {
    const letGo = holdBack('allMids');
    const { socket, text } = await open();
    socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(20));
    await until('the first is asked', () => rig.asked('allMids').length === 1);
    expect(rig.meter.calls).toHaveLength(1);
    letGo({ json: { first: '1' } });
    await until('all responses are there', () => (text().match(/HTTP\/1\.1 200/g) ?? []).length === 21);
    expect(text().indexOf('{"first":"1"}')).toBeLessThan(text().indexOf('[null]'));
    expect(outcomes()).toEqual(Array(21).fill('charged'));
    socket.destroy();
  });

  it('cost nothing if the client disconnects before their turn', async () => {
    const letGo = holdBack('allMids');
    const { socket } = await open();
    socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(20));
    await until('the first is asked', () => rig.asked('allMids').length === 1);
    socket.destroy();
    await gone();
    letGo({ json: {} });
    await until('the first is over', () => outcomes()[0] !== 'held');
    expect(outcomes()).toEqual(['charged']);
    expect(rig.asked('perpDexs')).toEqual([]);
  });
});

describe('[INFO-35] requests that wait on one connection', () => {
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are all served if they do not exceed the limit', async () => {
    const letGo = holdBack('allMids');
    const { socket, text } = await open();
    socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(WAITING_REQUESTS_MAX));
    await until('the first is asked', () => rig.asked('allMids').length === 1);
    letGo({ json: {} });
    await until('all responses are there', () => text().split('[null]').length > WAITING_REQUESTS_MAX);
    expect(outcomes()).toEqual(Array(WAITING_REQUESTS_MAX + 1).fill('charged'));
    socket.destroy();
  });

  it('close it if they exceed the limit, and none of them is started', async () => {
    const letGo = holdBack('allMids');
    const { socket, text } = await open();
    const closed = closeOf(socket);
    socket.write(callOf({ type: 'allMids' }));
    await until('the first is asked', () => rig.asked('allMids').length === 1);
    socket.write(callOf({ type: 'perpDexs' }).repeat(WAITING_REQUESTS_MAX + 1));
    await closed;
    letGo({ json: {} });
    await until('the first is over', () => outcomes()[0] !== 'held');
    expect(outcomes()).toEqual(['charged']);
    expect([text(), rig.asked('perpDexs')]).toEqual(['', []]);
  });

  it('do not delay other clients, even 200,000 of them from a client that reads nothing', async () => {
    const { socket } = await open();
    socket.pause();
    const closed = closeOf(socket);
    socket.write(head('/healthz').repeat(200_000));
    const other = rig.ask({ type: 'perpDexs' });
    await closed;
    expect((await other).status).toBe(200);
    const served = rig.service.logs.filter((line) => line.includes('"path":"/healthz"')).length;
    expect(served).toBeLessThanOrEqual(WAITING_REQUESTS_MAX + 1);
    expect(rig.service.logs.filter((line) => line.includes('too many pipelined requests'))).toHaveLength(1);
  });
});

it('[WS-34] responds to a plain request to the stream with 426 and the protocol', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await http(`${rig.service.url}/ws?key=${rig.key}`, { method });
    expect([response.status, response.headers.upgrade]).toEqual([426, 'websocket']);
    expect(response.headers.connection).toMatch(/^Upgrade\b/);
  }
  const response = await http(`${rig.service.url}/ws`, { headers: { accept: 'text/html' } });
  expect(rig.errorOf(response).error).toBe('upgrade_required');
  expect((await postJson(`${rig.service.url}/ws`, {})).status).toBe(405);
});

describe('[BILL-24] a client that disconnects', () => {
  it.each<[string, object, string, FakeResponse, string]>([
    ['from a call that succeeds', { type: 'allMids' }, 'allMids', { json: {} }, 'charged'],
    ['from a call that fails', { type: 'allMids' }, 'allMids', { status: 500, text: '' }, 'released'],
    ['from a call whose response is unusable', { type: 'allMids' }, 'allMids', { status: 200, text: '{' }, 'released'],
    [
      'from a batch whose wallets succeed',
      { type: 'batchSpotClearinghouseState', users: [walletOf(1), walletOf(2)] },
      'spotClearinghouseState',
      { json: { balances: [] } },
      'charged',
    ],
    [
      'from a batch whose wallets all fail',
      { type: 'batchSpotClearinghouseState', users: [walletOf(1), walletOf(2)] },
      'spotClearinghouseState',
      { status: 500, text: '' },
      'released',
    ],
  ])('%s, once it was sent, is charged only on success', async (_, query, type, response, outcome) => {
    const letGo = holdBack(type);
    const { socket } = await open();
    socket.write(callOf(query));
    await until('the exchange is asked', () => rig.asked(type).length === ('users' in query ? 2 : 1));
    socket.destroy();
    await gone();
    expect(outcomes()).toEqual(['held']);
    letGo(response);
    await until('the call is over', () => outcomes()[0] !== 'held');
    expect(outcomes()).toEqual([outcome]);
  });

  it('is charged for a batch if any wallet succeeds', async () => {
    const letGo = holdBack(`spotClearinghouseState ${walletOf(1)}`);
    rig.respond('spotClearinghouseState', { status: 500, text: '' });
    const { socket } = await open();
    socket.write(callOf({ type: 'batchSpotClearinghouseState', users: [walletOf(1), walletOf(2)] }));
    await until('both wallets are asked for', () => rig.asked('spotClearinghouseState').length === 2);
    socket.destroy();
    await gone();
    letGo({ json: { balances: [] } });
    await until('the call is over', () => outcomes()[0] !== 'held');
    expect(outcomes()).toEqual(['charged']);
    rig.exchange.responses.delete(`spotClearinghouseState ${walletOf(1)}`);
  });

  it('while the service shuts down is charged: the call is finished first', async () => {
    await using ending = await startInfoRig();
    let letGo: (response: FakeResponse) => void = () => {};
    ending.respond('allMids', { until: new Promise((resolve) => (letGo = resolve)) });
    const socket = connect(ending.service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(callOf({ type: 'allMids' }).replace(rig.key, ending.key));
    await until('the exchange is asked', () => ending.asked('allMids').length === 1);
    socket.destroy();
    await gone(ending);
    const closed = ending.service.service.close(60_000);
    // No connection is left, so the service only waits for the call.
    await until('nothing is accepted', () =>
      http(`${ending.service.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    letGo({ json: {} });
    await closed;
    expect(ending.meter.last?.outcome).toBe('charged');
  });
});

it('[BILL-23] requests no wallet for a batch whose client disconnected before its turn', async () => {
  rig.respond('spotClearinghouseState', { json: { balances: [] } });
  const { socket } = await open();
  const { reserve } = rig.meter;
  rig.meter.reserve = async (...call) => {
    socket.destroy();
    await gone();
    return reserve(...call);
  };
  try {
    socket.write(callOf({ type: 'batchSpotClearinghouseState', users: [walletOf(1), walletOf(2)] }));
    await until('the call is over', () => outcomes()[0] === 'released');
  } finally {
    rig.meter.reserve = reserve;
  }
  expect(rig.exchange.asked).toEqual([]);
});

it('[BILL-24] charges a client that disconnects while its response is compressed', async () => {
  await using temporary = await temporaryDirectory();
  const pipe = join(temporary.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // All threads of Node's pool block until the pipe has a writer, so zlib has to wait for a thread.
  const threads = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => openFile(pipe, 'r'));
  try {
    rig.respond('allMids', { json: { BTC: '1'.repeat(20_000) } });
    const { socket } = await open();
    socket.write(callOf({ type: 'allMids' }).replace('Host: x', 'Host: x\r\nAccept-Encoding: gzip'));
    await until('the exchange has responded', () => rig.exchange.countOf('allMids') === 1 && rig.exchange.open === 0);
    socket.destroy();
    await gone();
  } finally {
    const writer = openSync(pipe, 'r+');
    for (const thread of await Promise.all(threads)) await thread.close();
    closeSync(writer);
  }
  await until('the call is over', () => outcomes()[0] !== 'held');
  expect(outcomes()).toEqual(['charged']);
});

describe('[INFO-30] an unused body', () => {
  const PIECE = Buffer.alloc(1024 * 1024, 0x20);

  it.each([
    ['without a key', 'POST /info', '401'],
    ['at an unknown path', 'POST /nowhere', '404'],
    ['with a wrong method', 'PUT /info', '405'],
    ['of a GET request', 'GET /healthz', '200'],
  ])('is read up to a limit, then the connection is closed: %s', async (_, line, status) => {
    const { socket, text } = await open();
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`);
    await until('the response', () => text().startsWith(`HTTP/1.1 ${status}`));
    const closed = closeOf(socket);
    let sent = 0;
    while (!socket.destroyed && sent < 200) {
      sent += 1;
      await Promise.race([new Promise((resolve) => socket.write(PIECE, resolve)), closed]);
    }
    // 16, plus what the buffers in between hold.
    expect(sent).toBeGreaterThan(10);
    expect(sent).toBeLessThan(60);
  });

  it('leaves the connection usable if it ends before the limit', async () => {
    const { socket, text } = await open();
    socket.write('POST /info HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n');
    await until('the response', () => text().startsWith('HTTP/1.1 401'));
    socket.write(Buffer.alloc(3_000_000, 0x20));
    socket.write(callOf({ type: 'perpDexs' }));
    await until('the next response', () => text().includes('HTTP/1.1 200'));
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
    socket.destroy();
  });
});

describe('[INFO-4, INFO-39] malformed and incomplete requests', () => {
  const HEAD = 'POST /info HTTP/1.1\r\nHost: x\r\n';

  const UPGRADE =
    ' HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

  /** Sends bytes and resolves with the status and error code of the response. */
  async function said(to: InfoRig, bytes: string): Promise<{ readonly status: number; readonly error: string }> {
    const socket = connect(to.service.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    await until('the response', () => text.includes('}'));
    socket.destroy();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain('content-type: application/json');
    const error = errorBody.parse(JSON.parse(body));
    expect(error.code).toBe(ERROR_CODES[error.error].status);
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), error: error.error };
  }

  it.each([
    ['headers that are too large', `${HEAD}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an unknown expectation', `${HEAD}Expect: wonders\r\nContent-Length: 2\r\n\r\n`, 417, 'unmet_expectation'],
    ['no Host', 'POST /info HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 400, 'invalid_request'],
    ['two Hosts', `${HEAD}host: y\r\nContent-Length: 0\r\n\r\n`, 400, 'invalid_request'],
    ['an upgrade without Host', `GET /ws${UPGRADE}`, 400, 'invalid_request'],
    [
      'an upgrade with two Hosts',
      `GET /ws${UPGRADE.replace('\r\n', '\r\nHost: x\r\nHost: x\r\n')}`,
      400,
      'invalid_request',
    ],
    ['no HTTP at all', 'Hello\r\n\r\n', 400, 'invalid_request'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ])('get the usual error body: %s', async (_, bytes, status, error) => {
    expect(await said(rig, bytes)).toEqual({ status, error });
  });

  it('get 408 if the head or the body does not end in time', async () => {
    const httpTimes = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };
    await using hasty = await startInfoRig({ httpTimes });
    const key = `Authorization: ${bearer(hasty.key).authorization}\r\n`;
    const slow = `${HEAD}${key}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    for (const bytes of [slow, HEAD])
      expect(await said(hasty, bytes)).toEqual({ status: 408, error: 'request_timeout' });
  });

  it('are never refused in place of the response to an earlier call', async () => {
    const letGo = holdBack('allMids');
    const { socket, text } = await open();
    const closed = closeOf(socket);
    socket.write(callOf({ type: 'allMids' }));
    await until('the call is asked', () => rig.asked('allMids').length === 1);
    socket.write('Hello\r\n\r\n');
    await closed;
    expect(text()).toBe('');
    letGo({ json: {} });
    await until('the call is over', () => outcomes()[0] !== 'held');
  });

  it('are never refused in the middle of a response', async () => {
    const size = 30_000_000;
    rig.respond('allMids', { status: 200, text: JSON.stringify(['x'.repeat(size)]) });
    const { socket, text } = await open();
    const closed = closeOf(socket);
    socket.once('data', () => socket.pause());
    socket.write(callOf({ type: 'allMids' }));
    await until('the response begins', () => text().startsWith('HTTP/1.1 200'));
    socket.write('Hello\r\n\r\n');
    await until('the service cuts it', () => rig.service.logs.some((line) => line.includes('"kind":"allMids"')));
    socket.resume();
    await closed;
    expect(text().length).toBeLessThan(size);
    expect(text()).not.toContain('400 Bad');
  });

  it('do not include `Expect: 100-continue`, or HTTP/1.0 without Host', async () => {
    const { socket, text } = await open();
    socket.write(callOf({ type: 'perpDexs' }).replace('Host: x', 'Host: x\r\nExpect: 100-continue'));
    await until('the response', () => text().includes('[null]'));
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
    socket.destroy();
    const old = await open();
    old.socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    await until('the response', () => old.text().includes('"up"'));
    old.socket.destroy();
  });
});
