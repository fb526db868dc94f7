import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('slots', () => {
  it('never run more than there are, and are never idle while a waiter is queued', () => {
    const step = fc.oneof(fc.constant('take' as const), fc.nat(9));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { minLength: 20, maxLength: 60 }), (count, steps) => {
        const slots = new Slots(count);
        const running = new Set<number>();
        const alive = new Set<number>();
        const give: (() => void)[] = [];
        for (const step of steps) {
          if (step === 'take') {
            const id = give.length;
            alive.add(id);
            give.push(slots.take(() => running.add(id)));
          } else {
            running.delete(step);
            alive.delete(step);
            give[step]?.();
          }
          expect(running.size).toBe(Math.min(count, alive.size));
          // Whoever gave up is not started.
          expect([...running].filter((id) => !alive.has(id))).toEqual([]);
        }
      }),
    );
  });
});
