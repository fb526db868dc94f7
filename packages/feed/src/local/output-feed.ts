import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { BookViewQuery, L2BookQuery, UpstreamBlocks } from '@l4desk/protocol';
import { Cadence, once } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import {
  type CoinLease,
  type CoinReader,
  type CoinStatus,
  type FeedBookStatus,
  type FeedHealth,
  PLAIN_BOOK,
  type PublishedBlock,
  roundedBlocks,
} from '../api.ts';
import type { CoinView } from '../blocks/upstream-block.ts';
import { BookViews } from '../channels/book-views.ts';
import type { HeldBooks } from '../settings.ts';
import { FeedListeners } from './feed-listeners.ts';
import { type HeldCoin, HeldCoins } from './held-coins.ts';

export interface StateListeners {
  readonly onStateChange?: () => void;
  /** Called when the book state of a coin changed; the status is null when the coin was left. */
  readonly onBookStatus?: (coin: string, status: CoinStatus | null, upstreamAgeMs: number | null) => void;
}

const LOOP_DELAY_RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;

/** Base class of a feed with books of its own: its held coins, views of their books, and the cadence of blocks. */
export abstract class OutputFeed<Own extends object> extends FeedListeners {
  protected readonly clock: SystemClock;
  protected readonly coins: HeldCoins<Own>;
  protected readonly bookViews: BookViews;
  protected readonly onStateChange: () => void;
  #cadence = new Cadence();
  #blockAt: number | null = null;
  #stillSince: number | null = null;
  #blocks = 0;
  #entries = 0;
  readonly #loopDelay = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });

  constructor(settings: HeldBooks, clock: SystemClock, { onBookStatus, onStateChange }: StateListeners) {
    super();
    this.clock = clock;
    this.onStateChange = onStateChange ?? (() => {});
    this.coins = new HeldCoins({
      lingerMs: settings.lingerMs,
      rebuildMaxMs: settings.rebuildMaxMs,
      clock,
      isConnected: () => this.isConnected,
      create: (coin) => this.createCoin(coin),
      added: (held) => this.onAdded(held),
      left: (held) => {
        this.onLeft(held);
        this.bookViews.lost(held.coin);
        // Without this coin the cadence of blocks may differ, so it is measured afresh.
        this.#cadence = new Cadence();
        this.#stillSince = null;
      },
      changed: (coin, status) => {
        onBookStatus?.(coin, status, this.upstreamAgeMs);
        if (status !== null) this.statuses.emit(this.bookStatus(coin));
        this.onStateChange();
      },
      allReadChanged: (coin) => this.onAllReadChanged(coin),
    });
    this.bookViews = new BookViews({
      coin: (coin) => this.view(coin),
      liveCoins: () => this.coins.names.filter((coin) => this.view(coin) !== null),
      changed: (key, data) => this.views.emit({ key, data }),
    });
    this.#loopDelay.enable();
  }

  /** A live coin's book; null while it is not live. */
  protected abstract view(coin: string): CoinView | null;
  protected abstract readonly isConnected: boolean;
  /** Time since the upstream's last sign of life, in ms; null if there was none. */
  protected abstract readonly upstreamAgeMs: number | null;
  protected abstract createCoin(coin: string): Own;
  protected abstract onAdded(coin: HeldCoin & Own): void;
  protected abstract onLeft(coin: HeldCoin & Own): void;

  /** All statuses of the coin have their first reader, or none any more. */
  protected onAllReadChanged(_coin: string): void {}

  acquire(coin: string, reader: CoinReader = PLAIN_BOOK): CoinLease {
    return this.coins.acquire(coin, reader);
  }

  watchView(query: BookViewQuery): () => void {
    this.bookViews.watch(query);
    return once(() => this.bookViews.unwatch(query));
  }

  async readL2Book(query: L2BookQuery): Promise<string | null> {
    return this.bookViews.readL2Book(query);
  }

  bookStatus(coin: string): FeedBookStatus {
    return { coin, ...this.coins.status(coin), upstreamAgeMs: this.upstreamAgeMs };
  }

  /** Records the arrival of a block, of any coins. Returns the current time in ms. */
  protected onBlockArrived(): number {
    const now = this.clock.now();
    this.#blockAt = now;
    this.#stillSince = null;
    this.#cadence.record(now);
    return now;
  }

  /** Publishes a block. Views are updated separately, once the books have applied it. */
  protected publish(block: PublishedBlock): void {
    this.#blocks += 1;
    this.#entries += block.entries.length;
    this.blocks.emit(block);
  }

  /** Blocks are interrupted; the pause does not count towards their cadence. */
  protected interrupted(): void {
    this.#cadence.interrupt();
    this.#stillSince = null;
  }

  /** The upstream makes no blocks since then; null once it does. */
  protected standsStill(since: number | null): void {
    this.#stillSince = since;
  }

  protected get upstreamBlocks(): UpstreamBlocks | null {
    const { usual } = this.#cadence;
    const now = this.clock.now();
    if (usual !== undefined && this.#blockAt !== null) return roundedBlocks({ ageMs: now - this.#blockAt, ...usual });
    if (this.#stillSince === null) return null;
    return roundedBlocks({ ageMs: now - this.#stillSince, usualMs: 0, suspectAfterMs: 0 });
  }

  protected get blockCounters() {
    return { blocksPublished: this.#blocks, entriesPublished: this.#entries };
  }

  /** Delays of this thread's event loop since the last reading. */
  protected readLoopDelay(): FeedHealth['loopDelayMs'] {
    const histogram = this.#loopDelay;
    const ms = (ns: number) => Math.max(0, Math.round(ns / NS_PER_MS) - LOOP_DELAY_RESOLUTION_MS);
    const delay = { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
    histogram.reset();
    return delay;
  }

  protected closeOutput(): void {
    this.coins.close();
    this.#loopDelay.disable();
  }
}
