import { add, compare, parseBigUnits, subtract, sum } from '@l4desk/decimal';
import {
  type Address,
  type DecimalString,
  historicalOrders,
  isDecimalString,
  ORDER_STATUSES,
  type OrderStatus,
  PASSED_KINDS,
} from '@l4desk/protocol';
import {
  clearinghouseState,
  metaAndAssetCtxs,
  spotClearinghouseState,
  spotMeta,
  upstreamOpenOrders,
  userFunding,
} from '@l4desk/protocol/upstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { infoJson } from '../test-support/info-client.ts';
import { L4Client } from '../test-support/l4-client.ts';

const START = 1_795_219_200_000 - 2_000;
const COINS = ['BTC', 'kPEPE', 'xyz:GOLD'];

let venue: Venue;
/** Responses at the present height: several tests query every wallet. */
const responses = new Map<string, Promise<unknown>>();
let statuses: readonly OrderStatus[];
let addresses: readonly Address[];

/** A market that has traded for a while, across an hour with funding, and a client that received everything. */
beforeAll(async () => {
  venue = await startVenue({ coins: COINS, size: 0.01, rate: 4, statusRate: 0.05, pace: 0, startTime: START });
  await using client = await L4Client.open(venue.l4Url);
  for (const coin of COINS) await client.subscribe(coin);
  await venue.step(200);
  await client.settled();
  statuses = client.updates().flatMap((updates) => updates.order_statuses);
  addresses = venue.wallets().map(({ address }) => address);
});

afterAll(async () => venue[Symbol.asyncDispose]());

function ask(query: object): Promise<unknown> {
  const key = JSON.stringify(query);
  const response = responses.get(key) ?? infoJson(venue, query);
  responses.set(key, response);
  return response;
}

function decimal(value: unknown): DecimalString {
  if (!isDecimalString(value)) throw new Error(`${String(value)} is not a decimal`);
  return value;
}

async function openOrdersOf(user: Address, dex = '') {
  return upstreamOpenOrders.parse(await ask({ type: 'openOrders', user, dex }));
}

const ofAll = async <T>(read: (user: Address) => Promise<T>) => Promise.all(addresses.map(read));

it('open orders of all wallets together equal the book, each with its owner', async () => {
  const rows = new Map<string, string[]>();
  await ofAll(async (user) => {
    for (const order of [...(await openOrdersOf(user)), ...(await openOrdersOf(user, 'xyz'))]) {
      const row = [order.oid, user, order.side, order.limitPx, order.sz, order.timestamp, order.cloid ?? null];
      rows.set(order.coin, [...(rows.get(order.coin) ?? []), JSON.stringify(row)]);
    }
  });
  for (const coin of COINS) {
    const book = (venue.book(coin)?.levels ?? []).flat();
    const expected = book.map((order) =>
      JSON.stringify([order.oid, order.user, order.side, order.limitPx, order.sz, order.timestamp, order.cloid]),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(rows.get(coin)?.toSorted()).toEqual(expected.toSorted());
  }
});

describe('history', () => {
  it('contains what the feed sent about every order, and every resting order', async () => {
    const told = new Map<string, string>();
    for (const { time, user, status, order } of statuses) {
      const at = Date.parse(`${time.slice(0, 23)}Z`);
      told.set([user, order.oid, status, at].join(), JSON.stringify([order.sz, order.limitPx, order.orderType]));
    }
    expect(told.size).toBeGreaterThan(3_000);
    let found = 0;
    const wrong: unknown[] = [];
    await ofAll(async (user) => {
      const entries = historicalOrders.parse(await ask({ type: 'historicalOrders', user }));
      const times = entries.map(({ statusTimestamp }) => statusTimestamp ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      for (const { order, status, statusTimestamp } of entries) {
        const heard = told.get([user, order.oid, status, statusTimestamp].join());
        if (heard === undefined) continue;
        if (heard !== JSON.stringify([order.sz, order.limitPx, order.orderType])) wrong.push([heard, order]);
        found += 1;
      }
      const known = new Set(entries.map(({ order }) => order.oid));
      const open = [...(await openOrdersOf(user)), ...(await openOrdersOf(user, 'xyz'))];
      if (entries.length < 2_000) wrong.push(...open.filter(({ oid }) => !known.has(oid)));
    });
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(1_500);
  });

  it('of the archive exceeds one response and has every known status, legs, and orders with several statuses', async () => {
    const archive = venue.wallets().find(({ role }) => role === 'archive');
    expect(archive?.history).toBeGreaterThan(2_000);
    const entries = historicalOrders.parse(await ask({ type: 'historicalOrders', user: archive?.address }));
    expect(entries.length).toBe(2_000);
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES));
    const oids = entries.map(({ order }) => order.oid);
    expect(new Set(oids).size).toBeLessThan(oids.length);
    expect(entries.some(({ order }) => order.children?.length === 2)).toBe(true);
    const coins = new Set(entries.map(({ order }) => order.coin));
    for (const coin of [...COINS, '@107', 'PURR/USDC']) expect(coins).toContain(coin);
  });
});

