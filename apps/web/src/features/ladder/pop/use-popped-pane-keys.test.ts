import type { DecimalString } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import type { LevelRef } from '../../../book-worker/position.ts';
import { rowBeside } from './use-popped-pane-keys.ts';

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
