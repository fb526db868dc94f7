import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawnSlots } from './usage-plot.ts';

it('draws the highest of the bars that share a px, and all bars that have their own', () => {
  const stack = fc.option(fc.record({ free: fc.nat(50), premium: fc.nat(50) }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(stack, { maxLength: 200 }), fc.constantFrom(0.1, 0.37, 1, 3), (stacks, step) => {
      const slots = drawnSlots(stacks, step);
      const column = (slot: number) => Math.floor(slot * step);
      expect(new Set(slots.map(column)).size, 'one a px').toBe(slots.length);
      for (const [slot, each] of stacks.entries()) {
        if (each === undefined) continue;
        const drawn = stacks[slots.find((other) => column(other) === column(slot)) ?? -1];
        expect((drawn?.free ?? 0) + (drawn?.premium ?? 0)).toBeGreaterThanOrEqual(each.free + each.premium);
      }
    }),
  );
});
