import type { Clock } from '../clock.ts';

/** The clock of a program on Node. `now` has an arbitrary origin. */
export interface SystemClock extends Clock {
  /** Milliseconds since the Unix epoch by the machine's clock; for display, never for measuring. */
  wallNow(): number;
  /** Runs the callback once, after input that has already arrived was read. */
  afterInput(run: () => void): void;
}

/** The clock of this process. Its timers do not keep the process alive. */
export const systemClock: SystemClock = {
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

/** Resolves after this many ms, or when the signal aborts. */
export function pause(clock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
