import {
  type BatchSpotClearinghouseState,
  batchClearinghouseState,
  batchSpotClearinghouseState,
  TARIFF,
} from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import { type FakeResponse, http } from '@l4desk/testkit/service';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUSY_TEXTS } from '../exchange/upstream-error.ts';
import { type InfoRig, sharedInfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

const TYPE = 'batchSpotClearinghouseState';
const BALANCES =
  '{ "balances":[{"coin":"USDC","token":0,"total":"14.6250000","hold":"0.0","entryNtl":"0.0","new":1.0}],\n "tokenToAvailableAfterMaintenance":[[0,"14.625"]], "later":{"big":12345678901234567890} }';
const EMPTY = '{"balances":[]}';
const wallets = (count: number) => Array.from({ length: count }, (_, n) => walletOf(n));

const rig = sharedInfoRig({ env: { WALLET_TIMEOUT_MS: '50000', BATCH_TIMEOUT_MS: '60000' } });

beforeEach(() => rig.respond('spotClearinghouseState', { status: 200, text: BALANCES }));

afterEach(() => {
  vi.useRealTimers();
  for (const words of rig.exchange.responses.keys())
    if (words.includes('learinghouseState')) rig.exchange.responses.delete(words);
});

const batch = (users: readonly string[], more: object = {}) => rig.ask({ type: TYPE, users, ...more });

async function slotsOf(users: readonly string[]): Promise<BatchSpotClearinghouseState> {
  const response = await batch(users);
  expect(response.status).toBe(200);
  return batchSpotClearinghouseState.parse(response.json());
}

describe('slots', () => {
  it('[BATCH-1, BATCH-4, BATCH-9] hold `user` first and then the exchange’s own bytes, one slot per wallet', async () => {
    const response = await batch([walletOf(1), walletOf(2)]);
    const slot = (user: string) => `{"user":"${user}",${BALANCES.slice(1)}`;
    expect(response.text).toBe(`[${slot(walletOf(1))},${slot(walletOf(2))}]`);
    expect(rig.meter.last).toMatchObject({ operation: TYPE, credits: TARIFF.batchSpotClearinghouseState });
  });

  it('[BATCH-8, BATCH-9] replace a `user` field sent by the exchange, and nothing else', async () => {
    rig.respond('spotClearinghouseState', {
      status: 200,
      text: '{"balances":[],"user":"X","more":"1.0","id":12345678901234567890,"ratio":1.0}',
    });
    expect((await batch([walletOf(1)])).text).toBe(
      `[{"user":"${walletOf(1)}","balances":[],"more":"1.0","id":12345678901234567890,"ratio":1.0}]`,
    );
  });

  it('[BATCH-4, BATCH-5, BATCH-20] are in the order of the unique wallets of any list, each requested once', async () => {
    const some = fc
      .array(fc.tuple(fc.nat(60), fc.boolean()), { minLength: 1, maxLength: 50 })
      .map((picks) => picks.map(([n, isUpper]) => (isUpper ? `0x${walletOf(n).slice(2).toUpperCase()}` : walletOf(n))));
    await fc.assert(
      fc.asyncProperty(some, async (users) => {
        rig.exchange.asked.length = 0;
        const unique = [...new Set(users.map((user) => user.toLowerCase()))];
        expect((await slotsOf(users)).map(({ user }) => user)).toEqual(unique);
        // The calls are concurrent, so the order of arrival is undefined.
        const asked = rig.asked('spotClearinghouseState').map(({ user }) => String(user));
        expect(asked).toHaveLength(unique.length);
        expect(new Set(asked)).toEqual(new Set(unique));
      }),
      { numRuns: 30 },
    );
  });

  it('[BATCH-12] are requested concurrently for 50 wallets', async () => {
    const letGo = rig.exchange.holdBack('spotClearinghouseState');
    const slots = slotsOf(wallets(50));
    await until('all are on their way', () => rig.exchange.open === 50);
    letGo({ status: 200, text: EMPTY });
    expect(await slots).toHaveLength(50);
  });

  it('[BATCH-3] ignore a `dex`', async () => {
    expect((await batch([walletOf(1)], { dex: 'xyz' })).status).toBe(200);
    expect(rig.asked('spotClearinghouseState')).toEqual([{ type: 'spotClearinghouseState', user: walletOf(1) }]);
  });
});

it.each<[string, unknown, string]>([
  ['no wallet', [], 'users'],
  ['51 wallets', wallets(51), 'users'],
  ['51 times one wallet', Array.from({ length: 51 }, () => walletOf(1)), 'users'],
  ['one wallet without a list', walletOf(1), 'users'],
  ['no users', undefined, 'users'],
  ['a short wallet', [walletOf(1), walletOf(2), walletOf(3), '0x123'], 'users[3]'],
  ['a wallet without 0x', [walletOf(1).slice(2)], 'users[0]'],
  ['a number', [1], 'users[0]'],
])('[BATCH-2, INFO-19] invalid users are refused without a request or charge: %s', async (_, users, path) => {
  const metered = rig.meter.calls.length;
  const error = rig.errorOf(await rig.ask({ type: TYPE, users }));
  expect(error).toMatchObject({ error: 'invalid_request', path });
  expect(rig.exchange.asked).toEqual([]);
  expect(rig.meter.calls).toHaveLength(metered);
});

describe('a wallet that fails', () => {
  const [good, bad] = [walletOf(1), walletOf(2)];

  it.each<[string, FakeResponse, string]>([
    ['a connection cut', 'cut', 'upstream_error: the connection failed (UND_ERR_SOCKET)'],
    ['a truncated response', 'break', 'upstream_error: the connection failed (UND_ERR_SOCKET)'],
    ['HTTP 500', { status: 500, text: 'null' }, 'upstream returned HTTP 500'],
    ['HTTP 422', { status: 422, text: 'Failed' }, 'upstream returned HTTP 422'],
    ['HTTP 429', { status: 429, text: '', headers: { 'retry-after': '70' } }, 'upstream returned HTTP 429'],
    ['half a response', { status: 200, text: '{"balances":[' }, 'upstream_error: a response that is not JSON'],
    ['HTML', { status: 200, text: '<html>' }, 'upstream_error: a response that is not JSON'],
    ['another shape', { json: { balances: {} } }, 'upstream_error: a response of an unexpected shape'],
    ['null', { json: null }, 'upstream_error: a response of an unexpected shape'],
    ['200 with an error', { json: { error: 'User does not exist.' } }, 'upstream_error: User does not exist.'],
    ['an error next to balances', { json: { balances: [], error: 'late', user: 'x' } }, 'upstream_error: late'],
    [
      'an error that names hosts',
      { json: { error: 'node-1.eu.example.com:3001 (10.0.0.7, 2a02:4780::1) at 20:34:22\nrefused' } },
      'upstream_error: [host] ([host], [host]) at 20:34:22 refused',
    ],
  ])('[BATCH-8, BATCH-13, BATCH-16, BATCH-17, INFO-7] with %s fails only its slot', async (_, response, message) => {
    rig.respond(`spotClearinghouseState ${bad}`, response);
    const text = (await batch([good, bad, walletOf(3)])).text;
    const error = JSON.stringify({ error: 'upstream_error', user: bad, message });
    const state = (user: string) => `{"user":"${user}",${BALANCES.slice(1)}`;
    expect(text).toBe(`[${state(good)},${error},${state(walletOf(3))}]`);
    expect(rig.meter.last).toMatchObject({ outcome: 'charged' });
  });

  it('[BATCH-6, BATCH-7, BATCH-13] does not fail the batch even if all wallets fail: it is 200 and charged', async () => {
    rig.respond('spotClearinghouseState', { status: 503, text: '' });
    const response = await batch(['0xABCDEF0000000000000000000000000000000001', walletOf(2)]);
    expect(response.status).toBe(200);
    expect(response.json()).toEqual(
      ['0xabcdef0000000000000000000000000000000001', walletOf(2)].map((user) => ({
        error: 'upstream_error',
        user,
        message: 'upstream returned HTTP 503',
      })),
    );
    expect(rig.meter.last).toMatchObject({ outcome: 'charged', credits: 25 });
  });

  /** Sends the batch and advances the clock once the response for the good wallet has been read. */
  async function pass(ms: number, rig: InfoRig, users: readonly string[]) {
    rig.respond('spotClearinghouseState', { status: 200, text: EMPTY });
    rig.respond(`spotClearinghouseState ${bad}`, 'hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const response = rig.ask({ type: TYPE, users });
    await until(
      'one has its response',
      () => rig.asked('spotClearinghouseState').length === 2 && rig.exchange.open === 1,
    );
    // When this response arrives, everything sent before it has been read.
    await http(`${rig.service.url}/healthz`);
    vi.advanceTimersByTime(ms);
    return (await response).json();
  }

  it('[BATCH-8, BATCH-13, BATCH-15] fails only its own slot if it times out', async () => {
    expect(await pass(50_000, rig, [bad, good])).toEqual([
      { error: 'upstream_error', user: bad, message: 'upstream_error: timeout after 50000 ms' },
      { user: good, balances: [] },
    ]);
    expect(rig.meter.last).toMatchObject({ outcome: 'charged' });
  });

  it('[BATCH-14] reports the overall batch timeout, and slots that were done by then are kept', async () => {
    await using slow = await startInfoRig({ env: { WALLET_TIMEOUT_MS: '60000', BATCH_TIMEOUT_MS: '50000' } });
    expect(await pass(50_000, slow, [good, bad])).toEqual([
      { user: good, balances: [] },
      { error: 'upstream_error', user: bad, message: 'overall batch timeout exceeded' },
    ]);
    await until('the call is given up', () => slow.exchange.open === 0);
  });
});

describe('[BATCH-32] a wallet that waits for a connection', () => {
  const OVERALL = 'overall batch timeout exceeded';
  const LATE = 'upstream_error: timeout after 8000 ms';

  const messagesOf = (response: { json(): unknown }) =>
    (response.json() as readonly { readonly message?: string }[]).map(({ message }) => message ?? 'ok');

  it('has its whole time once it is sent', async () => {
    await using narrow = await startInfoRig({
      env: { WALLET_TIMEOUT_MS: '8000', BATCH_TIMEOUT_MS: '20000' },
      upstream: { connectionsMax: 8, waitingMax: 50 },
    });
    narrow.respond('spotClearinghouseState', 'hang');
    const sent = (count: number) =>
      until(`${count} are sent`, () => narrow.asked('spotClearinghouseState').length === count);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const response = narrow.ask({ type: TYPE, users: wallets(11) });
    // Of the four connections that are not reserved, one stays free for another account.
    await sent(3);
    vi.advanceTimersByTime(7_999);
    expect(narrow.asked('spotClearinghouseState')).toHaveLength(3);
    vi.advanceTimersByTime(1);
    await sent(6);
    narrow.respond('spotClearinghouseState', { status: 200, text: EMPTY });
    vi.advanceTimersByTime(8_000);
    await until('the last are served', () => narrow.asked('spotClearinghouseState').length === 11);
    expect(messagesOf(await response)).toEqual([...Array<string>(6).fill(LATE), ...Array<string>(5).fill('ok')]);
    expect(narrow.meter.last).toMatchObject({ outcome: 'charged' });
  });

  it('fails with the batch if it was sent too late or never', async () => {
    await using narrow = await startInfoRig({
      env: { WALLET_TIMEOUT_MS: '8000', BATCH_TIMEOUT_MS: '10000' },
      upstream: { connectionsMax: 8, waitingMax: 50 },
    });
    narrow.respond('spotClearinghouseState', 'hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const response = narrow.ask({ type: TYPE, users: wallets(11) });
    await until('three are sent', () => narrow.asked('spotClearinghouseState').length === 3);
    vi.advanceTimersByTime(8_000);
    await until('six are sent', () => narrow.asked('spotClearinghouseState').length === 6);
    vi.advanceTimersByTime(2_000);
    expect(messagesOf(await response)).toEqual([...Array<string>(3).fill(LATE), ...Array<string>(8).fill(OVERALL)]);
    expect(narrow.asked('spotClearinghouseState')).toHaveLength(6);
  });

  it('says that the batch ended if the request limit left no room for it in time', async () => {
    await using counted = await startInfoRig({ upstream: { weightPerMinute: 100, now: () => 0 } });
    counted.respond('spotClearinghouseState', { status: 200, text: EMPTY });
    const messages = messagesOf(await counted.ask({ type: TYPE, users: wallets(50) }));
    expect(new Set(messages)).toEqual(new Set(['ok', OVERALL]));
  });
});

describe('[BATCH-21] a batch of which no wallet could be requested', () => {
  const TOO_MANY: FakeResponse = { status: 429, text: '', headers: { 'retry-after': '70' } };

  it('because of the request limit is 503 with Retry-After, and not charged', async () => {
    await using poor = await startInfoRig({ upstream: { weightPerMinute: 82, now: () => 0 } });
    poor.respond('openOrders', { json: [] });
    poor.respond('spotClearinghouseState', { status: 200, text: EMPTY });
    // Half of the limit is reserved for the coin lists, and the rest is used up.
    for (let n = 0; n < 2; n += 1) await poor.ask({ type: 'openOrders', user: walletOf(n) });
    const response = await poor.ask({ type: TYPE, users: wallets(3) });
    expect(poor.errorOf(response)).toMatchObject({ error: 'upstream_busy' });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(50);
    expect(poor.asked('spotClearinghouseState')).toEqual([]);
    expect(poor.meter.last).toMatchObject({ operation: TYPE, outcome: 'released' });
  });

  it('because the exchange returns 429 is 503', async () => {
    rig.respond('spotClearinghouseState', TOO_MANY);
    const response = await batch(wallets(3));
    expect(rig.errorOf(response)).toMatchObject({ error: 'upstream_busy' });
    expect(response.headers['retry-after']).toBe('60');
    expect(rig.meter.last).toMatchObject({ outcome: 'released' });
  });

  it('is 503 with another instance of this service as upstream', async () => {
    rig.respond('spotClearinghouseState', TOO_MANY);
    await using front = await startInfoRig({
      upstream: { dialect: 'service', url: `${rig.service.url}/info`, apiKey: rig.key },
    });
    expect(front.errorOf(await front.ask({ type: TYPE, users: wallets(3) })).error).toBe('upstream_busy');
    expect(front.meter.last).toMatchObject({ outcome: 'released' });
  });

  it('[BATCH-6, BILL-7] is 200 and charged if only some of them were refused because the queue was full', async () => {
    await using full = await startInfoRig({ upstream: { connectionsMax: 8, waitingMax: 2 } });
    full.respond('spotClearinghouseState', { status: 200, text: EMPTY });
    const users = wallets(20);
    const response = await full.ask({ type: TYPE, users });
    expect(response.status).toBe(200);
    const slots = response.json() as readonly { readonly balances?: object; readonly message?: string }[];
    const asked = full.asked('spotClearinghouseState').length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(users.length);
    expect(slots.filter(({ balances }) => balances !== undefined)).toHaveLength(asked);
    expect(slots.flatMap(({ message }) => message ?? [])).toEqual(
      Array.from({ length: users.length - asked }, () => `upstream_error: ${BUSY_TEXTS.queue}`),
    );
    expect(full.meter.last).toMatchObject({ operation: TYPE, outcome: 'charged', credits: 25 });
  });

  it('is 200 and charged if at least one was requested, even if that failed', async () => {
    rig.respond('spotClearinghouseState', TOO_MANY);
    rig.respond(`spotClearinghouseState ${walletOf(1)}`, { status: 500, text: '' });
    expect((await slotsOf(wallets(3))).map((slot) => 'message' in slot && slot.message)).toEqual([
      'upstream returned HTTP 429',
      'upstream returned HTTP 500',
      'upstream returned HTTP 429',
    ]);
    expect(rig.meter.last).toMatchObject({ outcome: 'charged' });
  });
});

describe('batchClearinghouseState', () => {
  const ACCOUNT = JSON.stringify({
    marginSummary: { accountValue: '1.0', totalNtlPos: '0.0', totalRawUsd: '1.0', totalMarginUsed: '0.0' },
    crossMarginSummary: { accountValue: '1.0', totalNtlPos: '0.0', totalRawUsd: '1.0', totalMarginUsed: '0.0' },
    withdrawable: '1.0',
    assetPositions: [],
    time: 1_778_002_752_000,
  });

  it('[INFO-26] has the envelope and price of the spot batch, and sends its `dex` upstream', async () => {
    rig.respond('clearinghouseState', { status: 200, text: ACCOUNT });
    rig.respond(`clearinghouseState ${walletOf(2)}`, { status: 500, text: '' });
    const response = await rig.ask({ type: 'batchClearinghouseState', users: [walletOf(1), walletOf(2)], dex: 'xyz' });
    expect(response.text).toBe(
      `[{"user":"${walletOf(1)}",${ACCOUNT.slice(1)},{"error":"upstream_error","user":"${walletOf(2)}","message":"upstream returned HTTP 500"}]`,
    );
    expect(batchClearinghouseState.safeParse(response.json()).success).toBe(true);
    expect(rig.asked('clearinghouseState')).toContainEqual({
      type: 'clearinghouseState',
      user: walletOf(1),
      dex: 'xyz',
    });
    expect(rig.meter.last).toEqual({ operation: 'batchClearinghouseState', credits: 25, outcome: 'charged' });
  });

  it('[INFO-22] treats an empty `dex` as absent', async () => {
    rig.respond('clearinghouseState', { status: 200, text: ACCOUNT });
    await rig.ask({ type: 'batchClearinghouseState', users: [walletOf(1)], dex: null });
    expect(rig.asked('clearinghouseState')).toEqual([{ type: 'clearinghouseState', user: walletOf(1) }]);
  });
});

describe('another instance of this service as upstream', () => {
  let front: InfoRig;
  /** Its upstream is a fake that responds as a test says. */
  let behind: InfoRig;

  beforeAll(async () => {
    front = await startInfoRig({
      upstream: { dialect: 'service', url: `${rig.service.url}/info`, apiKey: rig.key },
    });
    behind = await startInfoRig({ upstream: { dialect: 'service', apiKey: 'x' } });
  });

  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await behind[Symbol.asyncDispose]();
  });

  it('gets the whole batch in one call, and its slots are passed through', async () => {
    rig.respond(`spotClearinghouseState ${walletOf(2)}`, { status: 500, text: '' });
    const before = rig.meter.calls.length;
    const users = [walletOf(1), walletOf(2)];
    const [ours, theirs] = [await front.ask({ type: TYPE, users }), await batch(users)];
    expect(ours.text).toBe(theirs.text);
    expect(rig.meter.calls.slice(before).map(({ operation }) => operation)).toEqual([TYPE, TYPE]);
  });

  it('that is unreachable fails every slot, not the batch', async () => {
    behind.respond(TYPE, { status: 502, text: '' });
    expect((await behind.ask({ type: TYPE, users: [walletOf(1)] })).json()).toEqual([
      { error: 'upstream_error', user: walletOf(1), message: 'upstream returned HTTP 502' },
    ]);
  });

  it('that refuses the batch fails the call, which is not charged', async () => {
    behind.respond(TYPE, { status: 402, text: '{}' });
    expect(behind.errorOf(await behind.ask({ type: TYPE, users: [walletOf(1)] })).error).toBe('upstream_error');
    expect(behind.meter.last).toMatchObject({ outcome: 'released' });
  });

  it.each<[string, unknown]>([
    ['other wallets', [{ user: walletOf(9), balances: [] }]],
    ['more slots than wallets', [1, 9].map((n) => ({ user: walletOf(n), balances: [] }))],
    ['fewer', []],
    ['a slot with both a state and an error', [{ user: walletOf(1), balances: [], error: 'no' }]],
    ['no slots', { error: 'no' }],
  ])('[BATCH-8] that responds with %s fails every slot', async (_, json) => {
    behind.respond(TYPE, { json });
    expect((await behind.ask({ type: TYPE, users: [walletOf(1)] })).json()).toEqual([
      {
        error: 'upstream_error',
        user: walletOf(1),
        message: expect.stringMatching(
          /^upstream_error: a response (?:of an unexpected shape|that is not a JSON array)$/,
        ),
      },
    ]);
  });
});
