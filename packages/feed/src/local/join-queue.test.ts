import { stoppedClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { JoinQueue, type JoinQueueDeps, type JoinQueueSettings } from './join-queue.ts';

/** A queue under a stopped clock, with its actions in order. */
function rig(settings: Partial<JoinQueueSettings> = {}, deps: Partial<JoinQueueDeps> = {}) {
  const time = stoppedClock();
  const done: string[] = [];
  const queue = new JoinQueue(
    { outstandingMax: 1, shareMax: 0.5, withinMs: 15_000, ...settings },
    {
      send: (coin) => done.push(coin),
      overdue: (coin) => done.push(`overdue ${coin}`),
      idle: () => done.push('idle'),
      rank: () => 0,
      progressAt: () => null,
      clock: time.clock,
      ...deps,
    },
  );
  return { queue, done, time };
}

test('delays a join until the previous one is done, plus a pause proportional to its duration', () => {
  const { queue, done, time } = rig();
  for (const coin of ['BTC', 'ETH', 'SOL']) queue.add(coin);
  expect([done, queue.waiting, queue.outstanding]).toEqual([['BTC'], 2, 1]);
  time.advance(90);
  queue.responded('BTC');
  time.advance(89);
  expect(done).toEqual(['BTC']);
  time.advance(1);
  expect(done).toEqual(['BTC', 'ETH']);
  time.advance(10_000);
  queue.responded('ETH');
  time.advance(999);
  expect(done).toEqual(['BTC', 'ETH']);
  // A pause is at most one second.
  time.advance(1);
  expect(done).toEqual(['BTC', 'ETH', 'SOL']);
  queue.responded('SOL');
  expect([done.at(-1), queue.isIdle]).toEqual(['idle', true]);
});

test('keeps the maximum number of joins outstanding', () => {
  const { queue, done } = rig({ outstandingMax: 3, shareMax: 1 });
  for (const coin of ['A', 'B', 'C', 'D', 'E']) queue.add(coin);
  expect(done).toEqual(['A', 'B', 'C']);
  queue.responded('B');
  expect([done.at(-1), queue.outstanding, queue.waiting]).toEqual(['D', 3, 1]);
});

test('sends the lowest rank first, evaluated when there is room, and among equals the longest waiting', () => {
  const ranks = new Map([['D', 0]]);
  const { queue, done } = rig({}, { rank: (coin) => ranks.get(coin) ?? 1 });
  for (const coin of ['A', 'B', 'C', 'D']) queue.add(coin);
  ranks.set('C', -1);
  for (const coin of ['A', 'C', 'D', 'B']) queue.responded(coin);
  expect(done).toEqual(['A', 'C', 'D', 'B', 'idle']);
});

test('frees the place of a removed coin after the duration of the last join', () => {
  const { queue, done, time } = rig();
  for (const coin of ['A', 'B', 'C', 'D']) queue.add(coin);
  time.advance(90);
  queue.responded('A');
  time.advance(90);
  expect(done).toEqual(['A', 'B']);
  queue.remove('C');
  queue.remove('B');
  time.advance(179);
  expect(done).toEqual(['A', 'B']);
  time.advance(1);
  expect(done).toEqual(['A', 'B', 'D']);
  queue.remove('D');
  expect([done.at(-1), queue.isIdle]).toEqual(['idle', true]);
});

test('counts a deadline from the sending of each join, or from the last progress', () => {
  let progressAt: number | null = null;
  const { queue, done, time } = rig({}, { progressAt: () => progressAt });
  queue.add('A');
  queue.add('B');
  time.advance(14_000);
  queue.responded('A');
  time.advance(1_000);
  expect(done).toEqual(['A', 'B']);
  time.advance(14_999);
  progressAt = time.clock.now();
  time.advance(14_999);
  expect(done).toEqual(['A', 'B']);
  time.advance(1);
  expect([done.at(-1), queue.outstanding]).toEqual(['overdue B', 1]);
  queue.remove('B');
  time.advance(60_000);
  expect(done).toEqual(['A', 'B', 'overdue B', 'idle']);
});

test('drops waiting and outstanding joins when it is cleared', () => {
  const { queue, done, time } = rig();
  for (const coin of ['A', 'B']) queue.add(coin);
  queue.clear();
  time.advance(60_000);
  expect([done, queue.isIdle]).toEqual([['A'], true]);
  queue.add('C');
  expect(done).toEqual(['A', 'C']);
});
