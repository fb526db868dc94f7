// @vitest-environment happy-dom
import { L4Book } from '@l4desk/book';
import { figures } from '@l4desk/insight';
import { type DecimalString, lowerCaseAddress, type Side } from '@l4desk/protocol';
import { order } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { integrityOf } from '../integrity.ts';
import type { CreditShortage } from '../messages.ts';
import { FakeFollower } from '../test-support/fake-follower.ts';
import { ticksOf } from '../worker/book-ticks.ts';
import { EventCounts } from './coin-watch.ts';
import type { FromRadar, RadarTile } from './messages.ts';
import { RadarModel } from './radar-model.ts';

const COINS = ['BTC', 'ETH', 'SOL'];

let followers: FakeFollower[];
let posted: FromRadar[];
let timers: (() => void)[];
let credits: CreditShortage['credits'] | null;
let model: RadarModel;

beforeEach(() => {
  followers = [];
  posted = [];
  timers = [];
  credits = null;
  model = new RadarModel({
    follow: (coins, onEvent) => {
      const follower = new FakeFollower(must(coins[0], 'a coin'), onEvent, followers.length + 1);
      follower.add(coins.slice(1));
      followers.push(follower);
      return follower;
    },
    post: (message) => void posted.push(message),
    readiness: async () => follower().readiness(),
    credits: async () => credits,
    now: () => followers.at(-1)?.now ?? 0,
    later: (task) => void timers.push(task),
  });
});

const follower = () => must(followers.at(-1), 'a follower');

/** The next report's tile of a coin. */
function tile(coin: string): RadarTile {
  posted = [];
  for (const task of timers.splice(0)) task();
  const report = must(
    posted.find((message) => message.kind === 'tiles'),
    'a report',
  );
  return must(
    report.kind === 'tiles' ? report.tiles.find((said) => said.coin === coin) : undefined,
    `a tile of ${coin}`,
  );
}

function goLive(): void {
  model.receive({ kind: 'follow', coins: COINS });
  for (const coin of COINS) follower().goLive(coin);
}

