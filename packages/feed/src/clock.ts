import type { Clock as WaitingClock } from '@l4desk/client/stream';

/** Time as the L4 path sees it. Where its `now` starts means nothing. */
export interface Clock extends WaitingClock {
  /** Milliseconds since the Unix epoch, as the machine has them: for what is shown, never for measuring. */
  wallNow(): number;
  /** Runs once after input that is already there was read. */
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
