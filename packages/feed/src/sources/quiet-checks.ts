import { type Backoff, backoffMs } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';

/** Dependencies of the checks of quiet coins. */
export interface QuietCheckDeps {
  /** How long a coin may be without a message before it is checked, in ms. */
  readonly everyMs: number;
  /** How long the source may take to respond, in ms. */
  readonly withinMs: number;
  /** Asks the source about the coin and processes the response. Rejects if there is none. */
  readonly ask: (coin: string, signal: AbortSignal) => Promise<void>;
  /** The source did not respond; the check is repeated. */
  readonly failed: (coin: string, error: unknown) => void;
  readonly clock: SystemClock;
  readonly random: () => number;
}

/** Maximum number of checks in flight. */
const AT_ONCE = 4;

/** The first pause before a failed check is repeated. */
const RETRY_FIRST_MS = 1_000;

/** Random share by which the period is shortened, so that coins that were joined together are not checked together. */
const SPREAD = 0.25;

/**
 * Asks a source whether coins without a message for `everyMs` are quiet or silently lost. Coins that have messages are never
 * checked, so they cost nothing.
 */
export class QuietChecks {
  readonly #deps: QuietCheckDeps;
  /** When each watched coin is checked, unless it has a message before. */
  readonly #due = new Map<string, number>();
  readonly #running = new Map<string, AbortController>();
  /** Number of consecutive checks of a coin without a response. */
  readonly #failures = new Map<string, number>();
  #cancelTimer = () => {};
  #closed = false;

  constructor(deps: QuietCheckDeps) {
    this.#deps = deps;
  }

  /** Starts checking the coin when it is silent. */
  watch(coin: string): void {
    this.#due.set(coin, this.#nextAt());
    this.#arm();
  }

  /** The coin had a message. */
  heard(coin: string): void {
    // The timer may then fire early and find nothing due, which is cheaper than resetting it with every block.
    if (this.#due.has(coin)) this.#due.set(coin, this.#nextAt());
  }

  /** Stops checking the coin. */
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

  /**
   * Checks a coin. A check without a response is repeated, with pauses that grow up to the period, until the coin is forgotten.
   */
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
      // A message about the coin meanwhile counts as a response.
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