describe('the radar', () => {
  it('reports the figures of each coin’s exact book, for the block it names', () => {
    goLive();
    // Computed once before the blocks arrive: the reported figures must be newer.
    tile('BTC');
    for (let block = 0; block < 20; block += 1) for (const coin of COINS) follower().block(coin);
    for (const coin of COINS) {
      const { book } = L4Book.build(coin, follower().levels(coin));
      const counted = must(figures(book), 'figures');
      expect(tile(coin)).toMatchObject({
        coin,
        position: { height: 120, seq: 21 },
        best: { bid: book.best('B')?.px, ask: book.best('A')?.px },
        tick: ticksOf(book)[0],
        spreadBps: counted.spreadBps,
        lean: counted.imbalances[1]?.lean,
      });
    }
  });

  it('names the tick of a book with many levels as soon as it is built, also where the next one is coarser', () => {
    model.receive({ kind: 'follow', coins: ['BTC'] });
    const goLiveAt = (tenths: number) => {
      const side = (name: Side, px: (level: number) => number) =>
        Array.from({ length: 60 }, (_, level) =>
          order({ side: name, oid: px(level), limitPx: `${px(level)}.${tenths}` as DecimalString }),
        );
      follower().goLive('BTC', { levels: [side('B', (level) => 1_000 - level), side('A', (level) => 1_001 + level)] });
      return tile('BTC').tick;
    };
    expect(goLiveAt(5)).toBe('0.1');
    expect(goLiveAt(0)).toBe('1');
  });

  it('counts the resting orders of watched wallets by side, in any letter case', () => {
    goLive();
    const [bids, asks] = follower().levels('ETH');
    const owner = must(bids[0]?.user, 'an owner');
    const of = (orders: typeof bids) =>
      orders.filter(({ user }) => user !== null && lowerCaseAddress(user) === lowerCaseAddress(owner)).length;
    expect(tile('ETH').watched).toEqual({ bids: 0, asks: 0 });
    model.receive({ kind: 'wallets', wallets: [lowerCaseAddress(owner)] });
    expect(tile('ETH').watched).toEqual({ bids: of(bids), asks: of(asks) });
    expect(of(bids)).toBeGreaterThan(0);
  });

  it('keeps a separate state for each coin', () => {
    model.receive({ kind: 'follow', coins: COINS });
    follower().goLive('BTC');
    const states = () => COINS.map((coin) => integrityOf(tile(coin), follower().now, 'simulated').state);
    expect(states()).toEqual(['live', 'waiting', 'waiting']);
    follower().goLive('ETH');
    follower().emit({
      kind: 'bookStatus',
      coin: 'ETH',
      status: { coin: 'ETH', state: 'rebuilding', since: 0, upstreamAgeMs: null, reason: 'upstream-gap' },
    });
    expect(states()).toEqual(['live', 'stale', 'waiting']);
    follower().lose({ kind: 'failed', message: 'gone' });
    expect(states()).toEqual(['stale', 'stale', 'waiting']);
  });

  it('reports a lack of credits, and follows all of its coins again when there are some', async () => {
    const settle = async () => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    };
    goLive();
    credits = { used: 10, limit: 10, resetsAt: 1 };
    follower().stop({ kind: 'credits', message: 'credits exhausted' });
    await settle();
    expect(integrityOf(tile('ETH'), follower().now, 'simulated')).toMatchObject({
      state: 'stale',
      reason: 'no credits are left: 10 of 10 of this month are used',
    });
    await settle();
    expect(followers).toHaveLength(1);
    credits = null;
    tile('ETH');
    await settle();
    expect(followers).toHaveLength(2);
    expect(follower().coins).toEqual(COINS);
    for (const coin of COINS) follower().goLive(coin);
    expect(COINS.map((coin) => integrityOf(tile(coin), follower().now, 'simulated').state)).toEqual([
      'live',
      'live',
      'live',
    ]);
  });

  it('sends nothing to a hidden page, and is exact when it is visible again', () => {
    goLive();
    model.receive({ kind: 'look', isVisible: false });
    posted = [];
    for (let block = 0; block < 5; block += 1) follower().block('BTC');
    for (const task of timers.splice(0)) task();
    expect(posted).toEqual([]);
    model.receive({ kind: 'look', isVisible: true });
    expect(tile('BTC').position).toMatchObject({ height: 105 });
  });

  it('adds and removes coins over the same connection, and closes it with the last', () => {
    goLive();
    model.receive({ kind: 'follow', coins: ['ETH', 'DOGE'] });
    expect(followers).toHaveLength(1);
    expect([...follower().coins].sort()).toEqual(['DOGE', 'ETH']);
    expect(tile('ETH')).toMatchObject({ position: { height: 100 } });
    model.receive({ kind: 'follow', coins: [] });
    expect(follower().connection.kind).toBe('stopped');
  });

  it('finds an order by oid and by cloid in the first of its books that has it', () => {
    model.receive({ kind: 'follow', coins: COINS });
    const find = (wanted: number | string) => {
      posted = [];
      model.receive({ kind: 'find', serial: 3, order: wanted });
      return posted;
    };
    expect(find(1)).toEqual([{ kind: 'found', serial: 3, order: null }]);
    follower().goLive('SOL');
    const { oid, limitPx: px } = must([...(follower().coin('SOL')?.book?.orders('A') ?? [])][0], 'an order');
    expect(find(oid)).toEqual([{ kind: 'found', serial: 3, order: { coin: 'SOL', side: 'A', px, oid } }]);
    expect(find(1)).toEqual([{ kind: 'found', serial: 3, order: null }]);
    // The books of these two are equal.
    follower().goLive('ETH');
    expect(find(oid)).toEqual([{ kind: 'found', serial: 3, order: { coin: 'ETH', side: 'A', px, oid } }]);
  });

  it('reports the rate of changes of the seconds that it knows, at most ten, and none before', () => {
    goLive();
    const rates: (number | null)[] = [];
    for (let second = 0; second < 15; second += 1) {
      const start = Math.floor(follower().now / 1_000) * 1_000;
      for (let block = 0; block < 5; block += 1) {
        follower().now = start + 1_000 + block * 100;
        follower().block('BTC');
      }
      rates.push(tile('BTC').changesPerSecond);
    }
    const { events } = tile('BTC');
    const meanOf = (seconds: readonly number[]) => seconds.reduce((sum, count) => sum + count, 0) / seconds.length;
    const known = events.slice(-14);
    expect(known.every((count) => count > 0)).toBe(true);
    const [first, ...later] = rates;
    expect(first).toBeNull();
    for (const [at, rate] of later.entries())
      expect(rate).toBeCloseTo(meanOf(known.slice(Math.max(0, at - 9), at + 1)));
    expect(tile('ETH').changesPerSecond).toBe(0);
  });

  it('measures the rate of changes anew after a new book, because the blocks before it were not seen', () => {
    const counts = new EventCounts();
    expect(counts.rate(5_000)).toBeNull();
    counts.start(10_900);
    counts.add(11_500, 6);
    expect([counts.rate(11_999), counts.rate(12_000)]).toEqual([null, 6]);
    counts.add(12_500, 2);
    expect(counts.rate(13_000)).toBe(4);
    counts.start(14_100);
    expect([counts.rate(15_999), counts.rate(16_000)]).toEqual([null, 0]);
  });
});
