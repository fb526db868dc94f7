import type { BookLossReason } from '@l4desk/protocol';
import { backoffMs, type Log } from '@l4desk/runtime';
import { afterReading, type SystemClock } from '@l4desk/runtime/node';
import type { FollowSettings, L4Tuning } from '../settings.ts';
import type { HeldCoin, HeldCoins } from './held-coins.ts';

/** Longest pause after a join: a join that took very long is a sign of trouble rather than of load. */
const PAUSE_MS_MAX = 1_000;

/** A coin that was live for this long is healthy: its next loss counts as the first. */
const STABLE_MS = 10_000;

const REJOIN_FIRST_MS = 500;

/** The contradiction in a row from which on a book is taken to contradict its upstream again and again. */
const SPACED_FROM = 3;

/** What a feed keeps of a coin that is joined upstream. */
export interface JoinState {
  /** Consecutive losses without a healthy time in between. */
  losses: number;
  rebuilds: number;
  lastLoss: BookLossReason | null;
  /** When a block of the upstream last contradicted the book, or could not be read; null if none ever did. */
  lastFindingAt: number | null;
  /** Number of such contradictions with less than twice `auditMs` between them. */
  findings: number;
  liveSince: number | null;
  /** Why the book may be outdated although nothing contradicts it; null if there is no reason to doubt it. */
  doubt: BookLossReason | null;
  lastBlockAt: number;
  /** Number of the last snapshot request for this coin; requests are numbered across coins. */
  lastRequest: number;
  /** Cancels the pause before the coin is joined again. */
  cancelRejoin: () => void;
}

export type JoinedCoin = HeldCoin & JoinState;

/** The state of a coin with its first holder. */
export function newJoinState(): JoinState {
  return {
    losses: 0,
    rebuilds: 0,
    lastLoss: null,
    lastFindingAt: null,
    findings: 0,
    liveSince: null,
    doubt: null,
    lastBlockAt: 0,
    lastRequest: 0,
    cancelRejoin: () => {},
  };
}

interface Outstanding {
  readonly sentAt: number;
  cancelDeadline: () => void;
}

export interface JoinsDeps {
  readonly settings: Pick<FollowSettings, 'pinnedCoins' | 'rebuildMaxMs' | 'auditMs'>;
  readonly coins: Pick<HeldCoins<JoinState>, 'all' | 'get'>;
  readonly tuning: L4Tuning;
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
  readonly isConnected: () => boolean;
  /** When the upstream last made progress with a request; null if it never did. */
  readonly progressAt: () => number | null;
  readonly isAwaited: (coin: string) => boolean;
  readonly subscribe: (coin: string) => void;
  /** The coin's snapshot did not arrive in time. The join stays outstanding until the coin is lost or removed. */
  readonly overdue: (coin: string) => void;
  readonly idle: () => void;
}

/**
 * Joins held coins upstream, again after each loss. Few are sent at a time, each followed by a pause: an order-level
 * server sends no blocks while it copies a snapshot, and drops a connection with too many queued ones.
 */
export class Joins {
  readonly #deps: JoinsDeps;
  readonly #waiting = new Set<string>();
  readonly #outstanding = new Map<string, Outstanding>();
  #lastMs = 0;
  #pauseUntil = Number.NEGATIVE_INFINITY;
  #cancelPause = () => {};
  #requests = 0;

  constructor(deps: JoinsDeps) {
    this.#deps = deps;
  }

