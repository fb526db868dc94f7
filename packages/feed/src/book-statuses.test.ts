import { stoppedClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { BookStatuses, type CoinStatus } from './book-statuses.ts';

/** Statuses under a clock, with what was told: `state reason`. */
function rig() {
  const time = stoppedClock();
  const told: string[] = [];
  const said = (status: CoinStatus | null) => (status === null ? 'left' : `${status.state} ${status.reason}`);
  const statuses = new BookStatuses(30_000, time.clock, (_, status) => told.push(said(status)));
  return { statuses, told, advance: (ms: number) => time.advance(ms), wallNow: () => time.clock.wallNow() };
}

test('[L4-40] a coin waits, is built, is live, is rebuilt after a loss and live again; it leaves without a trace', () => {
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

test('[UP-23] a coin that goes without its book for L4_REBUILD_MAX_MS is unavailable until it is live, however often it is tried', () => {
  const { statuses, told, advance } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.live('BTC');
  statuses.lost('BTC', 'finding');
  advance(29_000);
  statuses.asked('BTC');
  statuses.lost('BTC', 'no-snapshot');
  advance(999);
  expect(statuses.of('BTC')).toMatchObject({ state: 'rebuilding', reason: 'no-snapshot' });
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

test('[UP-23] the time does not run while a coin has its turn still to come, and runs while the upstream is cut off', () => {
  const { statuses, advance } = rig();
  statuses.add('BTC', true);
  statuses.add('ETH', false);
  advance(30_000);
  expect(statuses.of('BTC')).toMatchObject({ state: 'waiting', reason: null });
  expect(statuses.of('ETH')).toMatchObject({ state: 'unavailable', reason: 'disconnected' });
});

test('[UP-23] a coin the upstream refuses is unavailable at once', () => {
  const { statuses, told } = rig();
  statuses.add('BTC', true);
  statuses.asked('BTC');
  statuses.lost('BTC', 'refused');
  statuses.asked('BTC');
  statuses.live('BTC');
  expect(told).toEqual(['waiting null', 'building null', 'unavailable refused', 'live null']);
});

test('a first attempt that fails leaves the coin in building; one that is cut off puts it back to waiting', () => {
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

test('[L4-40] a book that may be old is stale, for as long as it is held; lost, it is being rebuilt', () => {
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
