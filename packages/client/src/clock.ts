/** Time as code that waits sees it, passed in so that tests can control it. */
export interface Clock {
  /** Milliseconds that rise. */
  now(): number;
  /** Runs once after this many ms; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
}
