import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  type CoinLease,
  type CoinReader,
  type CoinTrades,
  deflatePiece,
  type EntryText,
  type FeedBookStatus,
  type FeedHealth,
  FeedListeners,
  type L4Feed,
  NO_HEALTH,
  PLAIN_BOOK,
  type PublishedBlock,
  type ReadEarlier,
  type SnapshotBytes,
  type SnapshotEncoding,
} from '@l4desk/feed';
import type { BookLossReason, BookState, BookViewQuery, L2BookQuery } from '@l4desk/protocol';

/** A feed without an upstream: a test decides which books are live and what is published. */
export class FakeFeed extends FeedListeners implements L4Feed {
  readonly epoch = EPOCH;
  height = 100;
  /** Coins whose book is ready. */
  readonly live = new Set<string>();
  /** Whether all books are ready, except where `become` says otherwise. */
  readonly #allLive: boolean;
  /** The requests for snapshots. */
  readonly asked: { readonly coin: string; readonly encoding: SnapshotEncoding }[] = [];
  /** Calls whose caller has given up. */
  readonly abandoned: string[] = [];
  /** Number of holders of each held coin. */
  readonly held = new Map<string, number>();
  readonly #become = new Map<string, FeedBookStatus>();
  /** Keys of the watched views. */
  readonly watched: string[] = [];
  /** What holders of a coin read of it. */
  readonly readers = new Map<string, readonly CoinReader[]>();
  /** Builds every entry with all statuses even without a reader, as at a gateway. */
  makesAll = false;
  connected = true;
  healthAgeMs = 0;
  /** Age of the upstream's last block. */
  blockAgeMs = 40;
  /** The health that it reports, if it is not made from these fields. */
  reported: FeedHealth | undefined;
  failure: Error | undefined;
  readonly #seqs = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  readonly #shown = new Map<string, string>();

  constructor({ allLive = false } = {}) {
    super();
    this.#allLive = allLive;
  }

  /** Makes a coin's book ready, for waiting callers too. */
  makeLive(coin: string): void {
    this.live.add(coin);
    for (const look of this.#waiting) look();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  acquire(coin: string, reader: CoinReader = PLAIN_BOOK): CoinLease {
    this.held.set(coin, (this.held.get(coin) ?? 0) + 1);
    this.readers.set(coin, [...(this.readers.get(coin) ?? []), reader]);
    return {
      release: () => {
        this.readers.set(coin, this.readers.get(coin)?.filter((other) => other !== reader) ?? []);
        const holders = (this.held.get(coin) ?? 0) - 1;
        if (holders > 0) this.held.set(coin, holders);
        else this.held.delete(coin);
      },
    };
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    this.asked.push({ coin, encoding });
    if (this.failure !== undefined) throw this.failure;
    await this.#whenLive(coin, signal);
    const text = Buffer.from(JSON.stringify(fakeSnapshot(coin)));
    const bytes = encoding === 'br' ? brotliCompressSync(text) : encoding === 'gzip' ? gzipSync(text) : text;
    return { encoding, bytes };
  }

  bookStatus(coin: string): FeedBookStatus {
    const state = this.#allLive || this.live.has(coin) ? 'live' : 'waiting';
    return this.#become.get(coin) ?? { coin, state, since: SINCE, upstreamAgeMs: 5, reason: null };
  }

  /** Changes the state of a coin's book, which is live by default. */
  become(coin: string, state: BookState, reason: BookLossReason | null = null): void {
    const status: FeedBookStatus = { coin, state, since: 1_778_002_754_000, upstreamAgeMs: 5, reason };
    this.#become.set(coin, status);
    this.statuses.emit(status);
  }

  watchView(query: BookViewQuery): () => void {
    const key = JSON.stringify(query);
    this.watched.push(key);
    return () => this.watched.splice(this.watched.indexOf(key), 1);
  }

  readL2Book(query: L2BookQuery): Promise<string | null> {
    return Promise.resolve(this.#shown.get(JSON.stringify(query)) ?? null);
  }

  show(query: BookViewQuery, data: object): void {
    const view = { key: JSON.stringify(query), data: JSON.stringify(data) };
    this.#shown.set(view.key, view.data);
    this.views.emit(view);
  }

  trade(trades: CoinTrades): void {
    this.trades.emit(trades);
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
      const readers = this.readers.get(coin) ?? [];
      const reads = (statuses: string, deflate = false) =>
        readers.some((reader) => reader.statuses === statuses && (reader.deflate || !deflate));
      return {
        coin,
        seq: prevSeq + 1,
        prevSeq,
        all:
          reads('all') || this.makesAll
            ? this.#text({ ...entry, order_statuses: ['x'.repeat(statusBytes)] }, reads('all', true))
            : null,
        book: this.#text({ ...entry, order_statuses: [] }, reads('book', true)),
      };
    });
    return { epoch: this.epoch, height: this.height, time: this.height * 67, receivedAt: Date.now(), entries };
  }

  hand(block: PublishedBlock): void {
    this.blocks.emit(block);
  }

  health(): FeedHealth {
    if (this.reported !== undefined) return this.reported;
    return {
      ...NO_HEALTH,
      ageMs: this.healthAgeMs,
      upstreamConnected: this.connected,
      upstreamProblem: this.connected ? null : 'the connection was lost',
      upstreamAgeMs: this.connected ? 5 : null,
      upstreamBlocks: this.connected ? { ageMs: this.blockAgeMs, usualMs: 70, suspectAfterMs: 1_000 } : null,
      epoch: EPOCH,
      height: 7,
      coins: [...this.live].map((coin) => ({
        coin,
        state: 'live',
        since: SINCE,
        reason: null,
        height: 7,
        seq: 3,
        orders: 0,
        rebuilds: 0,
        lastLoss: null,
      })),
      joins: { waiting: 3, outstanding: 1 },
      auditPeriodMs: 90_000,
      counters: { ...NO_HEALTH.counters, blocksPublished: 11, lossesByReason: { audit: 2 }, epochs: 1 },
      loopDelayMs: { p50: 1, p99: 2, max: 3 },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #whenLive(coin: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!signal.aborted && this.bookStatus(coin).state !== 'live') return;
        this.#waiting.delete(look);
        signal.removeEventListener('abort', look);
        if (!signal.aborted) resolve();
        else {
          this.abandoned.push(coin);
          reject(signal.reason as Error);
        }
      };
      this.#waiting.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  #text(value: object, compress: boolean): EntryText {
    const plain = Buffer.from(JSON.stringify(value));
    return { plain, deflated: compress ? deflatePiece(plain) : null };
  }
}

const SINCE = 1_778_002_753_024;

const EPOCH = '3f2a6a52-58c8-4d4c-8f0a-0d9f3a3d5f11';

/** The book that a FakeFeed has of every coin: it is empty. */
export function fakeSnapshot(coin: string) {
  return { coin, time: 1_778_002_753_024, height: 7, epoch: EPOCH, seq: 3, levels: [[], []] };
}
