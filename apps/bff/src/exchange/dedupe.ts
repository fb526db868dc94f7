import { setMaxListeners } from 'node:events';

/** A call older than this is not joined, so that a hanging call does not delay later callers. */
const JOINABLE_MS = 1_000;

/** One call for all callers who asked the same at the same time. */
export class SharedCall<T> {
  /** Ends the call, also when all callers have left. */
  readonly end = new AbortController();
  readonly #startedAt: number;
  readonly #onClose: () => void;
  /** Rejects each caller that has left. */
  readonly #callers = new Set<() => void>();
  #isSent = false;
  #result: Promise<T> | undefined;

  constructor(startedAt: number, onClose: () => void) {
    this.#startedAt = startedAt;
    this.#onClose = onClose;
  }

  isJoinable(now: number): boolean {
    return now - this.#startedAt <= JOINABLE_MS;
  }

  /** From now on no caller can leave: a sent call is finished (BILL-24). */
  sent(): void {
    this.#isSent = true;
  }

  /** The request must be sent again: callers that have left are dropped (BILL-23). */
  unsent(): void {
    this.#isSent = false;
    for (const leave of this.#callers) leave();
  }

  /** No later caller may join, because the response shows an earlier state (INFO-23). */
  close(): void {
    this.#onClose();
  }

  /** Resolves with the result. Rejects with the reason of `signal` if it aborts while callers can leave. */
  join(signal: AbortSignal | undefined, start: (call: SharedCall<T>) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (this.#isSent || signal?.aborted !== true || !this.#callers.delete(leave)) return;
        signal.removeEventListener('abort', leave);
        reject(signal.reason as Error);
        if (this.#callers.size > 0) return;
        this.close();
        this.end.abort(signal.reason);
      };
      this.#callers.add(leave);
      signal?.addEventListener('abort', leave);
      this.#result ??= start(this).finally(() => this.close());
      this.#result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  }
}

/** Calls in flight by key. Nothing is kept after a call. */
export class Dedupe<T> {
  readonly #calls = new Map<string, SharedCall<T>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  call(key: string, signal: AbortSignal | undefined, start: (call: SharedCall<T>) => Promise<T>): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    // A batch makes many calls with one signal.
    if (signal !== undefined) setMaxListeners(0, signal);
    const now = this.#now();
    const known = this.#calls.get(key);
    if (known?.isJoinable(now) === true) return known.join(signal, start);
    const call: SharedCall<T> = new SharedCall(now, () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    });
    this.#calls.set(key, call);
    return call.join(signal, start);
  }
}
