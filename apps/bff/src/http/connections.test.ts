import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { ERROR_CODES, errorBody } from '@l4desk/protocol';
import { KeptLog, temporaryDirectory, until } from '@l4desk/testkit';
import { bearer, type FakeResponse, http } from '@l4desk/testkit/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, sharedInfoRig, startInfoRig, walletOf } from '../info/test-support/info-rig.ts';
import { UnreadResponses } from './respond.ts';

/** The documented maximum of unanswered requests of one connection. */
const UNANSWERED_MAX = 64;

const rig = sharedInfoRig({ upstream: { timeoutMs: 600_000, responseBytesMax: 64 * 1024 * 1024 } });

beforeEach(() => {
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

it('[INFO-2] sends the responses to pipelined calls in order', async () => {
  const letGo = rig.exchange.holdBack('allMids');
  const { socket, text } = await open();
  socket.write(callOf({ type: 'allMids' }) + callOf({ type: 'perpDexs' }).repeat(20));
  await until('the first is asked', () => rig.asked('allMids').length === 1);
  letGo({ json: { first: '1' } });
  await until('all responses are there', () => (text().match(/HTTP\/1\.1 200/g) ?? []).length === 21);
  expect(text().indexOf('{"first":"1"}')).toBeLessThan(text().indexOf('[null]'));
  expect(outcomes()).toEqual(Array(21).fill('charged'));
  socket.destroy();
});

describe('a connection with 200,000 pipelined requests', () => {
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const served = (path: string) => rig.service.logs.filter((line) => line.includes(`"path":"${path}"`)).length;

  it.each(['/healthz', '/readyz', '/nowhere', '/session', '/book'])(
    'is closed even if its client reads no response, while other clients are served: %s',
    async (path) => {
      const { socket } = await open();
      const closed = closeOf(socket);
      socket.pause();
      socket.write(head(path).repeat(200_000));
      expect((await rig.ask({ type: 'perpDexs' })).status, 'to another client').toBe(200);
      expect(served(path)).toBeLessThanOrEqual(UNANSWERED_MAX);
      socket.resume();
      await closed;
      expect(served(path)).toBeLessThanOrEqual(UNANSWERED_MAX);
    },
  );

  it('starts a bounded number of paid calls', async () => {
    const letGo = rig.exchange.holdBack('allMids');
    const { socket } = await open();
    socket.write(callOf({ type: 'allMids' }));
    await until('the first is asked', () => rig.asked('allMids').length === 1);
    const closed = closeOf(socket);
    socket.write(callOf({ type: 'perpDexs' }).repeat(20_000));
    expect((await rig.ask({ type: 'meta' })).status).not.toBe(500);
    letGo({ json: {} });
    await closed;
    expect(rig.meter.calls.length).toBeLessThanOrEqual(UNANSWERED_MAX + 1);
  });
});

describe('a request that offers h2c', () => {
  const head = (upgrade: string, body: string) =>
    callOf(JSON.parse(body) as object).replace(
      'Host: x',
      `Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB`,
    );

  it.each(['h2c', 'TLS/1.2', 'h2c, websocket'])(
    'is served as an ordinary request, and its connection is closed: %s',
    async (upgrade) => {
      const { socket, text } = await open();
      const closed = closeOf(socket);
      socket.write(head(upgrade, '{"type":"perpDexs"}'));
      await closed;
      expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
      expect(text().toLowerCase()).toContain('connection: close');
      expect(text()).toContain('[null]');
      expect(outcomes()).toEqual(['charged']);
    },
  );

  it('50,000 times on one connection is served at most once, and closes the connection', async () => {
    const { socket, text } = await open();
    const closed = closeOf(socket);
    socket.write(head('h2c', '{"type":"allMids"}').repeat(50_000));
    await closed;
    expect((await rig.ask({ type: 'perpDexs' })).status, 'to another client').toBe(200);
    const responses = text().match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(responses.length).toBeLessThanOrEqual(1);
    expect(responses).not.toContain('HTTP/1.1 500');
    expect(rig.asked('allMids').length).toBeLessThanOrEqual(1);
    expect(rig.meter.calls.length).toBeLessThanOrEqual(2);
  });

  it.each(['websocket', 'h2c'])('closes its connection if earlier requests are not answered: %s', async (upgrade) => {
    const letGo = rig.exchange.holdBack('allMids');
    const { socket, text } = await open();
    const closed = closeOf(socket);
    socket.write(callOf({ type: 'allMids' }));
    await until('the call is asked', () => rig.asked('allMids').length === 1);
    socket.write(head(upgrade, '{"type":"perpDexs"}'));
    await closed;
    expect(text()).toBe('');
    letGo({ json: {} });
    await until('the call is over', () => outcomes()[0] !== 'held');
  });
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
    const letGo = rig.exchange.holdBack(type);
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
    const letGo = rig.exchange.holdBack(`spotClearinghouseState ${walletOf(1)}`);
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
    const letGo = ending.exchange.holdBack('allMids');
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

describe('[INFO-8] an unused body', () => {
  it.each([
    ['without a key', 'POST /info', '401'],
    ['at an unknown path', 'POST /nowhere', '404'],
    ['with a wrong method', 'PUT /info', '405'],
    ['of a GET request', 'GET /healthz', '200'],
  ])('does not delay the response: %s', async (_, line, status) => {
    const { socket, text } = await open();
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`);
    await until('the response', () => text() !== '');
    expect(text().slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    socket.destroy();
  });

  it('leaves the connection usable when it ends', async () => {
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

describe('bodies that never end', () => {
  /** How a body begins and how it continues, byte by byte. */
  const FORMS = [
    ['of a declared length', 'Content-Length: 60000', '{', ' '],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n', '1\r\n \r\n'],
  ] as const;

  /** Sends the head of a call and, once the service asks for the body, only the beginning of it. */
  async function begin(from: InfoRig, length: string, beginning: string) {
    const socket = connect(from.service.port, '127.0.0.1');
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const closed = closeOf(socket);
    const { authorization } = bearer(from.key);
    socket.write(
      `POST /info HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${length}\r\n\r\n`,
    );
    await until('the body is requested', () => text === 'HTTP/1.1 100 Continue\r\n\r\n');
    text = '';
    socket.write(beginning);
    return { socket, closed, text: () => text };
  }

  it.each(FORMS)(
    'on 400 connections cost nothing, and other clients are served meanwhile: %s',
    async (_, length, beginning) => {
      const calls = await Promise.all(Array.from({ length: 400 }, () => begin(rig, length, beginning)));
      expect((await rig.ask({ type: 'perpDexs' })).status, 'to another client').toBe(200);
      expect(calls.filter(({ socket, text }) => socket.closed || text() !== '')).toEqual([]);
      expect(outcomes()).toEqual(['charged']);
      for (const { socket } of calls) socket.destroy();
    },
  );

  it.each(FORMS)('are 408 in the end and close their connections, even if they continue: %s', async (_, ...form) => {
    const httpLimits = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 10 };
    await using hasty = await startInfoRig({ replaced: { httpLimits } });
    const [length, beginning, more] = form;
    const { socket, closed, text } = await begin(hasty, length, beginning);
    const trickle = setInterval(() => socket.write(more), 5);
    await closed.finally(() => clearInterval(trickle));
    expect(text()).toContain('HTTP/1.1 408');
    expect(hasty.meter.calls).toEqual([]);
  });
});

it('a connection above the maximum is closed and logged at most once a minute, until another one ends', async () => {
  await using small = await startInfoRig({ replaced: { httpLimits: { maxConnections: 3 } } });
  /** A new connection, and the beginning of its response; undefined once it is closed without one. */
  const request = () => {
    const socket = connect(small.service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = new Promise<string | undefined>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1', 0, 15)));
      socket.once('close', () => resolve(undefined));
    });
    return { socket, response };
  };
  const open = [request(), request(), request()];
  expect(await Promise.all(open.map(({ response }) => response))).toEqual(Array(3).fill('HTTP/1.1 200 OK'));
  const logged = () =>
    small.service.logs.flatMap((line) => (line.includes('too many connections') ? [JSON.parse(line)] : []));
  expect(await request().response).toBeUndefined();
  expect(await request().response).toBeUndefined();
  expect(logged()).toMatchObject([{ level: 'warn', dropped: 1 }]);
  small.service.pass(60_000);
  expect(await request().response).toBeUndefined();
  expect(logged()).toMatchObject([{ dropped: 1 }, { dropped: 2 }]);
  open[0]?.socket.destroy();
  const later = await until('another one is served', async () => {
    const { socket, response } = request();
    return (await response) === 'HTTP/1.1 200 OK' && socket;
  });
  for (const { socket } of open) socket.destroy();
  later.destroy();
});

describe('unread responses', () => {
  const size = 24_000_000;

  async function unread(from: InfoRig): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
    const socket = connect(from.service.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = closeOf(socket);
    socket.once('data', () => socket.pause());
    socket.write(callOf({ type: 'allMids' }).replace(rig.key, from.key));
    await once(socket, 'data');
    return { socket, closed };
  }

  it('are aborted, the oldest first, if they hold too much memory together', async () => {
    const log = new KeptLog();
    await using full = await startInfoRig({
      upstream: { timeoutMs: 600_000, responseBytesMax: 64 * 1024 * 1024 },
      replaced: { unread: new UnreadResponses(log, 2.5 * size) },
    });
    full.respond('allMids', { status: 200, text: JSON.stringify(['x'.repeat(size)]) });
    const clients = [await unread(full), await unread(full)];
    expect(log.lines).toEqual([]);
    clients.push(await unread(full));
    await until('one is aborted', () => log.lines.length > 0);
    expect(log.lines).toHaveLength(1);
    clients[0]?.socket.resume();
    await clients[0]?.closed;
    const last = clients[2]?.socket;
    let received = 0;
    last?.on('data', (chunk: Buffer) => (received += chunk.length));
    last?.resume();
    await until('the last one is read', () => received > size - 100_000);
    for (const { socket } of clients) socket.destroy();
  });

  it('are aborted if the client reads nothing for long', async () => {
    await using hasty = await startInfoRig({
      upstream: { timeoutMs: 600_000, responseBytesMax: 64 * 1024 * 1024 },
      replaced: { responseStallMs: 100 },
    });
    hasty.respond('allMids', { status: 200, text: JSON.stringify(['x'.repeat(size)]) });
    const { socket, closed } = await unread(hasty);
    await gone(hasty);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(size);
  });
});

describe('[INFO-4] malformed and incomplete requests', () => {
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
    const httpLimits = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };
    await using hasty = await startInfoRig({ replaced: { httpLimits } });
    const key = `Authorization: ${bearer(hasty.key).authorization}\r\n`;
    const slow = `${HEAD}${key}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    for (const bytes of [slow, HEAD])
      expect(await said(hasty, bytes)).toEqual({ status: 408, error: 'request_timeout' });
  });

  it('may follow on a connection for as long as proxies keep idle ones: ten minutes', async () => {
    const agent = new Agent({ keepAlive: true });
    const { headers } = await http(`${rig.service.url}/healthz`, { agent });
    agent.destroy();
    expect(Number(/^timeout=(\d+)$/.exec(String(headers['keep-alive']))?.[1])).toBeGreaterThan(600);
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
