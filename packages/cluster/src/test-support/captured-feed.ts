import { L4Book } from '@l4desk/book';
import {
  type CoinLease,
  type CoinReader,
  type FeedHealth,
  type L4Feed,
  NO_HEALTH,
  type PublishedBlock,
  type SnapshotBytes,
  type SnapshotEncoding,
  SnapshotServer,
} from '@l4desk/feed/core';
import { Listeners } from '@l4desk/runtime';
import type { BookCapture } from '@l4desk/testkit';

/** A leader's feed whose snapshot is the book of a capture; its user publishes the blocks one by one. */
export class CapturedFeed implements L4Feed {
  readonly #blocks = new Listeners<PublishedBlock>();
  readonly #snapshots: SnapshotServer;
  #readsAll = false;

  /** The snapshot is the one that the first block continues. */
  constructor({ levels }: BookCapture, first: PublishedBlock) {
    const { book } = L4Book.build('BTC', levels);
    const { epoch, height, time } = first;
    this.#snapshots = new SnapshotServer(() => ({ book, height: height - 1, time, epoch, seq: 0 }));
  }

  /** Publishes a block with the texts that have a reader. */
  hand(block: PublishedBlock): void {
    this.#blocks.emit(this.withTexts(block));
  }

  /** Returns a block with the texts that have a reader. */
  withTexts(block: PublishedBlock): PublishedBlock {
    if (this.#readsAll) return block;
    return { ...block, entries: block.entries.map((entry) => ({ ...entry, all: null })) };
  }

  acquire(_coin: string, reader?: CoinReader): CoinLease {
    this.#readsAll = reader?.statuses === 'all';
    return { release: () => {} };
  }

  snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    return this.#snapshots.request(coin, encoding, signal);
  }

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.#blocks.add(listener);
  }

  onTrades(): () => void {
    return () => {};
  }

  bookStatus(coin: string) {
    return { coin, state: 'live' as const, since: 0, upstreamAgeMs: 0, reason: null };
  }

  onBookStatus(listener: (status: ReturnType<CapturedFeed['bookStatus']>) => void): () => void {
    listener(this.bookStatus('BTC'));
    return () => {};
  }

  watchView(): () => void {
    throw new Error('a benchmark watches no view');
  }

  onView(): () => void {
    return () => {};
  }

  readL2Book(): Promise<string | null> {
    return Promise.resolve(null);
  }

  health(): FeedHealth {
    return { ...NO_HEALTH, upstreamConnected: true, upstreamProblem: null };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
