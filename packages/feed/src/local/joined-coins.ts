import type { BookLossReason } from '@l4desk/protocol';
import { backoffMs, type Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { CoinLease } from '../api.ts';
import { coinLease } from '../coin-lease.ts';
import type { L4FeedSettings, L4Tuning } from '../settings.ts';
import { JoinQueue } from './join-queue.ts';

/** The finding in a row from which on a book is taken to contradict its upstream again and again. */
const SPACED_FROM = 3;

/** A coin that has a holder, or still lingers after its last one. */
export interface JoinedCoin {
  readonly coin: string;
  holders: number;
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
  cancelLinger: () => void;
}

interface JoinedCoinsDeps {
  readonly settings: Pick<L4FeedSettings, 'pinnedCoins' | 'lingerMs' | 'rebuildMaxMs' | 'auditMs'>;
  readonly tuning: L4Tuning;
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
  readonly isConnected: () => boolean;
  /** When part of a snapshot last arrived; null if none has. */
  readonly progressAt: () => number | null;
  /** Whether a caller waits for the coin's snapshot. */
  readonly isAwaited: (coin: string) => boolean;
  /** The coin has its first holder. */
  readonly added: (coin: string) => void;
  /** The coin has had no holder for the whole linger time. */
  readonly left: (coin: string) => void;
  /** It is the coin's turn to be subscribed upstream. */
  readonly subscribe: (coin: string) => void;
  /** The coin's snapshot did not arrive in time. */
  readonly overdue: (coin: string) => void;
  /** No coin waits for its turn or for its snapshot. */
  readonly idle: () => void;
}

const NOTHING = () => {};

/** The coins followed upstream: joined with their first holder, rejoined after each loss, left after the linger time. */
export class JoinedCoins {
  readonly #deps: JoinedCoinsDeps;
  readonly #coins = new Map<string, JoinedCoin>();
  readonly #queue: JoinQueue;
  #requests = 0;
  #closed = false;

  constructor(deps: JoinedCoinsDeps) {
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

  get names(): Iterable<string> {
    return this.#coins.keys();
  }

  get all(): readonly JoinedCoin[] {
    return [...this.#coins.values()];
  }

  get(coin: string): JoinedCoin | undefined {
    return this.#coins.get(coin);
  }

  /** Number of coins that wait for their turn, and of those that wait for their snapshot. */
  get joins(): { readonly waiting: number; readonly outstanding: number } {
    return { waiting: this.#queue.waiting, outstanding: this.#queue.outstanding };
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  acquire(coin: string): CoinLease {
    const joined = this.#hold(coin);
    return coinLease(coin, () => this.#release(joined));
  }

  /** A caller requests a coin's snapshot. */
  requested(coin: string): void {
    this.#requests += 1;
    const joined = this.#coins.get(coin);
    if (joined !== undefined) joined.lastRequest = this.#requests;
  }

  /** The upstream is connected: queues every coin to be joined. */
  connected(): void {
    for (const joined of this.#coins.values()) this.#join(joined);
  }

  disconnected(): void {
    this.#queue.clear();
    for (const { cancelRejoin } of this.#coins.values()) cancelRejoin();
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
    joined.cancelRejoin = clock.after(waitMs, () => this.#join(joined));
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

  close(): void {
    this.#closed = true;
    this.#queue.clear();
    for (const { cancelRejoin, cancelLinger } of this.#coins.values()) {
      cancelRejoin();
      cancelLinger();
    }
  }

  #hold(coin: string): JoinedCoin {
    let joined = this.#coins.get(coin);
    if (joined === undefined) {
      joined = {
        coin,
        holders: 0,
        losses: 0,
        rebuilds: 0,
        lastLoss: null,
        lastFindingAt: null,
        findings: 0,
        liveSince: null,
        doubt: null,
        lastBlockAt: 0,
        lastRequest: 0,
        cancelRejoin: NOTHING,
        cancelLinger: NOTHING,
      };
      this.#coins.set(coin, joined);
      this.#deps.added(coin);
      this.#join(joined);
    }
    joined.holders += 1;
    joined.cancelLinger();
    return joined;
  }

  #release(joined: JoinedCoin): void {
    joined.holders -= 1;
    if (joined.holders > 0 || this.#closed) return;
    const { clock, settings } = this.#deps;
    joined.cancelLinger = clock.after(settings.lingerMs, () => this.#leave(joined));
  }

  #leave({ coin, cancelRejoin }: JoinedCoin): void {
    cancelRejoin();
    this.#coins.delete(coin);
    this.#deps.left(coin);
    this.#queue.remove(coin);
  }

  /** Queues a coin to be joined upstream. */
  #join({ coin, cancelRejoin }: JoinedCoin): void {
    if (!this.#deps.isConnected()) return;
    cancelRejoin();
    this.#queue.add(coin);
  }

  /**
   * First come coins whose snapshot a caller waits for, the latest request first because its caller has most time left. Then come
   * coins that have holders, then those that are only pinned or lingering.
   */
  #rank(coin: string): number {
    const { lastRequest, holders } = this.#coins.get(coin) ?? { lastRequest: 0, holders: 0 };
    if (this.#deps.isAwaited(coin)) return -lastRequest;
    return holders > (this.#deps.settings.pinnedCoins.includes(coin) ? 1 : 0) ? 1 : 2;
  }
}
