import type { Clock as WaitingClock } from '@l4desk/client/stream';

/** The clock of the L4 path. `now` has an arbitrary origin. */
export interface Clock extends WaitingClock {
  /** Milliseconds since the Unix epoch by the machine's clock; for display, never for measuring. */
  wallNow(): number;
  /** Runs the callback once, after input that has already arrived was read. */
  afterInput(run: () => void): void;
}

/** The clock of this process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  afterInput(run) {
    setImmediate(run);
  },
};