describe('fills', () => {
  const fillsOf = async (user: Address) =>
    PASSED_KINDS.userFills.response.parse(await ask({ type: 'userFills', user }));

  it('of a filled order sum up to its size, and the two sides of a trade to the same one', async () => {
    const trades = new Map<number, string[]>();
    let filled = 0;
    for (const user of addresses) {
      const fills = await fillsOf(user);
      for (const { tid, px, sz, side } of fills) trades.set(tid, [...(trades.get(tid) ?? []), [px, sz, side].join()]);
      const entries = historicalOrders.parse(await ask({ type: 'historicalOrders', user }));
      for (const { order, status } of entries) {
        const own = fills.filter(({ oid }) => oid === order.oid);
        // The last ones are kept, and what a reduce-only order loses with its position is not executed.
        const areKept = (order.timestamp ?? 0) > (fills.at(-1)?.time ?? Infinity);
        if (status !== 'filled' || !areKept || order.reduceOnly === true) continue;
        filled += 1;
        expect(compare(sum(own.map(({ sz }) => sz)), decimal(order.origSz))).toBe(0);
        expect(own.every(({ side, coin }) => side === order.side && coin === order.coin)).toBe(true);
      }
    }
    expect(filled).toBeGreaterThan(20);
    const both = [...trades.values()].filter(({ length }) => length === 2);
    expect(both.length).toBeGreaterThan(20);
    for (const [one = '', other = ''] of both) {
      expect(one.slice(0, -1)).toBe(other.slice(0, -1));
      expect(new Set([one.at(-1), other.at(-1)])).toEqual(new Set(['A', 'B']));
    }
  });

  it('of a time are between its ends, oldest first, or reversed', async () => {
    const all = await Promise.all(addresses.map(async (user) => ({ user, fills: await fillsOf(user) })));
    const { user, fills } = all.toSorted((a, b) => b.fills.length - a.fills.length)[0] ?? { fills: [] };
    expect(fills.length).toBeGreaterThan(10);
    const [startTime = 0, endTime = 0] = [fills.at(-3)?.time, fills[2]?.time];
    const expected = fills.filter(({ time }) => time >= startTime && time <= endTime);
    const asked = { type: 'userFillsByTime', user, startTime, endTime };
    expect(await ask({ ...asked, reversed: true })).toEqual(expected);
    expect(await ask(asked)).toEqual(expected.toReversed());
  });

  it('have the position before each, its direction, result and fee', async () => {
    let closed = 0;
    for (const user of addresses) {
      for (const fill of await fillsOf(user)) {
        const { side, px, sz, startPosition, dir, closedPnl, fee, crossed, feeToken, coin } = fill;
        const start = decimal(startPosition);
        const end = side === 'B' ? add(start, sz) : subtract(start, sz);
        const isSpot = coin.startsWith('@') || coin.includes('/');
        const [from, to] = [Number(start), Number(end)];
        const nameOf = (position: number) => (position > 0 ? 'Long' : 'Short');
        const change = Math.abs(to) > Math.abs(from) ? `Open ${nameOf(to)}` : `Close ${nameOf(from)}`;
        const expected = from * to < 0 ? `${nameOf(from)} > ${nameOf(to)}` : change;
        expect(dir).toBe(isSpot ? (side === 'B' ? 'Buy' : 'Sell') : expected);
        expect(feeToken === 'USDC').toBe(!isSpot || side === 'A');
        const paid = isSpot && side === 'B' ? sz : times(px, sz);
        expect(compare(decimal(fee), times(paid, (crossed ? '0.00045' : '0.00015') as DecimalString))).toBe(0);
        const hasResult = compare(decimal(closedPnl), '0') !== 0;
        expect(hasResult && (isSpot || String(dir).startsWith('Open'))).toBe(false);
        if (hasResult) closed += 1;
      }
    }
    expect(closed).toBeGreaterThan(5);
  });
});

