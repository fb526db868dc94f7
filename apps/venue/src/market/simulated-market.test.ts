import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { listingsOf } from './simulated-market.ts';
import { SimulatedSource } from './simulated-source.ts';

const START = 1_778_002_752_957;

interface MarketOptions {
  readonly seed?: string;
  readonly coins?: readonly string[] | null;
  readonly size?: number;
  readonly rate?: number;
  readonly statusRate?: number;
  readonly now?: () => number;
}

function newSource({ seed = 'test', coins = null, size = 1, rate = 1, statusRate = 1, now }: MarketOptions = {}) {
  return new SimulatedSource({ seed, coins: listingsOf(coins), size, rate, statusRate, startTime: START }, now ?? null);
}

/** A digest of the next blocks and of the books after them. */
function digest(source: SimulatedSource, blocks: number): string {
  const hash = createHash('sha256');
  for (let i = 0; i < blocks; i += 1) {
    const block = source.advance();
    for (const { name } of source.coins) hash.update(JSON.stringify([block.height, block.time, block.coin(name)]));
  }
  for (const { name } of source.coins) hash.update(JSON.stringify(source.book(name)));
  return hash.digest('hex');
}

const SMALL: MarketOptions = { coins: ['BTC', 'SOL', 'kPEPE', 'xyz:GOLD'], size: 0.02 };

describe('the same seed', () => {
  it('gives the same blocks and books; another seed gives others', () => {
    const first = digest(newSource(SMALL), 40);
    expect(digest(newSource(SMALL), 40)).toBe(first);
    expect(digest(newSource({ ...SMALL, seed: 'other' }), 40)).not.toBe(first);
  });

  it('gives the same blocks of a coin whatever other coins are listed', () => {
    const diffsOf = (source: SimulatedSource) =>
      Array.from({ length: 100 }, () =>
        source
          .advance()
          .coin('SOL')
          ?.diffs.map(({ px, side, raw_book_diff }) => [px, side, rawSizes(raw_book_diff)]),
      );
    const alone = newSource({ ...SMALL, coins: ['SOL'] });
    expect(diffsOf(alone)).toEqual(diffsOf(newSource(SMALL)));
  });
});

/** Sizes only, because oids are counted across all coins. */
function rawSizes(raw: unknown): string {
  return JSON.stringify(raw).replace(/,?"insertBefore":\d+/, '');
}

it('block times follow a clock that has run ahead, for example after a pause, and never go back', () => {
  let now = START;
  const source = newSource({ ...SMALL, now: () => now });
  expect(source.advance().time).toBe(START + 67);
  now = START + 3_600_000;
  expect(source.advance().time).toBe(now);
  now = START;
  expect(source.advance().time).toBe(START + 3_600_067);
});

describe('block times in real time', () => {
  /** The times of blocks made at these moments. */
  const timesAt = (...moments: readonly number[]) => {
    let now = START;
    const source = newSource({ ...SMALL, now: () => now });
    return moments.map((moment) => {
      now = START + moment;
      return source.advance(true).time - START;
    });
  };

  it('keep to the clock', () => {
    expect(timesAt(67, 135, 201, 275, 335)).toEqual([67, 135, 201, 275, 335]);
  });

  it('are never ahead of it after a backlog, long or short, and always rise', () => {
    // Blocks that were due in a stall of 900 ms, all made at its end, and the next ones.
    const short = timesAt(67, ...Array.from({ length: 13 }, () => 967), 1_005, 1_072);
    expect(short.slice(0, 3)).toEqual([67, 142, 217]);
    expect(short.slice(-4)).toEqual([967, 968, 1_005, 1_072]);
    const long = timesAt(67, ...Array.from({ length: 13 }, () => 5_000), 5_067);
    expect(long.slice(1)).toEqual([...Array.from({ length: 13 }, (_, at) => 5_000 + at), 5_067]);
    for (const times of [short, long]) expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  });

  it('return to a clock that was set forward by less than a stall, and wait for one that was set back', () => {
    const forward = timesAt(67, ...Array.from({ length: 120 }, (_, at) => 834 + at * 67));
    expect(forward[1]).toBe(142);
    expect(forward.at(-1)).toBe(834 + 119 * 67);
    expect(timesAt(670, 70, 137)).toEqual([75, 76, 137]);
  });
});

