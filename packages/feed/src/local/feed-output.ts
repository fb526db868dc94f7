import type { BookViewQuery, UpstreamBlocks } from '@l4desk/protocol';
import { Cadence, Listeners } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import {
  type BookView,
  type CoinStatus,
  type CoinTrades,
  type FeedBookStatus,
  type PublishedBlock,
  roundedBlocks,
  type ViewLease,
} from '../api.ts';
import type { CoinView } from '../blocks/coin-view.ts';
import { BookViews } from '../channels/book-views.ts';
import { ViewHolders } from '../channels/view-holders.ts';
import { BookStatuses } from './book-statuses.ts';
import { CoinReaders } from './coin-readers.ts';

/** Listeners for state changes. */
export interface StateListeners {
  /** Called when a state shown by `health` changed. */
  readonly onStateChange?: () => void;
  /** Called when the book state of a coin changed; the status is null when the coin was left. */
  readonly onBookStatus?: (coin: string, status: CoinStatus | null, upstreamAgeMs: number | null) => void;
}

interface FeedOutputDeps {
  readonly rebuildMaxMs: number;
  readonly clock: SystemClock;
  /** A live coin's book; null while it is not live. */
  readonly view: (coin: string) => CoinView | null;
  /** Coins that have a holder, or still linger after their last one. */
  readonly coins: () => Iterable<string>;
  /** Time since the upstream's last sign of life, in ms; null if there was none. */
  readonly upstreamAgeMs: () => number | null;
}

/** What a feed reports to its readers: blocks, trades, views of its books, and the state of each book. */
export class FeedOutput {
  readonly statuses: BookStatuses;
  readonly views: BookViews;
  readonly readers = new CoinReaders();
  readonly #deps: FeedOutputDeps;
  readonly #viewHolders: ViewHolders;
  readonly #blockListeners = new Listeners<PublishedBlock>();
  readonly #tradeListeners = new Listeners<CoinTrades>();
  readonly #statusListeners = new Listeners<FeedBookStatus>();
  /** Cadence of the upstream's blocks, over all coins. */
  #cadence = new Cadence();
  #blockAt: number | null = null;
  #blocks = 0;
  #entries = 0;

  constructor(deps: FeedOutputDeps, told: StateListeners) {
    this.#deps = deps;
    const { rebuildMaxMs, clock, view, coins } = deps;
    this.statuses = new BookStatuses(rebuildMaxMs, clock, (coin, status) => {
      told.onBookStatus?.(coin, status, deps.upstreamAgeMs());
      if (status !== null) this.#statusListeners.tell(this.bookStatus(coin));
      told.onStateChange?.();
    });
    this.views = new BookViews({
      coin: view,
      liveCoins: () => [...coins()].filter((coin) => view(coin) !== null),
      changed: (key, data) => this.#viewHolders.tell({ key, data }),
    });
    this.#viewHolders = new ViewHolders(
      (query) => this.views.watch(query),
      (query) => this.views.unwatch(query),
    );
  }

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.#blockListeners.add(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    return this.#tradeListeners.add(listener);
  }

  bookStatus(coin: string): FeedBookStatus {
    return { coin, ...this.statuses.of(coin), upstreamAgeMs: this.#deps.upstreamAgeMs() };
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    return this.#statusListeners.add(listener);
  }

  watchView(query: BookViewQuery): ViewLease {
    return this.#viewHolders.watch(query);
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.#viewHolders.onView(listener);
  }

  /** Records the arrival of a block, of any coins. Returns the current time in ms. */
  blockCame(): number {
    const now = this.#deps.clock.now();
    this.#blockAt = now;
    this.#cadence.record(now);
    return now;
  }

  /** Publishes a block. Views are updated separately, once the books have applied it. */
  publish(block: PublishedBlock): void {
    this.#blocks += 1;
    this.#entries += block.entries.length;
    this.#blockListeners.tell(block);
  }

  trades(trades: CoinTrades): void {
    this.#tradeListeners.tell(trades);
  }

  /** Blocks are interrupted; the pause does not count towards their cadence. */
  interrupted(): void {
    this.#cadence.interrupt();
  }

  /** The coin no longer has a holder. */
  left(coin: string): void {
    this.statuses.remove(coin);
    this.views.lost(coin);
    // Without this coin the cadence of blocks may differ, so it is measured afresh.
    this.#cadence = new Cadence();
  }

  get upstreamBlocks(): UpstreamBlocks | null {
    const { usual } = this.#cadence;
    if (usual === undefined || this.#blockAt === null) return null;
    return roundedBlocks({ ageMs: this.#deps.clock.now() - this.#blockAt, ...usual });
  }

  get counters() {
    return { blocksPublished: this.#blocks, entriesPublished: this.#entries };
  }
}

/** Base class of a feed that delegates its listeners and views to a `FeedOutput`. */
export abstract class OutputFeed {
  protected abstract readonly output: FeedOutput;

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.output.onBlock(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    return this.output.onTrades(listener);
  }

  bookStatus(coin: string): FeedBookStatus {
    return this.output.bookStatus(coin);
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    return this.output.onBookStatus(listener);
  }

  watchView(query: BookViewQuery): ViewLease {
    return this.output.watchView(query);
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.output.onView(listener);
  }
}