it('the predicted funding of each perp is that of its market, at the next full hour', async () => {
  const predicted = PASSED_KINDS.predictedFundings.response.parse(await ask({ type: 'predictedFundings' }));
  const [{ universe }, contexts] = metaAndAssetCtxs.parse(await ask({ type: 'metaAndAssetCtxs' }));
  expect(predicted.map(([coin]) => coin)).toEqual(COINS.filter((coin) => !coin.includes(':')));
  for (const [coin, venues] of predicted) {
    const own = venues.find(([name]) => name === 'HlPerp')?.[1];
    const market = contexts[universe.findIndex(({ name }) => name === coin)];
    expect(own).toMatchObject({ fundingRate: market?.funding, fundingIntervalHours: 1 });
    expect(Number(own?.['nextFundingTime']) % 3_600_000).toBe(0);
    expect(Number(own?.['nextFundingTime']) - START).toBeLessThanOrEqual(3_600_000 + 2_000);
  }
});

describe('spot', () => {
  it("holds what a wallet's orders tie up, and never more than the wallet has", async () => {
    const { universe, tokens } = spotMeta.parse(await ask({ type: 'spotMeta' }));
    const nameOf = (index: number | undefined) => tokens.find((token) => token.index === index)?.name ?? '';
    let held = 0;
    for (const { address } of venue.wallets().filter(({ role }) => role === 'spot')) {
      const holds = new Map<string, DecimalString>();
      for (const { coin, side, limitPx, sz } of await openOrdersOf(address)) {
        const pair = universe.find(({ name }) => name === coin);
        if (pair === undefined) continue;
        const token = nameOf(pair.tokens[side === 'B' ? 1 : 0]);
        holds.set(token, add(holds.get(token) ?? '0.0', side === 'B' ? times(limitPx, sz) : sz));
      }
      const state = spotClearinghouseState.parse(await ask({ type: 'spotClearinghouseState', user: address }));
      for (const { coin, ...balance } of state.balances) {
        const [total, hold] = [decimal(balance.total), decimal(balance.hold)];
        expect(compare(hold, holds.get(String(coin)) ?? '0.0')).toBe(0);
        expect(compare(total, hold)).toBeGreaterThanOrEqual(0);
        if (hold !== '0.0') held += 1;
      }
      for (const [index, free] of state.tokenToAvailableAfterMaintenance ?? []) {
        const balance = state.balances.find(({ token }) => token === index);
        expect(free).toBe(subtract(decimal(balance?.total ?? '0.0'), decimal(balance?.hold ?? '0.0')));
      }
    }
    expect(held).toBeGreaterThan(20);
  });

  it('moves balances between wallets in trades without loss', async () => {
    const totals = async () => {
      const all = new Map<string, DecimalString>();
      await ofAll(async (user) => {
        const { balances } = spotClearinghouseState.parse(await ask({ type: 'spotClearinghouseState', user }));
        for (const { coin, total } of balances)
          all.set(String(coin), add(all.get(String(coin)) ?? '0.0', decimal(total)));
      });
      return all;
    };
    const own = async () => ask({ type: 'spotClearinghouseState', user: spotWallet() });
    const [before, mine] = [await totals(), await own()];
    await venue.step(400);
    responses.clear();
    expect(await totals()).toEqual(before);
    expect(await own()).not.toEqual(mine);
  });

  it('prices have at most 8 − szDecimals decimals and 5 significant figures', async () => {
    const { universe, tokens } = spotMeta.parse(await ask({ type: 'spotMeta' }));
    const decimalsOf = (coin: string) => {
      const base = universe.find(({ name }) => name === coin)?.tokens[0];
      return tokens.find(({ index }) => index === base)?.szDecimals;
    };
    const seen = { good: 0, bad: [] as string[] };
    await ofAll(async (user) => {
      for (const { coin, limitPx, sz } of await openOrdersOf(user)) {
        const szDecimals = decimalsOf(coin);
        if (szDecimals === undefined) continue;
        const [whole = '', fraction = ''] = limitPx.replace(/\.0$/, '').split('.');
        const figures = fraction === '' ? 0 : `${whole}${fraction}`.replace(/^0+/, '').length;
        const sizeDecimals = sz.replace(/\.0$/, '').split('.')[1]?.length ?? 0;
        if (fraction.length <= 8 - szDecimals && figures <= 5 && sizeDecimals <= szDecimals) seen.good += 1;
        else seen.bad.push(`${coin} ${limitPx} ${sz}`);
      }
    });
    expect(seen.bad).toEqual([]);
    expect(seen.good).toBeGreaterThan(300);
  });
});

