import { expect, it } from 'vitest';
import type { TimeData } from '../../../book-worker/panes/past.ts';
import { gapsPath } from './scrubber.tsx';

it('the activity of the kept time has its gaps where they were, the shortest still to be seen', () => {
  const at = (time: number) => ({ height: time, time });
  const response = {
    first: at(1_000),
    last: at(2_000),
    activity: [4, 0, 1],
    gaps: [
      { id: 1, from: at(1_250), to: at(1_500) },
      { id: 2, from: at(1_900), to: at(1_901) },
    ],
  } as unknown as TimeData;
  expect(gapsPath(response)).toBe('M25 0h25v100h-25zM90 0h0.4v100h-0.4z');
});
