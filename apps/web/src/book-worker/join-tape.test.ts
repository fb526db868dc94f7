import { describe, expect, it } from 'vitest';
import { joinTape } from './join-tape.ts';
import type { ListedRow, TapeResponse } from './panes/past.ts';

const row = (height: number): ListedRow => ({
  id: `${height} 0`,
  place: height,
  height,
  time: height,
  kind: 'added',
  inferred: false,
  reason: null,
  oid: height,
  user: '0x0000000000000000000000000000000000000001',
  side: 'B',
  px: '1',
  refill: 0,
  other: null,
  sz: '1',
});

const response = (height: number, rows: readonly number[], more: Partial<TapeResponse> = {}): TapeResponse => ({
  serial: 1,
  height,
  end: height,
  rows: rows.map(row),
  count: rows.length,
  back: { height: 1, time: 1, place: 1 },
  isCut: false,
  ...more,
});

const heights = (joined: TapeResponse | undefined) => joined?.rows.map(({ id }) => Number(id.split(' ')[0]));

describe('joining incremental tape responses', () => {
  it('puts new rows in front of the known ones, keeps those as the same objects, and cuts the list to the given count', () => {
    const before = response(3, [3, 2, 1]);
    const after = joinTape(before, response(5, [5, 4], { since: 3, count: 4 }));
    expect(heights(after)).toEqual([5, 4, 3, 2]);
    expect(after?.rows[2]).toBe(before.rows[0]);
    expect(after).toMatchObject({ height: 5, count: 4 });
    expect(after).not.toHaveProperty('since');
    expect(joinTape(before, response(9, [9]))).toEqual(response(9, [9]));
  });

  it('ends with the oldest block that was searched', () => {
    const back = { height: 3, time: 3, place: 3 };
    expect(heights(joinTape(response(3, [3, 2, 1]), response(4, [4], { since: 3, count: 4, back })))).toEqual([4, 3]);
  });

  it('returns undefined instead of a tape with a hole when the previous response is not the one it continues', () => {
    const next = response(5, [5], { since: 4, count: 3 });
    expect(joinTape(undefined, next)).toBeUndefined();
    expect(joinTape(response(3, [3]), next)).toBeUndefined();
    expect(joinTape(response(4, [4], { serial: 2 }), next)).toBeUndefined();
  });
});
