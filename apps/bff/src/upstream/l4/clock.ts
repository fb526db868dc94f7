/** Time as the L4 path sees it, handed in so that tests can hold it still. */
export interface Clock {
  /** Milliseconds that only rise; where they start means nothing. */
  now(): number;
  /** Milliseconds since the Unix epoch, as the machine has them: for what is shown, never for measuring. */
  wallNow(): number;
  /** Runs once after so many ms; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
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
