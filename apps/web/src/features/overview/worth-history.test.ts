import { describe, expect, it } from 'vitest';
import { withWorth, worthChanges } from './worth-history.ts';

const HOUR = 3_600_000;
/** 06:00 UTC. */
const MORNING = Date.UTC(2026, 4, 5, 6);

/** Visits at these times, each with the worths that were loaded in it. */
function visited(...visits: readonly (readonly (readonly [at: number, total: `${number}`])[])[]) {
  let histories: ReturnType<typeof withWorth> = [];
  for (const worths of visits) {
    const openedAt = (worths[0]?.[0] ?? 0) - 1;
    for (const [at, total] of worths) histories = withWorth(histories, 'a', { at, total }, { openedAt, zone: 'utc' });
  }
  return histories;
}

function changes(histories: ReturnType<typeof withWorth>, total: `${number}`) {
  const [own] = histories;
  return own === undefined ? [] : worthChanges(own, total).map(({ since, at, delta }) => [since, at, delta]);
}

describe('the change of the worth', () => {
  it('is measured from the last visit, and from the first worth of the day; a refresh moves neither', () => {
    const yesterday = MORNING - 14 * HOUR;
    const first = visited([[yesterday, '100']], [[MORNING, '110.5']]);
    expect(changes(first, '110.5')).toEqual([['last visit', yesterday, '10.5']]);
    const noon = MORNING + 6 * HOUR;
    const second = visited(
      [[yesterday, '100']],
      [
        [MORNING, '110.5'],
        [MORNING + 60_000, '111'],
      ],
      [
        [noon, '90'],
        [noon + 60_000, '91'],
      ],
    );
    expect(changes(second, '91')).toEqual([
      ['last visit', MORNING + 60_000, '-20'],
      ['first today', MORNING, '-19.5'],
    ]);
  });

  it('is none at first, and none of other wallets', () => {
    const one = visited([[MORNING, '5']]);
    expect(changes(one, '5')).toEqual([]);
    const other = withWorth(one, 'b', { at: MORNING + HOUR, total: '7' }, { openedAt: MORNING + HOUR, zone: 'utc' });
    expect(changes(other, '7')).toEqual([]);
    expect(other.map(({ wallets }) => wallets)).toEqual(['b', 'a']);
  });

  it('a day begins at midnight of the chosen zone', () => {
    const late = Date.UTC(2026, 4, 4, 23, 30);
    const histories = visited([[late, '1']], [[late + HOUR, '3']], [[late + 2 * HOUR, '6']]);
    expect(changes(histories, '6')).toEqual([['last visit', late + HOUR, '3']]);
  });
});
