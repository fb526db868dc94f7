import type { BookViewQuery, L2BookQuery } from '@l4desk/protocol';
import { type Log, once } from '@l4desk/runtime';
import { RpcClient, SupervisedWorker } from '@l4desk/runtime/node';
import {
  type CoinLease,
  type CoinReader,
  type CoinStatus,
  type EarlierBlocks,
  type EarlierQuery,
  FEED_SILENT_MS,
  type FeedBookStatus,
  type FeedHealth,
  type L4Feed,
  NO_HEALTH,
  PLAIN_BOOK,
  type ReadEarlier,
  roundedBlocks,
  type SnapshotBytes,
  type SnapshotEncoding,
} from '../api.ts';
import { viewKey } from '../channels/book-views.ts';
import { FeedListeners } from '../local/feed-listeners.ts';
import type { HeldBooks, L4FeedSettings } from '../settings.ts';
import { type FeedCalls, type FromWorker, type Hold, holdKey, type ToWorker, unpackBlock } from './port.ts';

export interface L4FeedOptions {
  /** The worker program: `@l4desk/feed/worker`, bundled. Defaults to `l4-worker.js` beside the bundle that contains this code. */
  readonly workerUrl?: URL;
  /** Whether the worker can read blocks that were published before it started. */
  readonly readsEarlier?: boolean;
}

/**
 * Starts the L4 path in a worker thread, which is restarted if it exits. Coins are joined as they are acquired, and an
 * unreachable upstream is retried for ever. Disposing the feed rejects pending snapshot requests.
 */
export function startL4Feed<Settings extends HeldBooks = L4FeedSettings>(
  settings: NoInfer<Settings>,
  log: Log,
  options: L4FeedOptions = {},
): L4Feed {
  const { workerUrl = new URL('./l4-worker.js', import.meta.url), readsEarlier = false } = options;
  return new ThreadFeed(settings, log, workerUrl, readsEarlier);
}

const CLOSE_MS = 2_000;

const SILENCE_CHECK_MS = 1_000;

const RESTART = { firstMs: 200, longestMs: 10_000 };

/** The HTTP thread's side of the L4 path in a worker thread. */
class ThreadFeed extends FeedListeners implements L4Feed {
  readonly #log: Log;
  readonly #holders = new Map<string, { readonly hold: Hold; count: number }>();
  readonly #watched = new Map<string, BookViewQuery>();
  readonly #board = new StatusBoard((status) => this.statuses.emit(status));
  readonly #worker: SupervisedWorker<ToWorker, FromWorker>;
  readonly #calls = new RpcClient<FeedCalls>((request) => this.#send(request));
  #health = NO_HEALTH;
  #healthAt = performance.now();
  #blockAt = performance.now();
  #closed = false;
  readonly #silenceTimer: NodeJS.Timeout;
  readonly earlier?: ReadEarlier;

