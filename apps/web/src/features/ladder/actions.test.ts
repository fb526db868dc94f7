// @vitest-environment happy-dom
import type { DecimalString } from '@l4desk/protocol';
import { expect, it, vi } from 'vitest';
import type { LevelRef } from '../../book-worker/position.ts';
import { isEnabled } from '../../hooks/actions.ts';
import { must } from '../../test-support/must.ts';
import { booksActions, tapeActions } from './actions.ts';
import type { Books } from './books/use-books.ts';
import { rowBeside } from './ladder-actions.ts';
import type { LadderChoices } from './search.ts';

const LEVEL: LevelRef = { side: 'B', px: '81300', tick: '1' };

function tapeOf(choices: LadderChoices, pane: string | undefined, level?: LevelRef) {
  const change = vi.fn<(next: LadderChoices) => void>();
  const onPane = vi.fn<(key: string) => void>();
  const actions = tapeActions(choices, level, pane, change, onPane).filter(isEnabled);
  const run = (label: string) => must(actions.find((action) => action.label === `Tape: ${label}`)).run();
  return { labels: actions.map(({ label }) => label), run, change, onPane };
}

it('the tape’s current filters are not offered while it is open, and are while it is closed', () => {
  const choices: LadderChoices = { kinds: ['executed'], side: 'A', here: '1' };
  expect(tapeOf(choices, 'tape', LEVEL).labels).toEqual([
    'Tape: only added',
    'Tape: only canceled',
    'Tape: only requoted',
    'Tape: only grown, shrunk',
    'Tape: only bids',
    'Tape: one wallet, or from a size on',
    'Tape: prints',
    'Tape: every change',
  ]);
  const closed = tapeOf(choices, 'level', LEVEL);
  expect(closed.labels).toHaveLength(11);
  expect(closed.labels).toContain('Tape: only at 81,300');
});

it('a filter opens the tape in place of what changed between two blocks, and every change removes all of them', () => {
  const { labels, run, change, onPane } = tapeOf({ wallet: `0x${'ab'.repeat(20)}`, since: 5 }, 'owners');
  run('only asks');
  expect(onPane).toHaveBeenCalledExactlyOnceWith('tape');
  expect(change).toHaveBeenLastCalledWith({ side: 'A', since: undefined });
  run('every change');
  expect(change.mock.lastCall?.[0]).toEqual({ tape: 'events' });
  expect(Object.keys(change.mock.lastCall?.[0] ?? {}).sort()).toEqual([
    'here',
    'kinds',
    'least',
    'side',
    'since',
    'tape',
    'wallet',
  ]);
  expect(labels).not.toContain('Tape: only at 81,300');
  expect(tapeOf({}, 'tape').labels).not.toContain('Tape: prints');
  expect(tapeOf({ tape: 'events' }, 'tape').labels).not.toContain('Tape: every change');
});

const best = { bid: '81307', ask: '81308' } as const;

it('a level in its own window is moved row by row, to the side that rests at the next price', () => {
  const from = (level: Omit<LevelRef, 'tick'> | undefined, rows: number, tick: DecimalString = '1') =>
    rowBeside(level && { ...level, tick }, tick, best, rows);
  expect(from(undefined, 1)).toEqual({ side: 'B', px: '81307', tick: '1' });
  expect(from({ side: 'B', px: '81307' }, 1)).toEqual({ side: 'A', px: '81308', tick: '1' });
  expect(from({ side: 'A', px: '81308' }, -1)).toEqual({ side: 'B', px: '81307', tick: '1' });
  expect(from({ side: 'A', px: '81310' }, 1, '10')).toEqual({ side: 'A', px: '81320', tick: '10' });
  expect(from({ side: 'B', px: '0' }, -1)).toBeUndefined();
  expect(rowBeside(undefined, '1', { bid: undefined, ask: '81308' }, 1)).toMatchObject({ side: 'A', px: '81308' });
  expect(rowBeside(undefined, '1', { bid: undefined, ask: undefined }, 1)).toBeUndefined();
});

it('a key that lets a narrow page follow another coin has its price, and no other key of the ladders has one', () => {
  const actions = {} as Books['actions'];
  const pricesOf = (coins: readonly string[], active: number, isNarrow: boolean) =>
    booksActions(
      { ladders: coins.map((coin, index) => ({ coin, index, pane: { current: null } })), active, actions },
      isNarrow,
      () => {},
    )
      .filter(({ keys }) => keys !== undefined)
      .map(({ keys, price }) => `${keys}: ${price ?? 0}`);
  expect(pricesOf(['BTC', 'ETH'], 0, true)).toEqual(['a: 0', 'b: 2']);
  expect(pricesOf(['BTC', 'ETH'], 1, true)).toEqual(['a: 0', 'b: 2', 'x: 2']);
  expect(pricesOf(['BTC', 'BTC'], 1, true)).toEqual(['a: 0', 'b: 0', 'x: 0']);
  expect(pricesOf(['BTC', 'ETH'], 1, false)).toEqual(['a: 0', 'b: 0', 'x: 0']);
});
