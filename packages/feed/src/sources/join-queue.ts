import type { Clock } from '../clock.ts';

/** How joins share the upstream with everything else that it does. */
export interface JoinQueueSettings {
  /** Most joins that are sent and without their snapshot. */
  readonly outstandingMax: number;
  /** Most of the upstream's time that joins may take, above 0 and at most 1. */
  readonly shareMax: number;
  /** How long a join may go without its snapshot, from its sending or from the upstream's last progress, in ms. */
  readonly withinMs: number;
}

/** Dependencies of joins. */
export interface JoinQueueDeps {
  /** Subscribes the coin upstream. */
  readonly send: (coin: string) => void;
  /** No snapshot came in time. The join stays outstanding until it is removed. */
  readonly overdue: (coin: string) => void;
  /** No join waits or is outstanding. */
  readonly idle: () => void;
  /** The lowest goes first; among equals the one that has waited longest. Asked when a join is to be sent. */
  readonly rank: (coin: string) => number;
  /** When the upstream last made progress with what it was asked for; null when it never did. */
  readonly progressAt: () => number | null;
  readonly clock: Clock;
}

interface Outstanding {
  readonly sentAt: number;
  cancelDeadline: () => void;
}

/** Longest pause after a join: one that took very long is a sign of trouble rather than of work. */
const PAUSE_MS_MAX = 1_000;

/**
 * Coins that are to be joined upstream. Few are sent at a time, each followed by a pause in proportion to what it took: an
 * order-level server sends no blocks while it copies a snapshot, and drops a connection for which too many have piled up (UP-26).
 */
export class JoinQueue {
  readonly #settings: JoinQueueSettings;
  readonly #deps: JoinQueueDeps;
  readonly #waiting = new Set<string>();
  readonly #outstanding = new Map<string, Outstanding>();
  /** How long the last join took. */
  #lastMs = 0;
  #pauseUntil = Number.NEGATIVE_INFINITY;
  #cancelPause = () => {};

  constructor(settings: JoinQueueSettings, deps: JoinQueueDeps) {
    this.#settings = settings;
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get outstanding(): number {
    return this.#outstanding.size;
  }

  get isIdle(): boolean {
    return this.#waiting.size + this.#outstanding.size === 0;
  }

  /** Joins the coin when its turn comes. */
  add(coin: string): void {
    this.#waiting.add(coin);
    this.#sendNext();
  }

  /** The coin's snapshot has come. */
  responded(coin: string): void {
    const join = this.#outstanding.get(coin);
    if (join === undefined) return;
    this.#lastMs = this.#deps.clock.now() - join.sentAt;
    this.#end(coin, join, this.#lastMs);
  }

  /** The coin is not to be joined any more. A join that was sent is taken to cost the upstream as much as the last one. */
  remove(coin: string): void {
    this.#waiting.delete(coin);
    const join = this.#outstanding.get(coin);
    if (join !== undefined) this.#end(coin, join, this.#lastMs);
    else this.#sendNext();
  }

  /** Forgets all coins: the connection is gone. */
  clear(): void {
    this.#cancelPause();
    this.#waiting.clear();
    for (const { cancelDeadline } of this.#outstanding.values()) cancelDeadline();
    this.#outstanding.clear();
  }

  #end(coin: string, join: Outstanding, tookMs: number): void {
    join.cancelDeadline();
    this.#outstanding.delete(coin);
    const pauseMs = Math.min(PAUSE_MS_MAX, tookMs * (1 / this.#settings.shareMax - 1));
    this.#pauseUntil = Math.max(join.sentAt + tookMs, this.#deps.clock.now()) + pauseMs;
    this.#sendNext();
  }

  #sendNext(): void {
    const { clock, idle, send } = this.#deps;
    this.#cancelPause();
    while (this.#waiting.size > 0 && this.#outstanding.size < this.#settings.outstandingMax) {
      const pauseMs = this.#pauseUntil - clock.now();
      if (pauseMs > 0) {
        this.#cancelPause = clock.after(pauseMs, () => this.#sendNext());
        return;
      }
      const coin = this.#first();
      this.#waiting.delete(coin);
      this.#outstanding.set(coin, { sentAt: clock.now(), cancelDeadline: () => {} });
      this.#awaitSnapshot(coin);
      send(coin);
    }
    if (this.isIdle) idle();
  }

  /** The coin to be joined next; called only while one waits. */
  #first(): string {
    let [first = ''] = this.#waiting;
    for (const coin of this.#waiting) if (this.#deps.rank(coin) < this.#deps.rank(first)) first = coin;
    return first;
  }

  #awaitSnapshot(coin: string): void {
    const join = this.#outstanding.get(coin);
    if (join === undefined) return;
    const { clock, overdue, progressAt } = this.#deps;
    const leftMs = () => Math.max(join.sentAt, progressAt() ?? join.sentAt) + this.#settings.withinMs - clock.now();
    join.cancelDeadline = clock.after(leftMs(), () =>
      // A stalled loop finds its timers due before it has read what arrived meanwhile.
      clock.afterInput(() => {
        if (this.#outstanding.get(coin) !== join) return;
        if (leftMs() > 0) this.#awaitSnapshot(coin);
        else overdue(coin);
      }),
    );
  }
}
