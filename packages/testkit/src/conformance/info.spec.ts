import { beforeAll, describe, expect, it } from 'vitest';
import { amount } from '../spec-client/spec-book.ts';
import { askInfo, type ConformanceTarget } from './target.ts';
import { ADDRESS, array, BOOLEAN, DECIMAL, INT, nullable, object, oneOf, pair, STRING } from './test-support/shape.ts';

let target: ConformanceTarget;

const NOBODY = `0x${'0'.repeat(39)}9`;

/** Tables 2.1 to 2.5 of the specification. Objects may have further fields. */
const BALANCE = object({ coin: STRING, token: INT, total: DECIMAL, hold: DECIMAL, entryNtl: DECIMAL });
const SPOT_SLOT = object(
  { user: ADDRESS, balances: array(BALANCE) },
  { tokenToAvailableAfterMaintenance: array(pair(INT, DECIMAL)) },
);
const OPEN_ORDER = object({
  coin: STRING,
  side: oneOf('B', 'A'),
  limitPx: DECIMAL,
  sz: DECIMAL,
  oid: INT,
  timestamp: INT,
  origSz: DECIMAL,
  cloid: nullable(STRING),
});
const HISTORICAL_ORDER = object({
  coin: STRING,
  side: oneOf('B', 'A'),
  limitPx: DECIMAL,
  sz: DECIMAL,
  origSz: DECIMAL,
  oid: INT,
  cloid: nullable(STRING),
  timestamp: INT,
  orderType: STRING,
  tif: nullable(STRING),
  reduceOnly: BOOLEAN,
  isTrigger: BOOLEAN,
  triggerCondition: STRING,
  triggerPx: DECIMAL,
  isPositionTpsl: BOOLEAN,
  children: array(),
});
const ENTRY = object({ order: HISTORICAL_ORDER, status: STRING, statusTimestamp: INT });
const FUNDING = object({ coin: STRING, fundingRate: DECIMAL, premium: DECIMAL, time: INT });

async function ask(body: object): Promise<unknown> {
  const { status, json, text } = await askInfo(target, body);
  if (status !== 200) throw new Error(`${JSON.stringify(body)}: ${status} ${text}`);
  return json;
}

async function list<T>(body: object): Promise<readonly T[]> {
  const response = await ask(body);
  if (!Array.isArray(response)) throw new Error(`${JSON.stringify(body)} did not return an array`);
  return response as readonly T[];
}

interface Slot {
  readonly user: string;
  readonly error?: string;
}

interface Entry {
  readonly order: { readonly oid: number };
  readonly status: string;
  readonly statusTimestamp: number;
}

interface Funding {
  readonly time: number;
}