  /** Number of coins that wait for their turn, and of those that wait for their snapshot. */
  get counts(): { readonly waiting: number; readonly outstanding: number } {
    return { waiting: this.#waiting.size, outstanding: this.#outstanding.size };
  }

  get isIdle(): boolean {
    return this.#waiting.size + this.#outstanding.size === 0;
  }

  add({ coin, cancelRejoin }: JoinedCoin): void {
    if (!this.#deps.isConnected()) return;
    cancelRejoin();
    this.#waiting.add(coin);
    this.#sendNext();
  }

  remove({ coin, cancelRejoin }: JoinedCoin): void {
    cancelRejoin();
    this.#drop(coin);
  }

  requested(coin: string): void {
    this.#requests += 1;
    const joined = this.#deps.coins.get(coin);
    if (joined !== undefined) joined.lastRequest = this.#requests;
  }

  /** The upstream is connected: queues every coin. */
  connected(): void {
    for (const joined of this.#deps.coins.all) this.add(joined);
  }

  /** Also when the feed is closed. */
  disconnected(): void {
    this.#cancelPause();
    this.#waiting.clear();
    for (const { cancelDeadline } of this.#outstanding.values()) cancelDeadline();
    this.#outstanding.clear();
    for (const { cancelRejoin } of this.#deps.coins.all) cancelRejoin();
  }

  responded(coin: string): void {
    const join = this.#outstanding.get(coin);
    if (join === undefined) return;
    this.#lastMs = this.#deps.clock.now() - join.sentAt;
    this.#end(coin, join, this.#lastMs);
  }

  /** The rejoin loop: ends when the coin is live or left. Each loss waits longer, repeated findings `auditMs` (D71). */
  lost(joined: JoinedCoin, reason: BookLossReason): void {
    const { clock, settings, random } = this.#deps;
    const spacedMs = this.#spacedMs(joined, reason);
    const healthy = joined.liveSince !== null && clock.now() - joined.liveSince >= STABLE_MS;
    joined.losses = healthy ? 1 : joined.losses + 1;
    joined.rebuilds += 1;
    joined.lastLoss = reason;
    joined.liveSince = null;
    joined.doubt = null;
    joined.cancelRejoin();
    this.#drop(joined.coin);
    // The first loss is retried at once. After a lost connection, `connected` joins the coin again.
    const pause = { firstMs: REJOIN_FIRST_MS, longestMs: settings.rebuildMaxMs };
    const pauseMs = joined.losses === 1 ? 0 : backoffMs(joined.losses - 1, pause, random);
    const waitMs = Math.max(pauseMs, spacedMs);
    joined.cancelRejoin = clock.after(waitMs, () => this.add(joined));
  }

  /** How long a book that keeps contradicting the upstream waits for its next snapshot; logged once while it goes on. */
  #spacedMs(joined: JoinedCoin, reason: BookLossReason): number {
    const { clock, log, settings } = this.#deps;
    const { auditMs } = settings;
    if ((reason !== 'finding' && reason !== 'malformed') || joined.liveSince === null) return 0;
    const now = clock.now();
    const { coin, lastFindingAt, rebuilds } = joined;
    const isRepeated = lastFindingAt !== null && now - lastFindingAt < 2 * auditMs;
    joined.lastFindingAt = now;
    joined.findings = isRepeated ? joined.findings + 1 : 1;
    if (joined.findings < SPACED_FROM) return 0;
    if (joined.findings === SPACED_FROM)
      log.warn(
        { coin, rebuilds: rebuilds + 1, auditMs },
        'the book keeps contradicting the upstream: rebuilding every L4_AUDIT_MS',
      );
    return Math.max(0, joined.liveSince + auditMs - now);
  }

  /** A join that was already sent is assumed to take the upstream as long as the last one. */
  #drop(coin: string): void {
    this.#waiting.delete(coin);
    const join = this.#outstanding.get(coin);
    if (join !== undefined) this.#end(coin, join, this.#lastMs);
    else this.#sendNext();
  }

  #end(coin: string, join: Outstanding, tookMs: number): void {
    join.cancelDeadline();
    this.#outstanding.delete(coin);
    const pauseMs = Math.min(PAUSE_MS_MAX, tookMs * (1 / this.#deps.tuning.joinShareMax - 1));
    this.#pauseUntil = Math.max(join.sentAt + tookMs, this.#deps.clock.now()) + pauseMs;
    this.#sendNext();
  }

  #sendNext(): void {
    const { clock, idle, subscribe, tuning } = this.#deps;
    this.#cancelPause();
    while (this.#waiting.size > 0 && this.#outstanding.size < tuning.joinsOutstandingMax) {
      const pauseMs = this.#pauseUntil - clock.now();
      if (pauseMs > 0) {
        this.#cancelPause = clock.after(pauseMs, () => this.#sendNext());
        return;
      }
      const coin = this.#first();
      this.#waiting.delete(coin);
      this.#outstanding.set(coin, { sentAt: clock.now(), cancelDeadline: () => {} });
      this.#awaitSnapshot(coin);
      subscribe(coin);
    }
    if (this.isIdle) idle();
  }

  /** The next coin to join; called only while one is waiting. */
  #first(): string {
    let [first = ''] = this.#waiting;
    for (const coin of this.#waiting) if (this.#rank(coin) < this.#rank(first)) first = coin;
    return first;
  }

  #awaitSnapshot(coin: string): void {
    const join = this.#outstanding.get(coin);
    if (join === undefined) return;
    const { clock, overdue, progressAt, tuning } = this.#deps;
    const leftMs = () => Math.max(join.sentAt, progressAt() ?? join.sentAt) + tuning.joinWithinMs - clock.now();
    join.cancelDeadline = afterReading(clock, leftMs(), () => {
      if (leftMs() > 0) this.#awaitSnapshot(coin);
      else overdue(coin);
    });
  }

  /** Coins whose snapshot a caller waits for come first, the latest request first; then those with holders. */
  #rank(coin: string): number {
    const { lastRequest, holders } = this.#deps.coins.get(coin) ?? { lastRequest: 0, holders: 0 };
    if (this.#deps.isAwaited(coin)) return -lastRequest;
    return holders > (this.#deps.settings.pinnedCoins.includes(coin) ? 1 : 0) ? 1 : 2;
  }
}
