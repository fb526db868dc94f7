import type { SystemClock } from '@l4desk/runtime/node';

/** Settings that limit the share of the upstream that joins take. */
export interface JoinQueueSettings {
  /** Maximum number of joins that were sent and have no snapshot yet. */
  readonly outstandingMax: number;
  /** Maximum share of the upstream's time for joins, above 0 and at most 1. */
  readonly shareMax: number;
  /** How long a join may wait for its snapshot, from its sending or from the upstream's last progress, in ms. */
  readonly withinMs: number;
}

/** Dependencies of joins. */
export interface JoinQueueDeps {
  /** Subscribes the coin upstream. */
  readonly send: (coin: string) => void;
  /** No snapshot arrived in time. The join stays outstanding until it is removed. */
  readonly overdue: (coin: string) => void;
  /** No join is waiting or outstanding. */
  readonly idle: () => void;
  /**
   * Rank of a coin: the lowest goes first, and among equals the one that has waited longest. Called when a join is to be sent.
   */
  readonly rank: (coin: string) => number;
  /** When the upstream last made progress with a request; null if it never did. */
  readonly progressAt: () => number | null;
  readonly clock: SystemClock;
}

interface Outstanding {
  readonly sentAt: number;
  cancelDeadline: () => void;
}

/** Longest pause after a join: a join that took very long is a sign of trouble rather than of load. */
const PAUSE_MS_MAX = 1_000;

/**
 * Queue of coins to join upstream. Few joins are sent at a time, each followed by a pause proportional to its duration: an
 * order-level server sends no blocks while it copies a snapshot, and drops a connection for which too many blocks have queued
 * up.
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

  /** The coin's snapshot has arrived. */
  responded(coin: string): void {
    const join = this.#outstanding.get(coin);
    if (join === undefined) return;
    this.#lastMs = this.#deps.clock.now() - join.sentAt;
    this.#end(coin, join, this.#lastMs);
  }

  /** Removes a coin. A join that was already sent is assumed to take the upstream as long as the last one. */
  remove(coin: string): void {
    this.#waiting.delete(coin);
    const join = this.#outstanding.get(coin);
    if (join !== undefined) this.#end(coin, join, this.#lastMs);
    else this.#sendNext();
  }

  /** Drops all coins; used when the connection is lost. */
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

  /** The next coin to join; called only while one is waiting. */
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
      // After a stall the event loop runs due timers before it reads what arrived meanwhile.
      clock.afterInput(() => {
        if (this.#outstanding.get(coin) !== join) return;
        if (leftMs() > 0) this.#awaitSnapshot(coin);
        else overdue(coin);
      }),
    );
  }
}
