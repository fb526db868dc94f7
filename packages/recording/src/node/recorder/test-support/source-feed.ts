import { L4Book } from '@l4desk/book';
import type { CoinLease, CoinReader, FeedBookStatus, L4Feed, PublishedBlock, SnapshotBytes } from '@l4desk/feed';
import { type BookLevels, decodeUpdates } from '@l4desk/protocol';
import { Chance, order, orderStatus, SourceBook } from '@l4desk/testkit';

/** A feed of one coin that publishes blocks on demand and remembers its book at each height. */
export class SourceFeed implements Pick<L4Feed, 'acquire' | 'snapshot' | 'onBlock' | 'onBookStatus'> {
  readonly coin = 'BTC';
  readonly #source = new SourceBook(this.coin, new Chance(23), 40);
  readonly #blockListeners = new Set<(block: PublishedBlock) => void>();
  readonly #statusListeners = new Set<(status: FeedBookStatus) => void>();
  #book = L4Book.build(this.coin, this.#source.levels()).book;
  /** The true book after each block. */
  readonly truth = new Map<number, BookLevels>();
  height: number;
  epoch = '00000000-0000-4000-8000-000000000001';
  seq = 0;
  holders = 0;
  snapshots = 0;
  /** Publishes a wrong checksum. */
  isWrong = false;
  /** Whether all statuses are requested, and whether blocks lack them. */
  wantsAll = false;
  lacksAll = false;
  /** Places the bytes of a text: in its own Buffer, or in part of a larger buffer. */
  place: (text: Buffer) => Buffer = (text) => text;

  constructor(height = 100) {
    this.height = height;
    this.truth.set(height, this.#source.levels());
  }

  acquire(_coin: string, reader?: CoinReader): CoinLease {
    this.holders += 1;
    this.wantsAll = reader?.statuses === 'all';
    return {
      release: () => {
        this.holders -= 1;
      },
    };
  }

  async snapshot(): Promise<SnapshotBytes> {
    this.snapshots += 1;
    const { coin, height, epoch, seq } = this;
    const snapshot = { coin, time: timeOf(height), height, epoch, seq, levels: this.#source.levels() };
    return { encoding: 'identity', bytes: Buffer.from(JSON.stringify(snapshot)) };
  }

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    this.#blockListeners.add(listener);
    return () => this.#blockListeners.delete(listener);
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Publishes this many blocks. */
  step(blocks = 1): void {
    for (let count = 0; count < blocks; count += 1) {
      const block = this.#next();
      for (const listener of this.#blockListeners) listener(block);
    }
  }

  /** Misses blocks: the sequence continues after a gap, and the status reports the reason. */
  miss(blocks: number, reason: FeedBookStatus['reason']): void {
    this.#emit('rebuilding', reason);
    for (let count = 0; count < blocks; count += 1) this.#next();
    this.seq += 1;
    this.#emit('live', null);
  }

  /** Reports a reason to doubt a book of which nothing was missed. */
  doubt(reason: FeedBookStatus['reason']): void {
    this.#emit('stale', reason);
  }

  /** Begins another chain. */
  goBackTo(height: number, epoch: string): void {
    this.height = height;
    this.epoch = epoch;
    this.seq = 0;
    this.truth.set(height, this.#source.levels());
  }

  #emit(state: FeedBookStatus['state'], reason: FeedBookStatus['reason']): void {
    for (const listener of this.#statusListeners)
      listener({ coin: this.coin, state, since: 0, upstreamAgeMs: 0, reason });
  }

  #next(): PublishedBlock {
    const { coin, epoch, seq: prevSeq } = this;
    this.height += 1;
    this.seq += 1;
    const { height, seq } = this;
    const { diffs: book_diffs, statuses: order_statuses } = this.#source.block();
    const entry = { coin, seq, prev_seq: prevSeq, order_statuses, book_diffs };
    const time = timeOf(height);
    const { coins } = decodeUpdates({ time, block_height: height, epoch, book_diffs: [entry] });
    for (const { changes, statuses } of coins) this.#book.apply(changes, statuses, time);
    this.truth.set(height, this.#source.levels());
    const checksum = this.isWrong ? '0'.repeat(16) : this.#book.rollingChecksum();
    const textOf = (value: object) => ({ plain: this.place(Buffer.from(JSON.stringify(value))), deflated: null });
    const refused = orderStatus(order({ coin, oid: 900_000_000 + height }), 'tickRejected');
    const all = this.lacksAll ? null : textOf({ ...entry, order_statuses: [...order_statuses, refused] });
    return {
      epoch,
      height,
      time,
      receivedAt: time,
      entries: [{ coin, seq, prevSeq, checksum, all, book: textOf(entry) }],
    };
  }
}

function timeOf(height: number): number {
  return 1_790_000_000_000 + height * 100;
}
