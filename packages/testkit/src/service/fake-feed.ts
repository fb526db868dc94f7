import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  BookNotReady,
  type BookView,
  type CoinLease,
  type FeedBookStatus,
  type FeedHealth,
  type L4Feed,
  type PublishedBlock,
  type SnapshotBytes,
  type SnapshotEncoding,
  type ViewLease,
} from '@l4desk/feed';
import type { BookViewQuery } from '@l4desk/protocol';

/** A feed without an upstream: a test decides which coins are live, and their snapshot is a line of JSON. */
export class FakeFeed implements L4Feed {
  /** Coins whose book is ready. */
  readonly live = new Set<string>();
  /** The requests it received. */
  readonly asked: { readonly coin: string; readonly encoding: SnapshotEncoding }[] = [];
  /** Calls whose caller has given up. */
  readonly abandoned: string[] = [];
  connected = true;
  healthAgeMs = 0;
  /** Age of the upstream's last block. */
  blockAgeMs = 40;
  failure: Error | undefined;
  readonly #waiting = new Set<() => void>();

  /** Makes a coin's book ready, for waiting callers too. */
  makeLive(coin: string): void {
    this.live.add(coin);
    for (const look of this.#waiting) look();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  acquire(coin: string): CoinLease {
    return { coin, release: () => {} };
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    this.asked.push({ coin, encoding });
    if (this.failure !== undefined) throw this.failure;
    await this.#whenLive(coin, signal);
    const text = Buffer.from(JSON.stringify(fakeSnapshot(coin)));
    const bytes = encoding === 'br' ? brotliCompressSync(text) : encoding === 'gzip' ? gzipSync(text) : text;
    return { coin, height: 7, encoding, bytes };
  }

  onBlock(_listener: (block: PublishedBlock) => void): () => void {
    return () => {};
  }

  onTrades(): () => void {
    return () => {};
  }

  bookStatus(coin: string): FeedBookStatus {
    const state = this.live.has(coin) ? 'live' : 'waiting';
    return { coin, state, since: SINCE, upstreamAgeMs: 5, reason: null };
  }

  onBookStatus(_listener: (status: FeedBookStatus) => void): () => void {
    return () => {};
  }

  /** Watched views, and what each shows. `show` changes it. */
  readonly views = new Map<string, { data: string | null }>();
  readonly #viewListeners = new Set<(view: BookView) => void>();

  watchView(query: BookViewQuery): ViewLease {
    const key = JSON.stringify(query);
    const view = this.views.get(key) ?? { data: null };
    this.views.set(key, view);
    return {
      key,
      get data() {
        return view.data;
      },
      release: () => this.views.delete(key),
    };
  }

  onView(listener: (view: BookView) => void): () => void {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  }

  /** Sets what a watched view shows. */
  show(key: string, data: string): void {
    const view = this.views.get(key);
    if (view === undefined) throw new Error(`nobody watches ${key}`);
    view.data = data;
    for (const listener of this.#viewListeners) listener({ key, data });
  }

  wantTexts(): void {}

  health(): FeedHealth {
    return {
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
      executions: 'inferred',
      joins: { waiting: 3, outstanding: 1 },
      auditPeriodMs: 90_000,
      counters: {
        blocksPublished: 11,
        entriesPublished: 0,
        upstreamMessages: 0,
        upstreamBytes: 0,
        upstreamConnects: 0,
        repeatsDropped: 0,
        lossesByReason: { audit: 2 },
        auditsPassed: 0,
        auditsFailed: 0,
        auditsAbandoned: 0,
        snapshotsServed: 0,
        snapshotsSerialised: 0,
        snapshotsCompressed: 0,
        epochs: 1,
      },
      loopDelayMs: { p50: 1, p99: 2, max: 3 },
      workerRestarts: 0,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #whenLive(coin: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!signal.aborted && !this.live.has(coin)) return;
        this.#waiting.delete(look);
        signal.removeEventListener('abort', look);
        if (!signal.aborted) resolve();
        else {
          this.abandoned.push(coin);
          reject(new BookNotReady(coin));
        }
      };
      this.#waiting.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }
}

const SINCE = 1_778_002_753_024;

const EPOCH = '3f2a6a52-58c8-4d4c-8f0a-0d9f3a3d5f11';

/** The book that a FakeFeed has of every coin: it is empty. */
export function fakeSnapshot(coin: string) {
  return { coin, time: 1_778_002_753_024, height: 7, epoch: EPOCH, seq: 3, levels: [[], []] };
}
