import { FakeClock } from '@l4desk/testkit';
import type { Clock } from '../clock.ts';

/** A clock that stands still until it is moved; what has arrived counts as read at once. */
export function fakeClock() {
  const fake = new FakeClock();
  const clock: Clock = {
    now: fake.now,
    wallNow: fake.now,
    after: fake.after,
    afterInput: (run) => run(),
  };
  return {
    clock,
    advance: (ms: number) => fake.advance(ms),
    /** How long each timer still waits, soonest first. */
    waiting: () => fake.waiting,
  };
}
