import { backoffMs } from '@l4desk/client/stream';
import type { BookLossReason } from '@l4desk/protocol';
import type { CoinLease } from './api.ts';
import type { Clock } from './clock.ts';
import { coinLease } from './coin-lease.ts';
import type { L4FeedSettings, L4Tuning } from './settings.ts';
import { JoinQueue } from './sources/join-queue.ts';

/** One coin with a holder, or that had one a moment ago. */
export interface JoinedCoin {
  readonly coin: string;
  holders: number;
  /** Losses in a row, none of them after a healthy time. */
  losses: number;
  rebuilds: number;
  lastLoss: BookLossReason | null;
  liveSince: number | null;
  /** Why the book may be old although nothing contradicts it, null while nothing speaks for it. */
  doubt: BookLossReason | null;
  lastBlockAt: number;
  /** Which request for a snapshot was the last about this coin; they are numbered. */
  lastRequest: number;
  /** Ends the wait before the coin is joined again. */
  cancelRejoin: () => void;
  cancelLinger: () => void;
}

interface JoinedCoinsDeps {
  readonly settings: Pick<L4FeedSettings, 'pinnedCoins' | 'lingerMs' | 'rebuildMaxMs'>;
  readonly tuning: L4Tuning;
  readonly clock: Clock;
  readonly random: () => number;
  readonly isConnected: () => boolean;
  /** When a part of a snapshot last came, null when none did. */
  readonly progressAt: () => number | null;
  /** A caller waits for the coin's snapshot. */
  readonly isAwaited: (coin: string) => boolean;
  /** The coin has its first holder. */
  readonly added: (coin: string) => void;
  /** It has had none for as long as a coin lingers. */
  readonly left: (coin: string) => void;
  /** It is the coin's turn to be subscribed upstream. */
  readonly subscribe: (coin: string) => void;
  /** Its snapshot did not come in time. */
  readonly overdue: (coin: string) => void;
  /** No coin waits for its turn or for its snapshot. */
  readonly idle: () => void;
}

const NOTHING = () => {};

/** Which coins are followed upstream: from their first holder on, again after each loss, until they have had none for a while. */
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

  /** How many coins wait for their turn, and for their snapshot. */
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

  /** A caller asks for a coin's snapshot. */
  requested(coin: string): void {
    this.#requests += 1;
    const joined = this.#coins.get(coin);
    if (joined !== undefined) joined.lastRequest = this.#requests;
  }

  /** The upstream is connected: every coin is joined, one after the other. */
  connected(): void {
    for (const joined of this.#coins.values()) this.#join(joined);
  }

  disconnected(): void {
    this.#queue.clear();
    for (const { cancelRejoin } of this.#coins.values()) cancelRejoin();
  }

  /** The coin's snapshot came. */
  responded(coin: string): void {
    this.#queue.responded(coin);
  }

  /** The rejoin loop: ends when the coin is live or left; each turn in a row waits longer, up to the longest wait. */
  lost(joined: JoinedCoin, reason: BookLossReason): void {
    const { clock, tuning, settings, random } = this.#deps;
    const healthy = joined.liveSince !== null && clock.now() - joined.liveSince >= tuning.stableMs;
    joined.losses = healthy ? 1 : joined.losses + 1;
    joined.rebuilds += 1;
    joined.lastLoss = reason;
    joined.liveSince = null;
    joined.doubt = null;
    joined.cancelRejoin();
    this.#queue.remove(joined.coin);
    // The first loss is healed at once; a lost connection is joined on again by `connected`.
    const pause = { firstMs: tuning.rejoinFirstMs, longestMs: settings.rebuildMaxMs };
    const waitMs = joined.losses === 1 ? 0 : backoffMs(joined.losses - 1, pause, random);
    joined.cancelRejoin = clock.after(waitMs, () => this.#join(joined));
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

  /** Has a coin joined upstream when its turn comes. */
  #join({ coin, cancelRejoin }: JoinedCoin): void {
    if (!this.#deps.isConnected()) return;
    cancelRejoin();
    this.#queue.add(coin);
  }

  /**
   * First the coin whose snapshot a caller waits for, the latest request before earlier ones: its caller has most time left.
   * Then the coins that are followed, then those that are only pinned, or left and lingering.
   */
  #rank(coin: string): number {
    const { lastRequest, holders } = this.#coins.get(coin) ?? { lastRequest: 0, holders: 0 };
    if (this.#deps.isAwaited(coin)) return -lastRequest;
    return holders > (this.#deps.settings.pinnedCoins.includes(coin) ? 1 : 0) ? 1 : 2;
  }
}
