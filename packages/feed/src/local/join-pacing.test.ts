import { FakeClock, KeptLog } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { L4_TUNING, type L4Tuning } from '../settings.ts';
import { type JoinedCoin, Joins, type JoinsDeps, newJoinState } from './joins.ts';

function joined(coin: string): JoinedCoin {
  return {
    ...newJoinState(),
    coin,
    status: { state: 'waiting', since: 0, reason: null },
    holders: 1,
    readers: { all: 0, allDeflated: 0, bookDeflated: 0 },
    cancelLinger: () => {},
    cancelOverdue: null,
  };
}

/** Joins under a stopped clock, with their actions in order. */
function rig(tuning: Partial<L4Tuning> = {}, deps: Partial<JoinsDeps> = {}) {
  const time = new FakeClock();
  const done: string[] = [];
  const coins = new Map<string, JoinedCoin>();
  const joins = new Joins({
    settings: { pinnedCoins: [], rebuildMaxMs: 30_000, auditMs: 60_000 },
    coins: {
      get: (coin) => coins.get(coin),
      get all() {
        return [...coins.values()];
      },
    },
    tuning: { ...L4_TUNING, joinsOutstandingMax: 1, joinShareMax: 0.5, joinWithinMs: 15_000, ...tuning },
    clock: time,
    random: () => 0,
    log: new KeptLog(),
    isConnected: () => true,
    subscribe: (coin) => done.push(coin),
    overdue: (coin) => done.push(`overdue ${coin}`),
    idle: () => done.push('idle'),
    isAwaited: () => false,
    progressAt: () => null,
    ...deps,
  });
  const add = (coin: string) => {
    const added = joined(coin);
    coins.set(coin, added);
    joins.add(added);
  };
  return { joins, done, time, add, remove: (coin: string) => joins.remove(coins.get(coin) ?? joined(coin)) };
}

test('delays a join until the previous one is done, plus a pause proportional to its duration', () => {
  const { joins, done, time, add } = rig();
  for (const coin of ['BTC', 'ETH', 'SOL']) add(coin);
  expect([done, joins.counts]).toEqual([['BTC'], { waiting: 2, outstanding: 1 }]);
  time.advance(90);
  joins.responded('BTC');
  time.advance(89);
  expect(done).toEqual(['BTC']);
  time.advance(1);
  expect(done).toEqual(['BTC', 'ETH']);
  time.advance(10_000);
  joins.responded('ETH');
  time.advance(999);
  expect(done).toEqual(['BTC', 'ETH']);
  // A pause is at most one second.
  time.advance(1);
  expect(done).toEqual(['BTC', 'ETH', 'SOL']);
  joins.responded('SOL');
  expect([done.at(-1), joins.isIdle]).toEqual(['idle', true]);
});

test('keeps the maximum number of joins outstanding', () => {
  const { joins, done, add } = rig({ joinsOutstandingMax: 3, joinShareMax: 1 });
  for (const coin of ['A', 'B', 'C', 'D', 'E']) add(coin);
  expect(done).toEqual(['A', 'B', 'C']);
  joins.responded('B');
  expect([done.at(-1), joins.counts]).toEqual(['D', { waiting: 1, outstanding: 3 }]);
});

test('sends a coin that a caller waits for first, and among equals the longest waiting', () => {
  const awaited = new Set(['D']);
  const { joins, done, add } = rig({}, { isAwaited: (coin) => awaited.has(coin) });
  for (const coin of ['A', 'B', 'C', 'D']) add(coin);
  for (const coin of ['A', 'D', 'B', 'C']) joins.responded(coin);
  expect(done).toEqual(['A', 'D', 'B', 'C', 'idle']);
});

test('frees the place of a removed coin after the duration of the last join', () => {
  const { joins, done, time, add, remove } = rig();
  for (const coin of ['A', 'B', 'C', 'D']) add(coin);
  time.advance(90);
  joins.responded('A');
  time.advance(90);
  expect(done).toEqual(['A', 'B']);
  remove('C');
  remove('B');
  time.advance(179);
  expect(done).toEqual(['A', 'B']);
  time.advance(1);
  expect(done).toEqual(['A', 'B', 'D']);
  remove('D');
  expect([done.at(-1), joins.isIdle]).toEqual(['idle', true]);
});

test('counts a deadline from the sending of each join, or from the last progress', () => {
  let progressAt: number | null = null;
  const { joins, done, time, add, remove } = rig({}, { progressAt: () => progressAt });
  add('A');
  add('B');
  time.advance(14_000);
  joins.responded('A');
  time.advance(1_000);
  expect(done).toEqual(['A', 'B']);
  time.advance(14_999);
  progressAt = time.now();
  time.advance(14_999);
  expect(done).toEqual(['A', 'B']);
  time.advance(1);
  expect([done.at(-1), joins.counts.outstanding]).toEqual(['overdue B', 1]);
  remove('B');
  time.advance(60_000);
  expect(done).toEqual(['A', 'B', 'overdue B', 'idle']);
});

test('drops waiting and outstanding joins when the connection is lost', () => {
  const { joins, done, time, add } = rig();
  for (const coin of ['A', 'B']) add(coin);
  joins.disconnected();
  time.advance(60_000);
  expect([done, joins.isIdle]).toEqual([['A'], true]);
  add('C');
  expect(done).toEqual(['A', 'C']);
});
