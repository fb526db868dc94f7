/** The time source of code that waits, passed in so that tests can control it. */
export interface Clock {
  /** Current time in ms. */
  now(): number;
  /** Calls `run` once after `delayMs` ms. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
}
