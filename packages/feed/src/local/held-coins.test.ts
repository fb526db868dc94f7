import { FakeClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { PLAIN_BOOK } from '../api.ts';
import { HeldCoins } from './held-coins.ts';

const LINGER_MS = 1_000;

/** Coins under a stopped clock, with the reported changes as `state reason`. */
function rig() {
  const time = new FakeClock();
  const told: string[] = [];
  const state = { isConnected: true };
  const statuses = new HeldCoins<object>({
    lingerMs: LINGER_MS,
    rebuildMaxMs: 30_000,
    clock: time,
    isConnected: () => state.isConnected,
    create: () => ({}),
    added: () => {},
    left: () => {},
    changed: (_, status) => told.push(status === null ? 'left' : `${status.state} ${status.reason}`),
    allReadChanged: () => {},
  });
  const hold = (coin: string, reader = PLAIN_BOOK) => statuses.acquire(coin, reader);
  return {
    statuses,
    told,
    state,
    hold,
    advance: (ms: number) => time.advance(ms),
    wallNow: () => time.wallNow(),
  };
}

test('a text of a coin is wanted while it has a reader', () => {
  const { statuses, hold } = rig();
  const wanted = () => Object.entries(statuses.wanted('BTC')).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
  expect(wanted()).toEqual([]);
  const plain = hold('BTC', { statuses: 'all', deflate: false });
  expect(wanted()).toEqual(['all']);
  const one = hold('BTC', { statuses: 'book', deflate: true });
  const two = hold('BTC', { statuses: 'all', deflate: true });
  hold('ETH');
  expect(wanted()).toEqual(['all', 'allDeflated', 'bookDeflated']);
  plain.release();
  one.release();
  expect(wanted()).toEqual(['all', 'allDeflated']);
  two.release();
  expect(wanted()).toEqual([]);
});

test('[L4-40] reports a coin as waiting, building, live, rebuilding after a loss and live again, and forgets it once left', () => {
  const { statuses, told, hold, advance, wallNow } = rig();
  const lease = hold('BTC');
  statuses.subscribed('BTC');
  statuses.live('BTC');
  advance(5_000);
  statuses.lost('BTC', 'audit');
  const lostAt = wallNow();
  advance(700);
  statuses.subscribed('BTC');
  expect(statuses.status('BTC')).toEqual({ state: 'rebuilding', since: lostAt, reason: 'audit' });
  statuses.live('BTC');
  lease.release();
  advance(600_000);
  expect(told).toEqual(['waiting null', 'building null', 'live null', 'rebuilding audit', 'live null', 'left']);
  expect(statuses.status('BTC')).toMatchObject({ state: 'waiting', reason: null });
});

test('[UP-23] reports a coin without a book for L4_REBUILD_MAX_MS as unavailable until it is live, whatever the number of attempts', () => {
  const { statuses, told, hold, advance, wallNow } = rig();
  hold('BTC');
  statuses.subscribed('BTC');
  statuses.live('BTC');
  statuses.lost('BTC', 'finding');
  const since = wallNow();
  advance(29_000);
  statuses.subscribed('BTC');
  statuses.lost('BTC', 'no-snapshot');
  advance(999);
  expect(statuses.status('BTC')).toEqual({ state: 'rebuilding', since, reason: 'no-snapshot' });
  advance(1);
  expect(statuses.status('BTC')).toMatchObject({ state: 'unavailable', reason: 'no-snapshot' });
  statuses.subscribed('BTC');
  statuses.lost('BTC', 'finding');
  expect(statuses.status('BTC').state).toBe('unavailable');
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
  const { statuses, state, hold, advance } = rig();
  hold('BTC');
  state.isConnected = false;
  hold('ETH');
  advance(30_000);
  expect(statuses.status('BTC')).toMatchObject({ state: 'waiting', reason: null });
  expect(statuses.status('ETH')).toMatchObject({ state: 'unavailable', reason: 'disconnected' });
});

test('keeps a coin in building after a failed first attempt, and returns it to waiting after a disconnect', () => {
  const { statuses, told, hold } = rig();
  hold('BTC');
  statuses.subscribed('BTC');
  statuses.lost('BTC', 'no-snapshot');
  statuses.subscribed('BTC');
  statuses.lost('BTC', 'disconnected');
  statuses.subscribed('BTC');
  expect(told).toEqual([
    'waiting null',
    'building null',
    'building no-snapshot',
    'waiting disconnected',
    'building disconnected',
  ]);
});

test('[L4-40] reports a book that may be outdated as stale until it is lost, then as rebuilding', () => {
  const { statuses, told, hold, advance } = rig();
  hold('BTC');
  statuses.subscribed('BTC');
  statuses.stale('BTC', 'unacknowledged');
  advance(600_000);
  statuses.live('BTC');
  statuses.stale('BTC', 'upstream-stale');
  statuses.lost('BTC', 'upstream-gap');
  advance(30_000);
  statuses.stale('ETH', 'upstream-stale');
  expect(told).toEqual([
    'waiting null',
    'building null',
    'stale unacknowledged',
    'live null',
    'stale upstream-stale',
    'rebuilding upstream-gap',
    'unavailable upstream-gap',
  ]);
});