function spotWallet(): Address | undefined {
  return venue.wallets().find(({ role, spotOrders }) => role === 'spot' && spotOrders > 0)?.address;
}

function times(a: DecimalString, b: DecimalString): DecimalString {
  const units = (parseBigUnits(a, 8) ?? 0n) * (parseBigUnits(b, 8) ?? 0n);
  return `${units / 10n ** 16n}.${String(units % 10n ** 16n).padStart(16, '0')}` as DecimalString;
}

describe('perp accounts', () => {
  it("have positions that sum to zero per coin; an account's value is its cash plus its positions", async () => {
    const sizes = new Map<string, DecimalString[]>();
    for (const dex of ['', 'xyz']) {
      await ofAll(async (user) => {
        const state = clearinghouseState.parse(await ask({ type: 'clearinghouseState', user, dex }));
        const { marginSummary } = state;
        const [accountValue, totalRawUsd] = [decimal(marginSummary.accountValue), decimal(marginSummary.totalRawUsd)];
        const positions = state.assetPositions.map(({ position: { coin, szi, positionValue } }) => ({
          coin,
          szi: decimal(szi),
          positionValue,
        }));
        for (const { coin, szi } of positions) sizes.set(coin, [...(sizes.get(coin) ?? []), szi]);
        const values = positions.map(({ szi, positionValue }) => signed(szi, positionValue as DecimalString));
        expect(compare(accountValue, sum([totalRawUsd, ...values]))).toBe(0);
        expect(
          compare(
            decimal(marginSummary.totalNtlPos),
            sum(positions.map(({ positionValue }) => positionValue as DecimalString)),
          ),
        ).toBe(0);
        expect(compare(accountValue, '0.0')).toBeGreaterThanOrEqual(0);
      });
    }
    for (const coin of COINS) {
      expect(sizes.get(coin)?.length).toBeGreaterThan(3);
      expect(compare(sum(sizes.get(coin) ?? []), '0.0')).toBe(0);
    }
  });

  it('pay each hour what other accounts receive, to a millionth each', async () => {
    const payments: { readonly time: number; readonly coin: string; readonly usdc: DecimalString }[] = [];
    await ofAll(async (user) => {
      const entries = userFunding.parse(await ask({ type: 'userFunding', user, startTime: START }));
      for (const { time, delta } of entries) {
        payments.push({ time, coin: delta.coin, usdc: delta.usdc });
        expect(delta.usdc === '0.0' || signOf(delta.usdc) === -signOf(delta.szi) * signOf(delta.fundingRate)).toBe(
          true,
        );
      }
    });
    expect(new Set(payments.map(({ time }) => time)).size).toBe(1);
    for (const coin of COINS) {
      const paid = payments.filter((payment) => payment.coin === coin).map(({ usdc }) => usdc);
      expect(paid.length).toBeGreaterThan(3);
      const rest = parseBigUnits(sum(paid), 6) ?? 0n;
      expect(Number(rest < 0n ? -rest : rest)).toBeLessThanOrEqual(paid.length);
    }
  });
});

function signOf(text: DecimalString): number {
  return compare(text, '0.0');
}

function signed(sign: DecimalString, value: DecimalString): DecimalString {
  return signOf(sign) < 0 ? subtract('0.0', value) : value;
}

it('wallets number at least 300 with something to show in a small market', async () => {
  await using small = await startVenue({ size: 0.001, pace: 0, startTime: START });
  await small.step(150);
  const all = small.wallets();
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter(({ role }) => role === 'empty').length).toBeGreaterThan(10);
  const shown = await Promise.all(
    all.map(async ({ address: user, openOrders, history }) => {
      const { balances } = spotClearinghouseState.parse(
        await infoJson(small, { type: 'spotClearinghouseState', user }),
      );
      return openOrders + history + balances.length > 0;
    }),
  );
  expect(shown.filter(Boolean).length).toBeGreaterThan(300);
  for (const what of ['spotOrders', 'withChildren', 'triggers'] as const) {
    expect(all.filter((wallet) => wallet[what] > 0).length).toBeGreaterThan(3);
  }
  expect(all.some(({ dexOrders }) => (dexOrders.xyz ?? 0) > 0)).toBe(true);
});
