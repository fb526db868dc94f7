import type { BookLossReason } from '@l4desk/protocol';
import { backoffMs, type Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { FollowSettings, L4Tuning } from '../settings.ts';
import type { HeldCoin, HeldCoins } from './held-coins.ts';
import { JoinQueue } from './join-queue.ts';

/** The finding in a row from which on a book is taken to contradict its upstream again and again. */
const SPACED_FROM = 3;

/** What a feed keeps of a coin that is joined upstream. */
export interface JoinState {
  /** Consecutive losses without a healthy time in between. */
  losses: number;
  rebuilds: number;
  lastLoss: BookLossReason | null;
  /** When the book last contradicted a block of the upstream; null if it never did. */
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

interface JoinsDeps {
  readonly settings: Pick<FollowSettings, 'pinnedCoins' | 'rebuildMaxMs' | 'auditMs'>;
  readonly coins: HeldCoins<JoinState>;
  readonly tuning: L4Tuning;
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
  readonly isConnected: () => boolean;
  /** When part of a snapshot last arrived; null if none has. */
  readonly progressAt: () => number | null;
  /** Whether a caller waits for the coin's snapshot. */
  readonly isAwaited: (coin: string) => boolean;
  /** It is the coin's turn to be subscribed upstream. */
  readonly subscribe: (coin: string) => void;
  /** The coin's snapshot did not arrive in time. */
  readonly overdue: (coin: string) => void;
  /** No coin waits for its turn or for its snapshot. */
  readonly idle: () => void;
}

/** The joins of held coins: each is joined upstream with its first holder, and again after each loss. */
export class Joins {
  readonly #deps: JoinsDeps;
  readonly #queue: JoinQueue;
  #requests = 0;

  constructor(deps: JoinsDeps) {
    this.#deps = deps;
    const { joinsOutstandingMax, joinShareMax, joinWithinMs } = deps.tuning;
    this.#queue = new JoinQueue(
      { outstandingMax: joinsOutstandingMax, shareMax: joinShareMax, withinMs: joinWithinMs },
      {
        send: deps.subscribe,
        overdue: deps.overdue,
        idle: deps.idle,
        rank: (coin) => this.#rank(coin),
        progressAt: deps.progressAt,
        clock: deps.clock,
      },
    );
  }

  /** Number of coins that wait for their turn, and of those that wait for their snapshot. */
  get counts(): { readonly waiting: number; readonly outstanding: number } {
    return { waiting: this.#queue.waiting, outstanding: this.#queue.outstanding };
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Queues a coin to be joined upstream. */
  add({ coin, cancelRejoin }: JoinedCoin): void {
    if (!this.#deps.isConnected()) return;
    cancelRejoin();
    this.#queue.add(coin);
  }

  /** The coin was left. */
  remove({ coin, cancelRejoin }: JoinedCoin): void {
    cancelRejoin();
    this.#queue.remove(coin);
  }

  /** A caller requests a coin's snapshot. */
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
    this.#queue.clear();
    for (const { cancelRejoin } of this.#deps.coins.all) cancelRejoin();
  }

  /** The coin's snapshot arrived. */
  responded(coin: string): void {
    this.#queue.responded(coin);
  }

  /**
   * The rejoin loop: ends when the coin is live or left. Consecutive losses wait longer each time, up to `rebuildMaxMs`. From the
   * third finding in a row on, rebuilds are `auditMs` apart, because each costs a whole snapshot (D71).
   */
  lost(joined: JoinedCoin, reason: BookLossReason): void {
    const { clock, tuning, settings, random } = this.#deps;
    const spacedMs = this.#spacedMs(joined, reason);
    const healthy = joined.liveSince !== null && clock.now() - joined.liveSince >= tuning.stableMs;
    joined.losses = healthy ? 1 : joined.losses + 1;
    joined.rebuilds += 1;
    joined.lastLoss = reason;
    joined.liveSince = null;
    joined.doubt = null;
    joined.cancelRejoin();
    this.#queue.remove(joined.coin);
    // The first loss is retried at once. After a lost connection, `connected` joins the coin again.
    const pause = { firstMs: tuning.rejoinFirstMs, longestMs: settings.rebuildMaxMs };
    const pauseMs = joined.losses === 1 ? 0 : backoffMs(joined.losses - 1, pause, random);
    const waitMs = Math.max(pauseMs, spacedMs);
    joined.cancelRejoin = clock.after(waitMs, () => this.add(joined));
  }

  /** How long a book that keeps contradicting the upstream waits for its next snapshot; logged once while it goes on. */
  #spacedMs(joined: JoinedCoin, reason: BookLossReason): number {
    const { clock, log, settings } = this.#deps;
    const { auditMs } = settings;
    if (reason !== 'finding' || joined.liveSince === null) return 0;
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

  /**
   * First come coins whose snapshot a caller waits for, the latest request first because its caller has most time left. Then come
   * coins that have holders, then those that are only pinned or lingering.
   */
  #rank(coin: string): number {
    const { lastRequest, holders } = this.#deps.coins.get(coin) ?? { lastRequest: 0, holders: 0 };
    if (this.#deps.isAwaited(coin)) return -lastRequest;
    return holders > (this.#deps.settings.pinnedCoins.includes(coin) ? 1 : 0) ? 1 : 2;
  }
}
