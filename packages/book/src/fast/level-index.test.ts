import { fuzzRuns } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LevelIndex } from './level-index.ts';

function walked(index: LevelIndex, from?: number): number[] {
  const walk = from === undefined ? index.walk() : index.walkFrom(from);
  const ids: number[] = [];
  for (let id = walk.next(); id >= 0; id = walk.next()) ids.push(id);
  expect(walk.next()).toBe(-1);
  return ids;
}

it('LevelIndex keeps the order of a sorted array through any inserts and deletes', () => {
  // Few keys and many steps, some of which delete a whole range, so that leaves split, become empty and fill again.
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: -400, max: 400 })), {
    minLength: 200,
    maxLength: 1_500,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: -401, max: 401 }), (moves, probe) => {
      const index = new LevelIndex();
      const keys = new Set<number>();
      for (const [kind, key] of moves) {
        if (!keys.has(key)) {
          index.insert(key, key + 1_000);
          keys.add(key);
        } else if (kind < 30) {
          const last = kind === 0 ? key + 200 : key;
          for (let gone = key; gone <= last; gone += 1) if (keys.delete(gone)) index.delete(gone);
        }
      }
      const sorted = [...keys].sort((a, b) => b - a);
      const ids = sorted.map((key) => key + 1_000);
      expect(index.size).toBe(keys.size);
      expect(walked(index)).toEqual(ids);
      expect(index.best()).toBe(ids[0] ?? -1);
      expect(index.worst()).toBe(ids.at(-1) ?? -1);
      expect(index.find(probe)).toBe(keys.has(probe) ? probe + 1_000 : -1);
      expect(walked(index, probe)).toEqual(sorted.filter((key) => key <= probe).map((key) => key + 1_000));
      index.scale(10);
      expect(walked(index)).toEqual(ids);
      expect(walked(index, probe * 10)).toEqual(sorted.filter((key) => key <= probe).map((key) => key + 1_000));
    }),
    fuzzRuns(60),
  );
});
