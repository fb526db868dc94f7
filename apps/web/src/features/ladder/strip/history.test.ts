import { describe, expect, it } from 'vitest';
import type { FiguresResponse } from '../../../book-worker/panes/figures.ts';
import { type Sample, withSample } from './history.ts';

const at = (height: number, time: number, live = true): FiguresResponse => ({
  serial: 1,
  height,
  time,
  live,
  figures: undefined,
});
const after = (...responses: readonly FiguresResponse[]) => responses.reduce<readonly Sample[]>(withSample, []);
const heights = (history: readonly Sample[]) => history.map(({ height }) => height);

describe('history of the figures', () => {
  it('[WEB-53] is of the last minute of block time', () => {
    expect(heights(after(at(1, 0), at(2, 30_000), at(3, 60_000), at(4, 60_001)))).toEqual([2, 3, 4]);
  });

  it('[WEB-53] has no block twice, none of a held or past book, and begins anew when time goes back', () => {
    expect(heights(after(at(1, 1_000), at(1, 1_000), at(2, 2_000, false), at(3, 3_000)))).toEqual([1, 3]);
    expect(heights(after(at(5, 9_000), at(6, 9_500), at(2, 100)))).toEqual([2]);
  });

  it('[WEB-53] is bounded, however close the blocks are', () => {
    const history = after(...Array.from({ length: 1_000 }, (_, index) => at(index, index)));
    expect(history.length).toBe(300);
    expect(history.at(-1)?.height).toBe(999);
  });
});