  constructor(settings: object, log: Log, url: URL, readsEarlier: boolean) {
    super();
    this.#log = log;
    if (readsEarlier) this.earlier = (query, signal) => this.#earlier(query, signal);
    // A new worker begins a new epoch, so clients bootstrap again.
    this.#worker = new SupervisedWorker(
      { url, workerData: settings, name: 'l4', title: 'L4 worker', restart: RESTART },
      log,
      {
        started: () => this.#sendAll(),
        message: (message) => this.#receive(message),
        exited: () => this.#onExit(),
      },
    );
    this.#worker.start();
    this.#silenceTimer = setInterval(() => {
      if (performance.now() - this.#healthAt > FEED_SILENT_MS) this.#board.silent();
    }, SILENCE_CHECK_MS).unref();
  }

  #onExit(): void {
    this.#board.ended();
    if (this.#health.executions === 'exact') {
      const last = { height: this.#health.height ?? 0, time: Date.now(), trades: [] };
      for (const coin of new Set([...this.#holders.values()].map(({ hold }) => hold.coin)))
        this.trades.emit({ coin, ...last, missing: 'the feed was restarted' });
    }
    this.#setHealth({
      ...this.#health,
      upstreamConnected: false,
      upstreamProblem: 'L4 worker exited',
      coins: [],
      joins: NO_HEALTH.joins,
    });
  }

  /** Sends a new worker everything that the previous one knew. */
  #sendAll(): void {
    for (const query of this.#watched.values()) this.#send({ kind: 'watch', query });
    for (const { hold } of this.#holders.values()) this.#send({ kind: 'acquire', ...hold });
    this.#calls.repeat();
  }

  #send(message: ToWorker): void {
    this.#worker.send(message);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'block': {
        this.#blockAt = performance.now();
        const block = unpackBlock(message.block, new Uint8Array(message.block.bytes));
        this.blocks.emit(block);
        return;
      }
      case 'trades':
        this.trades.emit(message.trades);
        return;
      case 'view':
        this.views.emit(message.view);
        return;
      case 'status':
        this.#board.setUpstreamAge(message.upstreamAgeMs);
        this.#board.set(message.coin, message.status);
        return;
      case 'health':
        this.#setHealth(message.health);
        this.#board.setUpstreamAge(message.health.upstreamAgeMs);
        for (const { coin, state, since, reason } of message.health.coins)
          this.#board.set(coin, { state, since, reason });
        return;
      case 'log':
        this.#log[message.level](message.fields, message.message);
        return;
      case 'result':
      case 'refused':
        this.#calls.receive(message);
    }
  }

  acquire(coin: string, reader: CoinReader = PLAIN_BOOK): CoinLease {
    const key = holdKey({ coin, reader });
    const holders = this.#holders.get(key) ?? { hold: { coin, reader }, count: 0 };
    this.#holders.set(key, holders);
    holders.count += 1;
    if (holders.count === 1) this.#send({ kind: 'acquire', coin, reader });
    const release = once(() => {
      holders.count -= 1;
      if (holders.count > 0) return;
      this.#holders.delete(key);
      this.#send({ kind: 'release', coin, reader });
    });
    return { release };
  }

  watchView(query: BookViewQuery): () => void {
    const key = viewKey(query);
    if (this.#watched.has(key)) throw new Error(`${key} is already watched`);
    this.#watched.set(key, query);
    this.#send({ kind: 'watch', query });
    return once(() => {
      this.#watched.delete(key);
      this.#send({ kind: 'unwatch', query });
    });
  }

  readL2Book(query: L2BookQuery, signal: AbortSignal): Promise<string | null> {
    return this.#calls.call('readL2Book', [query], signal);
  }

  snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    return this.#calls.call('snapshot', [coin, encoding], signal);
  }

  async #earlier(query: EarlierQuery, signal: AbortSignal): Promise<EarlierBlocks> {
    const earlier = await this.#calls.call('earlier', [query], signal);
    const blocks = earlier.blocks.map(({ ageMs, block }) => {
      return { ageMs, block: unpackBlock(block, new Uint8Array(block.bytes)) };
    });
    return { ...earlier, blocks };
  }

  bookStatus(coin: string): FeedBookStatus {
    return this.#board.of(coin);
  }

  health(): FeedHealth {
    // The status board is newer than the last report, and reflects a silent worker.
    const coins = this.#health.coins.map((health) => {
      const { state, since, reason } = this.#board.of(health.coin);
      return { ...health, state, since, reason };
    });
    const now = performance.now();
    const { upstreamBlocks } = this.#health;
    const healthAgeMs = now - this.#healthAt;
    return {
      ...this.#health,
      coins,
      ageMs: healthAgeMs,
      // Blocks may have arrived since that report, or the worker may have stopped reporting.
      upstreamBlocks:
        upstreamBlocks &&
        roundedBlocks({
          ...upstreamBlocks,
          ageMs: Math.min(upstreamBlocks.ageMs + healthAgeMs, now - this.#blockAt),
        }),
    };
  }

  #setHealth(health: FeedHealth): void {
    this.#health = health;
    this.#healthAt = performance.now();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#calls.end(new Error('the L4 feed was closed'));
    clearInterval(this.#silenceTimer);
    await this.#worker.close({ kind: 'close' }, CLOSE_MS);
  }
}

/** The last state of each coin's book as reported by the feed's thread, kept on the HTTP thread. */
class StatusBoard {
  readonly #statuses = new Map<string, CoinStatus>();
  readonly #changed: (status: FeedBookStatus) => void;
  /** When the upstream last gave a sign of life, on this thread's clock; null if it never did. */
  #upstreamHeardAt: number | null = null;

  constructor(changed: (status: FeedBookStatus) => void) {
    this.#changed = changed;
  }

  of(coin: string): FeedBookStatus {
    const status = this.#statuses.get(coin) ?? waiting();
    const age = this.#upstreamHeardAt === null ? null : Math.round(performance.now() - this.#upstreamHeardAt);
    return { coin, ...status, upstreamAgeMs: age };
  }

  setUpstreamAge(ageMs: number | null): void {
    this.#upstreamHeardAt = ageMs === null ? null : performance.now() - ageMs;
  }

  /** Sets the worker's report on a coin; null if the coin was left. */
  set(coin: string, status: CoinStatus | null): void {
    if (status === null) {
      this.#statuses.delete(coin);
      return;
    }
    const before = this.#statuses.get(coin) ?? waiting();
    this.#statuses.set(coin, status);
    if (before.state === status.state && before.reason === status.reason) return;
    this.#changed(this.of(coin));
  }

  /** The worker has stopped reporting: its live books may be outdated. */
  silent(): void {
    for (const [coin, { state }] of this.#statuses)
      if (state === 'live') this.set(coin, { state: 'stale', since: Date.now(), reason: 'feed-silent' });
  }

  /** The worker has exited, and all its books are lost. */
  ended(): void {
    for (const [coin, { state }] of this.#statuses)
      if (state === 'live' || state === 'stale')
        this.set(coin, { state: 'rebuilding', since: Date.now(), reason: 'feed-restarted' });
  }
}

function waiting(): CoinStatus {
  return { state: 'waiting', since: Date.now(), reason: null };
}
