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
