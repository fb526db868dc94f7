import { expect, test } from 'vitest';
import { StatusBoard } from './feed.ts';

function rig() {
  const told: string[] = [];
  const board = new StatusBoard(({ coin, state, reason }) => told.push(`${coin} ${state} ${reason}`));
  return { board, told };
}

test('[L4-39] reports only changes, and reports a coin as waiting until told otherwise', () => {
  const { board, told } = rig();
  expect(board.of('BTC')).toMatchObject({ coin: 'BTC', state: 'waiting', reason: null, upstreamAgeMs: null });
  board.set('BTC', { state: 'waiting', since: 1, reason: null });
  board.set('BTC', { state: 'waiting', since: 1, reason: 'disconnected' });
  board.set('BTC', { state: 'live', since: 2, reason: null });
  board.set('BTC', { state: 'live', since: 2, reason: null });
  expect(told).toEqual(['BTC waiting disconnected', 'BTC live null']);
  expect(board.of('BTC')).toMatchObject({ state: 'live', since: 2 });
  board.set('BTC', null);
  expect(board.of('BTC').state).toBe('waiting');
});

test('[L4-40] reports live books as stale while the worker is silent, and as rebuilding once it has exited', () => {
  const { board, told } = rig();
  board.set('BTC', { state: 'live', since: 1, reason: null });
  board.set('ETH', { state: 'building', since: 1, reason: null });
  board.set('SOL', { state: 'unavailable', since: 1, reason: 'refused' });
  told.length = 0;
  board.silent();
  board.silent();
  expect(told).toEqual(['BTC stale feed-silent']);
  board.ended();
  expect(told.slice(1)).toEqual(['BTC rebuilding feed-restarted']);
  expect(board.of('SOL').state).toBe('unavailable');
});

test('[L4-39] continues the upstream’s age from the worker’s last report', () => {
  const { board } = rig();
  board.setUpstreamAge(1_000);
  expect(board.of('BTC').upstreamAgeMs).toBeGreaterThanOrEqual(1_000);
  expect(board.of('BTC').upstreamAgeMs).toBeLessThan(60_000);
  board.setUpstreamAge(null);
  expect(board.of('BTC').upstreamAgeMs).toBeNull();
});
