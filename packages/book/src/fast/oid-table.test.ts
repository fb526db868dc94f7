import { fuzzRuns } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OidTable } from './oid-table.ts';

describe('OidTable', () => {
  it('finds what a Map finds, through any inserts and deletes', () => {
    const oid = fc.oneof(fc.nat(40), fc.integer({ min: 412_036_241_776, max: 412_036_241_900 }), fc.maxSafeNat());
    const step = fc.tuple(fc.boolean(), oid);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const table = new OidTable();
        const oids = new Float64Array(steps.length);
        const map = new Map<number, number>();
        for (const [slot, [enters, key]] of steps.entries()) {
          const known = map.get(key);
          if (enters && known === undefined) {
            oids[slot] = key;
            table.set(oids, key, slot);
            map.set(key, slot);
          } else if (!enters && known !== undefined) {
            table.delete(oids, key);
            map.delete(key);
          }
          for (const [, asked] of steps) expect(table.find(oids, asked)).toBe(map.get(asked) ?? -1);
        }
      }),
      fuzzRuns(30),
    );
  });

  it('replaces the slot of an oid that is set again, and ignores oids that it does not hold', () => {
    const table = new OidTable();
    const oids = Float64Array.of(7, 7);
    table.set(oids, 7, 0);
    table.set(oids, 7, 1);
    expect(table.find(oids, 7)).toBe(1);
    table.delete(oids, 8);
    expect(table.find(oids, 7)).toBe(1);
  });
});