it('in real time a stall that is not made up for leaves its heights out, so that a restart continues where it would be', () => {
  let now = START;
  const source = newSource({ ...SMALL, now: () => now });
  const { height } = source;
  now += 67;
  expect(source.advance(true).height).toBe(height + 1);
  // Made up for by the blocks that follow.
  now += 900;
  expect(source.advance(true).height).toBe(height + 2);
  now = START + 3_600_000;
  const leap = Math.floor(3_600_000 / 67);
  expect(source.advance(true)).toMatchObject({ height: height + leap, quiet: leap - 3 });
  const after = new SimulatedSource(
    { seed: 'test', coins: listingsOf(['BTC']), size: 0.02, rate: 1, statusRate: 1, startTime: now + 4_000 },
    null,
  );
  expect(after.height - source.height).toBeLessThan(61);
  expect(after.height - source.height).toBeGreaterThan(58);
  // A block on request is the next one, whatever the clock says.
  now += 3_600_000;
  expect(source.advance().height).toBe(height + leap + 1);
});

it('a market that starts later starts at a higher height, so a restart never goes back', () => {
  const heightAt = (startTime: number) =>
    new SimulatedSource({ seed: 's', coins: listingsOf(['ARB']), size: 0.01, rate: 1, statusRate: 1, startTime }, null)
      .height;
  expect(heightAt(START + 67_000) - heightAt(START)).toBe(1_000);
  expect(heightAt(0)).toBe(800_000_000);
});

