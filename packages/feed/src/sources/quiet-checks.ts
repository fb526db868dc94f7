import { type Backoff, backoffMs } from '@l4desk/client/stream';
import type { Clock } from '../clock.ts';

/** Dependencies of the checks of quiet coins. */
export interface QuietCheckDeps {
  /** How long a coin may be without a message before the source is asked, in ms. */
  readonly everyMs: number;
  /** How long the source may take to respond, in ms. */
  readonly withinMs: number;
  /** Asks the source about the coin and takes the response in. Rejects when there is none. */
  readonly ask: (coin: string, signal: AbortSignal) => Promise<void>;
  /** The source did not respond. It is asked again. */
  readonly failed: (coin: string, error: unknown) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Most checks under way at a time. */
const AT_ONCE = 4;

/** The first pause before a failed check is repeated. */
const RETRY_FIRST_MS = 1_000;

/** Part of the period that chance takes away, so that coins that were joined together are not asked about together. */
const SPREAD = 0.25;

/**
 * Asks a source about coins that had no message for `everyMs`: whether they are quiet, or silently lost. A coin
 * that is spoken of costs nothing.
 */
export class QuietChecks {
  readonly #deps: QuietCheckDeps;
  /** When each watched coin is asked about, unless it has a message before. */
  readonly #due = new Map<string, number>();
  readonly #running = new Map<string, AbortController>();
  /** Checks of a coin in a row that got no response. */
  readonly #failures = new Map<string, number>();
  #cancelTimer = () => {};
  #closed = false;

  constructor(deps: QuietCheckDeps) {
    this.#deps = deps;
  }

  /** From now on the coin's silence is asked about. */
  watch(coin: string): void {
    this.#due.set(coin, this.#nextAt());
    this.#arm();
  }

  /** The coin had a message. */
  heard(coin: string): void {
    // The timer may be early then, and finds nothing due: cheaper than setting it with every block.
    if (this.#due.has(coin)) this.#due.set(coin, this.#nextAt());
  }

  /** The coin's silence needs no asking any more. */
  forget(coin: string): void {
    this.#due.delete(coin);
    this.#failures.delete(coin);
    this.#running.get(coin)?.abort();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    for (const coin of this.#due.keys()) this.forget(coin);
  }

  #nextAt(): number {
    const { everyMs, clock, random } = this.#deps;
    return clock.now() + everyMs * (1 - SPREAD * random());
  }

  #arm(): void {
    this.#cancelTimer();
    if (this.#closed || this.#running.size >= AT_ONCE) return;
    let soonest = Number.POSITIVE_INFINITY;
    for (const [coin, at] of this.#due) if (!this.#running.has(coin)) soonest = Math.min(soonest, at);
    if (soonest === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#deps.clock.after(Math.max(0, soonest - this.#deps.clock.now()), () => this.#runDue());
  }

  #runDue(): void {
    const now = this.#deps.clock.now();
    const due = [...this.#due].filter(([coin, at]) => at <= now && !this.#running.has(coin));
    const [...first] = due.sort((a, b) => a[1] - b[1]).slice(0, AT_ONCE - this.#running.size);
    for (const [coin] of first) void this.#check(coin);
    this.#arm();
  }

  /** Loop "check again": a check without a response is repeated, with pauses that grow up to the period, until the coin is forgotten. */
  async #check(coin: string): Promise<void> {
    const { ask, clock, everyMs, failed, random, withinMs } = this.#deps;
    const controller = new AbortController();
    const cancelDeadline = clock.after(withinMs, () => controller.abort(new Error('no response in time')));
    const dueAt = this.#due.get(coin);
    this.#running.set(coin, controller);
    try {
      await ask(coin, controller.signal);
      this.#failures.delete(coin);
      this.heard(coin);
    } catch (error) {
      // A message about the coin meanwhile is as good as a response.
      if (dueAt !== undefined && this.#due.get(coin) === dueAt) {
        const failures = (this.#failures.get(coin) ?? 0) + 1;
        const retry: Backoff = { firstMs: RETRY_FIRST_MS, longestMs: everyMs };
        this.#failures.set(coin, failures);
        this.#due.set(coin, clock.now() + backoffMs(failures, retry, random));
        failed(coin, error);
      }
    } finally {
      cancelDeadline();
      this.#running.delete(coin);
      this.#arm();
    }
  }
}
