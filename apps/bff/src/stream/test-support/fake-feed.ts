import { randomUUID } from 'node:crypto';
import {
  BookNotReady,
  type BookView,
  type CoinLease,
  type CoinTrades,
  deflatePiece,
  type EntryText,
  type FeedBookStatus,
  type FeedHealth,
  type L4Feed,
  NO_TEXTS_WANTED,
  type PublishedBlock,
  type ReadEarlier,
  type TextsWanted,
  type ViewLease,
} from '@l4desk/feed';
import type { BookLossReason, BookState, BookViewQuery } from '@l4desk/protocol';

/** A feed controlled by a test. It records which coins are held. */
export class FakeFeed implements L4Feed {
  readonly epoch = randomUUID();
  readonly held = new Map<string, number>();
  readonly #seqs = new Map<string, number>();
  readonly statuses = new Map<string, FeedBookStatus>();
  readonly #statusListeners = new Set<(status: FeedBookStatus) => void>();
  readonly #listeners = new Set<(block: PublishedBlock) => void>();
  /** Keys of the watched views. */
  readonly watched: string[] = [];
  readonly #shown = new Map<string, string>();
  readonly #viewListeners = new Set<(view: BookView) => void>();
  readonly #tradeListeners = new Set<(trades: CoinTrades) => void>();
  /** The last wanted texts, by coin. */
  readonly wanted = new Map<string, TextsWanted>();
  /** Builds every entry with all statuses even without a reader, as at a gateway. */
  makesAll = false;
  height = 100;
  /** The health that it reports. */
  reported: FeedHealth | undefined;

  acquire(coin: string): CoinLease {
    this.held.set(coin, (this.held.get(coin) ?? 0) + 1);
    return {
      coin,
      release: () => {
        const holders = (this.held.get(coin) ?? 0) - 1;
        if (holders > 0) this.held.set(coin, holders);
        else this.held.delete(coin);
      },
    };
  }

  async snapshot(coin: string): Promise<never> {
    throw new BookNotReady(coin);
  }

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    this.#tradeListeners.add(listener);
    return () => this.#tradeListeners.delete(listener);
  }

  bookStatus(coin: string): FeedBookStatus {
    return this.statuses.get(coin) ?? { coin, state: 'live', since: 1_778_002_753_024, upstreamAgeMs: 5, reason: null };
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Changes the state of a coin's book, which is live by default. */
  become(coin: string, state: BookState, reason: BookLossReason | null = null): void {
    const status: FeedBookStatus = { coin, state, since: 1_778_002_754_000, upstreamAgeMs: 5, reason };
    this.statuses.set(coin, status);
    for (const listener of this.#statusListeners) listener(status);
  }

  watchView(query: BookViewQuery): ViewLease {
    const key = JSON.stringify(query);
    this.watched.push(key);
    const shown = this.#shown;
    return {
      key,
      get data() {
        return shown.get(key) ?? null;
      },
      release: () => this.watched.splice(this.watched.indexOf(key), 1),
    };
  }

  onView(listener: (view: BookView) => void): () => void {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  }

  /** Emits the new content of a view. */
  show(query: BookViewQuery, data: object): void {
    const view = { key: JSON.stringify(query), data: JSON.stringify(data) };
    this.#shown.set(view.key, view.data);
    for (const listener of this.#viewListeners) listener(view);
  }

  /** Emits executions. */
  trade(trades: CoinTrades): void {
    for (const listener of this.#tradeListeners) listener(trades);
  }

  wantTexts(coin: string, wanted: TextsWanted): void {
    this.wanted.set(coin, wanted);
  }

  /** Reads blocks of other gateways; undefined outside a cluster. */
  earlier?: ReadEarlier;

  /** Publishes a block that changes these coins. Each entry has `statusBytes` bytes of statuses. */
  publish(coins: readonly string[], statusBytes = 10): PublishedBlock {
    const block = this.make(coins, statusBytes);
    this.hand(block);
    return block;
  }

  /** Creates the next block without publishing it, as if another gateway published it. */
  make(coins: readonly string[], statusBytes = 10): PublishedBlock {
    this.height += 1;
    const entries = coins.map((coin) => {
      const prevSeq = this.#seqs.get(coin) ?? 0;
      this.#seqs.set(coin, prevSeq + 1);
      const entry = { coin, seq: prevSeq + 1, prev_seq: prevSeq };
      const { all, allDeflated, bookDeflated } = this.wanted.get(coin) ?? NO_TEXTS_WANTED;
      return {
        coin,
        seq: prevSeq + 1,
        prevSeq,
        all:
          all || this.makesAll
            ? this.#text({ ...entry, order_statuses: ['x'.repeat(statusBytes)] }, allDeflated)
            : null,
        book: this.#text({ ...entry, order_statuses: [] }, bookDeflated),
      };
    });
    return { epoch: this.epoch, height: this.height, time: this.height * 67, receivedAt: Date.now(), entries };
  }

  /** Publishes any block. */
  hand(block: PublishedBlock): void {
    for (const listener of this.#listeners) listener(block);
  }

  health(): FeedHealth {
    if (this.reported === undefined) throw new Error('not asked for in this test');
    return this.reported;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #text(value: object, compress: boolean): EntryText {
    const plain = Buffer.from(JSON.stringify(value));
    return { plain, deflated: compress ? deflatePiece(plain) : null };
  }
}