describe('the market at its default size', () => {
  const source = newSource();
  const sizes = new Map(source.coins.map(({ name }) => [name, source.size(name)]));

  it('has a BTC book of about 50,000 orders on 21,000 levels from 6,000 wallets, with thousands of orders on the longest level', () => {
    const btc = sizes.get('BTC');
    const orders = (btc?.bids ?? 0) + (btc?.asks ?? 0);
    expect(orders).toBeGreaterThan(48_000);
    expect(orders).toBeLessThan(53_000);
    expect(btc?.levels).toBeGreaterThan(19_000);
    expect(btc?.levels).toBeLessThan(23_000);
    const all = source.book('BTC')?.flat() ?? [];
    expect(new Set(all.map(({ user }) => user)).size).toBeGreaterThan(5_500);
    const lengths = new Map<string, number>();
    for (const { side, limitPx } of all) lengths.set(side + limitPx, (lengths.get(side + limitPx) ?? 0) + 1);
    expect(Math.max(...lengths.values())).toBeGreaterThan(3_000);
  });

  it('prints only allowed prices and sizes', () => {
    const isAllowed = (limitPx: string, sz: string, szDecimals: number) => {
      const [whole = '', fraction = ''] = limitPx.replace(/\.0$/, '').split('.');
      const figures = `${whole}${fraction}`.replace(/^0+/, '').length;
      const sizeDecimals = sz.replace(/\.0$/, '').split('.')[1]?.length ?? 0;
      return fraction.length <= 6 - szDecimals && (fraction === '' || figures <= 5) && sizeDecimals <= szDecimals;
    };
    const bad = CATALOGUE.flatMap(({ name, szDecimals }) =>
      (source.book(name) ?? []).flat().filter(({ limitPx, sz }) => !isAllowed(limitPx, sz, szDecimals)),
    );
    expect(bad).toEqual([]);
  });

  it('[BOOK-1] starts with queues in order of entry', () => {
    // A coin without priority orders, which may be inserted further ahead.
    const outOfTurn = (source.book('ETH') ?? []).flatMap((side) =>
      side.filter((order, index) => {
        const ahead = side[index - 1];
        return ahead?.limitPx === order.limitPx && ahead.timestamp > order.timestamp;
      }),
    );
    expect(outOfTurn).toEqual([]);
  });

  it('has mostly refusals among its statuses, changes the first three coins in most blocks, and produces every kind of event', () => {
    const live = newSource({ coins: ['BTC', 'ETH', 'SOL'], size: 0.1 });
    const statuses = new Map<string, number>();
    const kinds = new Map<string, number>();
    const changed = new Map<string, number>();
    const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
    const blocks = 800;
    for (let i = 0; i < blocks; i += 1) {
      const block = live.advance();
      for (const { name } of live.coins) {
        const part = block.coin(name);
        if (part !== null && part.diffs.length > 0) count(changed, name);
        for (const { status, order } of part?.statuses ?? []) {
          count(statuses, status);
          if (order.isTrigger) count(kinds, 'trigger');
          if (order.tif !== null) count(kinds, order.tif);
        }
        for (const { raw_book_diff: raw } of part?.diffs ?? []) {
          if (raw === 'remove') count(kinds, 'remove');
          else if ('update' in raw) count(kinds, raw.update.newSz === '0.0' ? 'update to zero' : 'update');
          else count(kinds, 'insertBefore' in raw.new ? 'insertBefore' : 'new');
        }
      }
    }
    for (const name of ['BTC', 'ETH', 'SOL']) expect(changed.get(name)).toBeGreaterThan(blocks * 0.9);
    const total = [...statuses.values()].reduce((sum, each) => sum + each, 0);
    const refused = [...statuses]
      .filter(([name]) => name.endsWith('Rejected'))
      .reduce((sum, [, each]) => sum + each, 0);
    expect(refused / total).toBeGreaterThan(0.8);
    expect((statuses.get('badAloPxRejected') ?? 0) / refused).toBeGreaterThan(0.9);
    const expectedStatuses = [
      'open',
      'filled',
      'canceled',
      'triggered',
      'selfTradeCanceled',
      'siblingFilledCanceled',
      'scheduledCancel',
      'badAloPxRejected',
      'iocCancelRejected',
      'perpMarginRejected',
      'minTradeNtlRejected',
      'reduceOnlyRejected',
      'tickRejected',
      'badTriggerPxRejected',
    ];
    expect(expectedStatuses.filter((name) => !statuses.has(name))).toEqual([]);
    const expectedKinds = [
      'new',
      'insertBefore',
      'update',
      'update to zero',
      'remove',
      'trigger',
      'Gtc',
      'Ioc',
      'Alo',
      'FrontendMarket',
    ];
    expect(expectedKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
    const diffs = live.counts.diffs / blocks;
    expect(diffs).toBeGreaterThan(30);
    expect(diffs).toBeLessThan(70);
  });
});

it.each([
  [{ coins: ['BTC'], size: 0.03, statusRate: 0.02 }],
  [{ coins: ['kPEPE', 'ARB', 'xyz:TSLA'], size: 0.3, statusRate: 0.1 }],
] satisfies readonly (readonly [MarketOptions])[])(
  'over hours the book of %o keeps its size, shape and price',
  (options) => {
    const source = newSource(options);
    const start = new Map(source.coins.map(({ name }) => [name, source.size(name)]));
    const strayed: string[] = [];
    for (let i = 1; i <= 6_000; i += 1) {
      source.advance();
      if (i % 500 !== 0) continue;
      for (const { name, startPx, szDecimals } of source.coins) {
        for (const part of ['bids', 'asks', 'levels'] as const) {
          const share = (source.size(name)?.[part] ?? 0) / (start.get(name)?.[part] ?? 0);
          if (share < 0.7 || share > 1.4) strayed.push(`${name} ${part} at block ${i}: ${share}`);
        }
        for (const side of source.book(name) ?? []) {
          const away = (Number(side[0]?.limitPx) * 10 ** (6 - szDecimals)) / startPx - 1;
          if (!(Math.abs(away) < 0.04)) strayed.push(`${name} price at block ${i}: ${away}`);
        }
      }
    }
    expect(strayed).toEqual([]);
  },
);
