import { FakeClock } from './fake-clock.ts';

/** A clock for the feed that only moves when told to. Anything that has arrived counts as read at once. */
export function stoppedClock() {
  const fake = new FakeClock();
  const clock = {
    now: fake.now,
    wallNow: fake.now,
    after: fake.after,
    afterInput: (run: () => void) => run(),
  };
  return {
    clock,
    advance: (ms: number) => fake.advance(ms),
    /** How long each timer still waits, soonest first. */
    waiting: () => fake.waiting,
  };
}
