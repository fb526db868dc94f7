import { stoppedClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import type { CoinStatus } from '../api.ts';
import { BookStatuses } from './book-statuses.ts';

/** Statuses under a stopped clock, with the reported changes as `state reason`. */
function rig() {
  const time = stoppedClock();
  const told: string[] = [];
  const said = (status: CoinStatus | null) => (status === null ? 'left' : `${status.state} ${status.reason}`);
  const statuses = new BookStatuses(30_000, time.clock, (_, status) => told.push(said(status)));
  return { statuses, told, advance: (ms: number) => time.advance(ms), wallNow: () => time.clock.wallNow() };
}

test('[L4-40] reports a coin as waiting, building, live, rebuilding after a loss and live again, and forgets it once left', () => {
  const { statuses, told, advance, wallNow } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.live('BTC');
  advance(5_000);
  statuses.lost('BTC', 'audit');
  const lostAt = wallNow();
  advance(700);
  statuses.asked('BTC');
  expect(statuses.of('BTC')).toEqual({ state: 'rebuilding', since: lostAt, reason: 'audit' });
  statuses.live('BTC');
  statuses.remove('BTC');
  advance(600_000);
  expect(told).toEqual(['waiting null', 'building null', 'live null', 'rebuilding audit', 'live null', 'left']);
  expect(statuses.of('BTC')).toMatchObject({ state: 'waiting', reason: null });
});

test('[UP-23] reports a coin without a book for L4_REBUILD_MAX_MS as unavailable until it is live, whatever the number of attempts', () => {
  const { statuses, told, advance, wallNow } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.live('BTC');
  statuses.lost('BTC', 'finding');
  const since = wallNow();
  advance(29_000);
  statuses.asked('BTC');
  statuses.lost('BTC', 'no-snapshot');
  advance(999);
  expect(statuses.of('BTC')).toEqual({ state: 'rebuilding', since, reason: 'no-snapshot' });
  advance(1);
  expect(statuses.of('BTC')).toMatchObject({ state: 'unavailable', reason: 'no-snapshot' });
  statuses.asked('BTC');
  statuses.lost('BTC', 'finding');
  expect(statuses.of('BTC').state).toBe('unavailable');
  statuses.live('BTC');
  advance(600_000);
  expect(told.slice(2)).toEqual([
    'live null',
    'rebuilding finding',
    'rebuilding no-snapshot',
    'unavailable no-snapshot',
    'unavailable finding',
    'live null',
  ]);
});

test('[UP-23] does not run the timer while a coin waits for its turn, but runs it while the upstream is disconnected', () => {
  const { statuses, advance } = rig();
  statuses.add('BTC', true);
  statuses.add('ETH', false);
  advance(30_000);
  expect(statuses.of('BTC')).toMatchObject({ state: 'waiting', reason: null });
  expect(statuses.of('ETH')).toMatchObject({ state: 'unavailable', reason: 'disconnected' });
});

test('[UP-23] reports a coin that the upstream refuses as unavailable at once', () => {
  const { statuses, told } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.lost('BTC', 'refused');
  statuses.asked('BTC');
  statuses.live('BTC');
  expect(told).toEqual(['waiting null', 'building null', 'unavailable refused', 'live null']);
});

test('keeps a coin in building after a failed first attempt, and returns it to waiting after a disconnect', () => {
  const { statuses, told } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.lost('BTC', 'no-snapshot');
  statuses.asked('BTC');
  statuses.lost('BTC', 'disconnected');
  statuses.asked('BTC');
  expect(told).toEqual([
    'waiting null',
    'building null',
    'building no-snapshot',
    'waiting disconnected',
    'building disconnected',
  ]);
});

test('[L4-40] reports a book that may be outdated as stale until it is lost, then as rebuilding', () => {
  const { statuses, told, advance } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.stale('BTC', 'unacknowledged');
  advance(600_000);
  statuses.live('BTC');
  statuses.stale('BTC', 'unchecked');
  statuses.lost('BTC', 'upstream-gap');
  advance(30_000);
  statuses.stale('ETH', 'unchecked');
  expect(told).toEqual([
    'waiting null',
    'building null',
    'stale unacknowledged',
    'live null',
    'stale unchecked',
    'rebuilding upstream-gap',
    'unavailable upstream-gap',
  ]);
});
