import { describe, expect, it } from 'vitest';
import { SourceBook } from './build/source-book.ts';
import { Chance } from './chance.ts';

describe('seeded chance', () => {
  it('repeats itself', () => {
    const draw = (seed: number) => {
      const chance = new Chance(seed);
      return Array.from({ length: 100 }, () => chance.int(0, 1_000));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('takes its seed from L4DESK_SEED if that is set', () => {
    process.env.L4DESK_SEED = '77';
    try {
      expect(new Chance(1).seed).toBe(77);
    } finally {
      delete process.env.L4DESK_SEED;
    }
  });
});

describe('the source book', () => {
  it('emits blocks that produce its book: applied naively they give the same orders', () => {
    const source = new SourceBook('A', new Chance(3));
    const resting = new Map(source.levels().flatMap((side) => side.map((item) => [item.oid, item.sz] as const)));
    const kinds = new Set<string>();
    for (let count = 0; count < 500; count += 1) {
      for (const { oid, raw_book_diff: raw } of source.block().diffs) {
        kinds.add(raw === 'remove' ? raw : Object.keys(raw).join());
        if (raw === 'remove') resting.delete(oid);
        else if ('new' in raw) {
          resting.set(oid, raw.new.sz);
          if (raw.new.insertBefore !== undefined) kinds.add('insertBefore');
        } else {
          if (resting.get(oid) !== raw.update.origSz)
            throw new Error(`order ${oid} does not rest with ${raw.update.origSz}`);
          resting.set(oid, raw.update.newSz);
        }
      }
      const [bids, asks] = source.levels();
      expect(Number(bids[0]?.limitPx ?? 0)).toBeLessThan(Number(asks[0]?.limitPx ?? Infinity));
    }
    expect(new Map(source.levels().flatMap((side) => side.map((item) => [item.oid, item.sz] as const)))).toEqual(
      resting,
    );
    expect(kinds).toEqual(new Set(['new', 'update', 'remove', 'insertBefore']));
  });
});