/** Declares the tests. Call it inside a describe block; `opened` returns the target once it is open. */
export function infoSuite(opened: () => ConformanceTarget): void {
  beforeAll(() => {
    target = opened();
  });

  describe('batchSpotClearinghouseState', () => {
    const type = 'batchSpotClearinghouseState';

    it('[BATCH-1, BATCH-4, BATCH-8, BATCH-9, BATCH-10, BATCH-11, BATCH-12] returns a slot for each wallet, in order, with the wallet as first key', async () => {
      const users = [target.wallets.trader, NOBODY, target.wallets.archive];
      const slots = await list<Slot>({ type, users });
      expect(slots.map(({ user }) => user)).toEqual(users);
      expect(slots.flatMap((slot) => SPOT_SLOT(slot))).toEqual([]);
      for (const slot of slots) expect([Object.keys(slot)[0], 'error' in slot]).toEqual(['user', false]);
      expect(slots[1]).toMatchObject({ balances: [] });
    });

    it('[BATCH-5, INFO-20] collapses wallets that differ only in letter case, at the place of the first', async () => {
      const { trader } = target.wallets;
      const upper = `0x${trader.slice(2).toUpperCase()}`;
      const slots = await list<Slot>({ type, users: [upper, NOBODY, trader, NOBODY] });
      expect(slots.map(({ user }) => user)).toEqual([trader, NOBODY]);
    });

    it('[BATCH-3] accepts and ignores a dex', async () => {
      const users = [target.wallets.trader];
      expect(await list<Slot>({ type, users, dex: 'xyz' })).toHaveLength(1);
      expect(await list<Slot>({ type, users, dex: '' })).toHaveLength(1);
    });

    it('[BATCH-2] accepts 1 to 50 wallets, counted before duplicates are removed', async () => {
      const many = (count: number) => Array.from({ length: count }, () => NOBODY);
      expect(await list<Slot>({ type, users: many(50) })).toHaveLength(1);
      for (const users of [[], many(51)]) {
        const { status, json } = await askInfo(target, { type, users });
        expect({ status, json }).toMatchObject({ status: 400, json: { error: 'invalid_request', path: 'users' } });
      }
    });
  });

  describe('openOrders', () => {
    it('[OPEN-1, OPEN-3, OPEN-4, INFO-24, DEC-1, DEC-4] lists resting orders with every field, and accepts an empty dex', async () => {
      const { trader: user } = target.wallets;
      const orders = await list({ type: 'openOrders', user });
      expect(orders.length).toBeGreaterThan(0);
      expect(orders.flatMap((order) => OPEN_ORDER(order))).toEqual([]);
      expect((await list({ type: 'openOrders', user, dex: '' })).length).toBeGreaterThan(0);
      expect((await list({ type: 'openOrders', user: `0x${user.slice(2).toUpperCase()}` })).length).toBeGreaterThan(0);
    });

    it('[OPEN-2] is empty for a wallet without orders', async () => {
      expect(await ask({ type: 'openOrders', user: NOBODY })).toEqual([]);
    });
  });

  describe('historicalOrders', () => {
    const type = 'historicalOrders';

    it('[HIST-1, HIST-6, HIST-7, OPEN-4, HIST-9] lists orders with their status, with every field', async () => {
      const entries = await list<Entry>({ type, user: target.wallets.archive });
      expect(entries.length).toBeGreaterThan(0);
      expect(entries.flatMap((entry) => ENTRY(entry))).toEqual([]);
    });

    it('[HIST-5] covers every coin, and both resting and finalized orders', async () => {
      const { trader: user } = target.wallets;
      const resting = await list<{ readonly oid: number; readonly coin: string }>({ type: 'openOrders', user });
      const entries = await list<Entry>({ type, user });
      const known = new Set(entries.map(({ order }) => order.oid));
      // A longer history omits the oldest orders.
      const isWhole = entries.length < 2_000;
      expect(isWhole ? resting.filter(({ oid }) => !known.has(oid)) : []).toEqual([]);
      expect(new Set(entries.map(({ status }) => status)).size).toBeGreaterThan(1);
    });

    it('[HIST-2] returns at most 2000, whatever the limit', async () => {
      const { archive: user } = target.wallets;
      expect(await list({ type, user })).toHaveLength(2_000);
      expect(await list({ type, user, limit: 5_000 })).toHaveLength(2_000);
    });

    it('[HIST-4] returns the newest ones first if limited', async () => {
      const { archive: user } = target.wallets;
      const newest = (await list<Entry>({ type, user })).map(({ statusTimestamp }) => statusTimestamp);
      const limited = await list<Entry>({ type, user, limit: 3 });
      expect(limited.map(({ statusTimestamp }) => statusTimestamp)).toEqual(
        newest.toSorted((a, b) => b - a).slice(0, 3),
      );
    });

    it.each([0, -1, 1.5, '5', true])('[HIST-3] rejects a limit of %j', async (limit) => {
      const { status, json } = await askInfo(target, { type, user: NOBODY, limit });
      expect({ status, json }).toMatchObject({ status: 400, json: { error: 'invalid_request', path: 'limit' } });
    });
  });

  it('[NTL-1, NTL-2, NTL-3] maxMarketOrderNtls lists buckets from the highest leverage down', async () => {
    const buckets = await list<[number, string]>({ type: 'maxMarketOrderNtls' });
    expect(buckets.length).toBeGreaterThan(0);
    expect(buckets.flatMap((bucket) => pair(INT, DECIMAL)(bucket))).toEqual([]);
    const leverages = buckets.map(([leverage]) => leverage);
    expect(leverages).toEqual(leverages.toSorted((a, b) => b - a));
  });

  describe('fundingHistory', () => {
    const type = 'fundingHistory';

    it('[FUND-1, FUND-3, FUND-5, FUND-6, FUND-8, INFO-22] lists entries of the coin, oldest first, at most 500', async () => {
      const [coin] = target.coins;
      const entries = await list<Funding>({ type, coin, startTime: 0, endTime: null });
      expect(entries.flatMap((entry) => FUNDING(entry))).toEqual([]);
      expect(entries).toHaveLength(500);
      const times = entries.map(({ time }) => time);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(entries.every((entry) => (entry as unknown as { coin: string }).coin === coin)).toBe(true);
    });

    it('[FUND-6] omits the newest if there are more than 500, even in a window with an end', async () => {
      const [coin] = target.coins;
      const [first] = await list<Funding>({ type, coin, startTime: 0 });
      const startTime = first?.time ?? 0;
      const endTime = startTime + 900 * 3_600_000;
      const page = await list<Funding>({ type, coin, startTime, endTime });
      expect(page).toHaveLength(500);
      expect(page[0]).toEqual(first);
      const rest = await list<Funding>({ type, coin, startTime: (page.at(-1)?.time ?? 0) + 1, endTime });
      expect(rest.length).toBeGreaterThan(300);
      expect(rest.length).toBeLessThanOrEqual(401);
    });

    it('[FUND-2, FUND-7] has inclusive bounds, and returns every entry to a client that pages by advancing startTime', async () => {
      const [coin] = target.coins;
      const [first, second, third] = await list<Funding>({ type, coin, startTime: 0 });
      const [from = 0, to = 0] = [first?.time, third?.time];
      const between = await list<Funding>({ type, coin, startTime: from, endTime: to });
      expect(between).toEqual([first, second, third]);
      expect(await list<Funding>({ type, coin, startTime: from + 1, endTime: to })).toEqual([second, third]);
    });

    it('[FUND-4, FUND-10] rejects a window that ends before it starts, and an unknown coin', async () => {
      const [coin] = target.coins;
      const backwards = await askInfo(target, { type, coin, startTime: 2, endTime: 1 });
      expect(backwards).toMatchObject({ status: 400, json: { error: 'invalid_request', path: 'endTime' } });
      const unknown = await askInfo(target, { type, coin: 'NOPE', startTime: 0 });
      expect(unknown).toMatchObject({ status: 400, json: { error: 'unknown_coin', path: 'coin' } });
    });
  });

  it('[INFO-25, INFO-26, BILL-2] serves the kinds beyond the six', async () => {
    const { trader: user } = target.wallets;
    const [coin] = target.coins;
    const kinds: readonly object[] = [
      ...['meta', 'spotMeta', 'metaAndAssetCtxs', 'spotMetaAndAssetCtxs', 'allMids', 'perpDexs'].map((type) => ({
        type,
      })),
      { type: 'l2Book', coin },
      ...['frontendOpenOrders', 'spotClearinghouseState', 'clearinghouseState'].map((type) => ({ type, user })),
      { type: 'orderStatus', user, oid: 1 },
      { type: 'userFunding', user, startTime: Date.now() - 86_400_000 },
      { type: 'batchClearinghouseState', users: [user] },
    ];
    for (const body of kinds) expect(await ask(body)).toBeInstanceOf(Object);
  });

  describe('refusals', () => {
    const user = (value: unknown) => ({ type: 'openOrders', user: value });

    it.each<[string, unknown, string, string | undefined]>([
      ['no JSON', '{"type":', 'invalid_json', undefined],
      ['an array', [], 'invalid_request', undefined],
      ['a null', 'null', 'invalid_request', undefined],
      ['no type', {}, 'invalid_request', 'type'],
      ['a type that is a list', { type: ['openOrders'] }, 'invalid_request', 'type'],
      ['no user', { type: 'openOrders' }, 'invalid_request', 'user'],
      ['a short address', user('0x12'), 'invalid_request', 'user'],
      ['an address without 0x', user('a'.repeat(42)), 'invalid_request', 'user'],
      ['a user that is a number', user(7), 'invalid_request', 'user'],
      ['a dex that is a number', { ...user(NOBODY), dex: 7 }, 'invalid_request', 'dex'],
      [
        'a bad wallet of a batch',
        { type: 'batchSpotClearinghouseState', users: [NOBODY, NOBODY, NOBODY, 'x'] },
        'invalid_request',
        'users[3]',
      ],
      ['no startTime', { type: 'fundingHistory', coin: 'BTC' }, 'invalid_request', 'startTime'],
      [
        'a time with a fraction',
        { type: 'fundingHistory', coin: 'BTC', startTime: 1.5 },
        'invalid_request',
        'startTime',
      ],
    ])(
      '[INFO-4, INFO-6, INFO-10, INFO-11, INFO-17, INFO-19] rejects %s with 400 and the path of the invalid field',
      async (_, body, error, path) => {
        const { status, json, headers } = await askInfo(target, body);
        const { message, ...fields } = json as { message: string; path?: string };
        expect({ status, ...fields }).toMatchObject({ status: 400, error, code: 400, msg: message });
        expect(fields.path).toBe(path);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
      },
    );

    it.each(['nope', 'openorders', '__proto__', ''])(
      '[INFO-15] rejects the type %j as unsupported, and echoes it',
      async (type) => {
        const { status, json } = await askInfo(target, { type });
        expect({ status, json }).toMatchObject({ status: 400, json: { error: 'unsupported_type', type } });
      },
    );

    it('[INFO-21] ignores extra fields', async () => {
      expect(await ask({ type: 'openOrders', user: NOBODY, colour: 'blue', users: 7 })).toEqual([]);
    });
  });

  it('[DEC-1, DEC-3] returns a price as the text that the exchange wrote', async () => {
    const orders = await list<{ readonly limitPx: string }>({ type: 'openOrders', user: target.wallets.trader });
    expect(orders.every(({ limitPx }) => amount(limitPx) > 0n)).toBe(true);
  });
}
