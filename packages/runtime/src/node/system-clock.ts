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

/**
 * Like `clock.after`, but runs once what has arrived by then is read: after a stall the event loop runs due timers first.
 */
export function afterReading(clock: SystemClock, delayMs: number, run: () => void): () => void {
  let isCancelled = false;
  const cancel = clock.after(delayMs, () =>
    clock.afterInput(() => {
      if (!isCancelled) run();
    }),
  );
  return () => {
    isCancelled = true;
    cancel();
  };
}

/** Runs periodically, each time after reading what has arrived, until the returned function is called. */
export function every(clock: SystemClock, periodMs: number, run: () => void): () => void {
  let cancel: () => void;
  const arm = () => {
    cancel = afterReading(clock, periodMs, () => {
      arm();
      run();
    });
  };
  arm();
  return () => cancel();
}

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

/** A signal that aborts after this many ms. Node 20 may garbage-collect `AbortSignal.timeout`'s. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
