import type { Log } from '@l4desk/runtime';
import { afterReading, type SystemClock } from '@l4desk/runtime/node';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import { readServerMessage } from './server-message.ts';
import type { L4Source, SourceDeps, SourceEvents, UpstreamSnapshot } from './source.ts';
import { completeSnapshot, SplitHeights } from './split-heights.ts';
import { type ConnectionSettings, openUpstream, problemOf, UpstreamConnection } from './upstream-connection.ts';

export interface ServerSourceSettings extends Omit<ConnectionSettings, 'compress'> {
  /** How long the messages of a split height are collected, in ms. */
  readonly reorderMs: number;
}

interface Request {
  readonly method: 'subscribe' | 'unsubscribe';
  readonly coin: string;
}

/** A chain makes a block every 70 ms. One whose height stays the same for this long stands still; a server may repeat a snapshot for less. */
const STANDS_STILL_MS = 2_000;

const LEFT_MS = 10_000;

/** The error that a server sends to each new connection until it has books, whatever was requested. */
const NOT_READY = 'Order book not ready';

/** The error of a server that is without its books for a moment, which does not refuse the coin (D53). */
const NO_SNAPSHOT = 'Unable to grab order book snapshot';

/** The longest wait for the blocks that complete a snapshot: shorter than a join or an audit may be without progress. */
const COMPLETES_WITHIN_MS = 10_000;

/** The `l4Book` dialect of an order-level server: one socket, one subscription per coin, a snapshot first (UP-13). */
export class ServerSource implements L4Source {
  readonly #url: string;
  readonly #events: SourceEvents;
  readonly #clock: SystemClock;
  readonly #log: Log;
  readonly #readsAll: (coin: string) => boolean;
  readonly connection: UpstreamConnection;
  readonly executions = 'inferred';
  readonly #splits: SplitHeights;
  readonly #reorderMs: number;
  /** The snapshots that are being fetched, and the blocks merged meanwhile. */
  readonly #fetches = new Set<{ readonly coin: string; readonly blocks: UpstreamBlock[] }>();
  /** Requests without a response yet, oldest first; the upstream responds in order. */
  #pending: Request[] = [];
  /** Joined coins. Each aborts when it is left. */
  readonly #joined = new Map<string, AbortController>();
  /** When a request last got a response. */
  #respondedAt: number | null = null;
  /** The greatest height on this connection, and when it was first received. */
  #top = { height: -1, at: 0 };
  /** Coins that were left on this connection, and when. */
  readonly #left = new Map<string, number>();

  constructor(
    settings: ServerSourceSettings,
    events: SourceEvents,
    { clock, random, log, readsAll }: Omit<SourceDeps, 'rests'>,
  ) {
    this.#readsAll = readsAll;
    this.#url = settings.url;
    this.#events = events;
    this.#clock = clock;
    this.#log = log;
    this.#reorderMs = settings.reorderMs;
    this.#splits = new SplitHeights({
      clock,
      waitMs: settings.reorderMs,
      merged: (text) => this.#onMerged(text),
      splits: () => {
        log.info(
          { waitMs: settings.reorderMs },
          'this upstream L4 sends a height in parts: each is merged for L4_REORDER_MS',
        );
        events.snapshotsDoubted();
      },
    });
    this.connection = new UpstreamConnection(
      { ...settings, compress: false },
      {
        opened: () => events.connected(),
        lost: (problem) => this.#onLost(problem),
        message: (text) => this.#onMessage(text),
        receiving: () => events.receiving(),
        silent: () => events.silent(),
        awaitsMessages: () => this.#joined.size > 0,
        isAtWork: () => this.#pending.some(({ method, coin }) => method === 'subscribe' && this.#joined.has(coin)),
        advice: () => null,
      },
      clock,
      random,
      log,
    );
  }

  get progressAt(): number | null {
    return this.connection.partAt ?? this.#respondedAt;
  }

  start(): void {
    this.connection.start();
  }

  join(coin: string): void {
    this.#joined.set(coin, new AbortController());
    this.#left.delete(coin);
    this.#request({ method: 'subscribe', coin });
  }

  leave(coin: string): void {
    if (!this.#forget(coin)) return;
    this.#left.set(coin, this.#clock.now());
    this.#request({ method: 'unsubscribe', coin });
  }

  hasNotResponded(coin: string): boolean {
    return this.#pending.some((request) => request.coin === coin);
  }

  reconnect(problem: string): void {
    this.connection.drop(problem);
  }

  async fetchSnapshot(coin: string, signal: AbortSignal, onProgress: () => void): Promise<UpstreamSnapshot> {
    const snapshot = await this.#fetch(coin, signal, onProgress);
    const { height, at } = this.#top;
    const isStill = snapshot.height <= height && this.#clock.now() - at >= STANDS_STILL_MS;
    this.#events.standsStill(isStill ? at : null);
    this.#sees(snapshot.height);
    return snapshot;
  }

  close(): void {
    for (const controller of this.#joined.values()) controller.abort();
    this.#splits.reset();
    this.connection.close();
  }

  #sees(height: number): void {
    if (height > this.#top.height) this.#top = { height, at: this.#clock.now() };
  }

  #request(request: Request): void {
    const { method, coin } = request;
    if (this.connection.send({ method, subscription: { type: 'l4Book', coin } })) this.#pending.push(request);
  }

  #onLost(problem: string): void {
    this.#pending = [];
    for (const coin of this.#joined.keys()) this.#forget(coin);
    this.#splits.reset();
    this.#top = { height: -1, at: 0 };
    this.#left.clear();
    this.#events.disconnected(problem);
  }

  #onMessage(text: string): void {
    const message = readServerMessage(text, this.#readsAll);
    switch (message.kind) {
      case 'block':
        this.#sees(message.block.height);
        if (!this.#joined.has(message.block.coin) || this.#splits.passes(message.block, text))
          this.#events.blocks([message.block]);
        return;
      case 'empty':
      case 'other':
        return;
      case 'snapshot':
        // A snapshot that arrives before the acknowledgement belongs to an earlier subscription that was dropped.
        this.#sees(message.height);
        if (!this.hasNotResponded(message.coin))
          this.#onSnapshot(message.coin, { ...message, time: message.time ?? this.#clock.wallNow() });
        return;
      case 'acknowledged':
        this.#onResponse(message.method, message.coin);
        return;
      case 'error':
        this.#onRefused(message.message);
        return;
      case 'malformed':
        this.#onMalformed(message.coins, message.problem);
    }
  }

  #onMerged(text: string): void {
    const message = readServerMessage(text, this.#readsAll);
    if (message.kind === 'block') {
      const { block } = message;
      for (const { coin, blocks } of this.#fetches) if (coin === block.coin) blocks.push(block);
      this.#events.blocks([block]);
    } else if (message.kind === 'malformed') this.#onMalformed(message.coins, message.problem);
  }

  #onSnapshot(coin: string, snapshot: UpstreamSnapshot): void {
    const signal = this.#joined.get(coin)?.signal;
    if (this.#splits.isSplit && signal !== undefined) void this.#joinSplit(coin, signal);
    else this.#events.snapshot(coin, snapshot);
  }

  /** Parts of the current height may precede the subscription, so a later snapshot is fetched instead of its own. */
  async #joinSplit(coin: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#pause(this.#reorderMs);
      if (signal.aborted) return;
      const snapshot = await this.#fetch(coin, signal, () => {
        this.#respondedAt = this.#clock.now();
      });
      if (!signal.aborted) this.#events.snapshot(coin, snapshot);
    } catch (error) {
      if (!signal.aborted)
        this.#events.lost(coin, 'no-snapshot', error instanceof Error ? error.message : 'no snapshot');
    }
  }

  /** Fetches a snapshot, completed if this server splits heights. */
  async #fetch(coin: string, signal: AbortSignal, onProgress: () => void): Promise<UpstreamSnapshot> {
    const fetching = { coin, blocks: [] };
    this.#fetches.add(fetching);
    try {
      const snapshot = await fetchServerSnapshot(this.#url, coin, signal, onProgress, this.#clock);
      if (!this.#splits.isSplit) return snapshot;
      // A height may arrive on this connection after the snapshot did on its own, and is merged later still.
      await this.#pause(Math.min(2 * this.#reorderMs, COMPLETES_WITHIN_MS));
      return completeSnapshot(coin, snapshot, fetching.blocks);
    } finally {
      this.#fetches.delete(fetching);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      afterReading(this.#clock, ms, resolve);
    });
  }

  #forget(coin: string): boolean {
    this.#joined.get(coin)?.abort();
    this.#splits.forget(coin);
    return this.#joined.delete(coin);
  }

  #onResponse(method: Request['method'], coin: string): void {
    this.#respondedAt = this.#clock.now();
    const index = this.#pending.findIndex((request) => request.method === method && request.coin === coin);
    if (index >= 0) this.#pending.splice(index, 1);
  }

  /** A refusal says nothing about orders: a server without spot coins refuses those too, so the coin is asked for again. */
  #onRefused(message: string): void {
    if (message.startsWith(NOT_READY)) {
      this.connection.drop('the server has no books yet');
      return;
    }
    const request = this.#pending.shift();
    this.#log.warn({ message, ...request }, 'upstream L4 refused a request');
    if (request?.method !== 'subscribe') return;
    this.#forget(request.coin);
    this.#events.lost(request.coin, message.startsWith(NO_SNAPSHOT) ? 'no-snapshot' : 'refused', message);
  }

  #onMalformed(coins: readonly string[], problem: string): void {
    const joined = coins.filter((coin) => this.#joined.has(coin));
    this.#log.warn({ problem, coins: joined }, 'invalid upstream L4 message');
    for (const coin of joined) this.#events.lost(coin, 'malformed', problem);
    // A message that cannot be assigned to a coin may have concerned any of them.
    if (joined.length === 0 && (coins.length === 0 || !coins.every((coin) => this.#wasLeftLately(coin))))
      this.connection.drop('invalid message');
  }

  #wasLeftLately(coin: string): boolean {
    return this.#clock.now() - (this.#left.get(coin) ?? Number.NEGATIVE_INFINITY) <= LEFT_MS;
  }
}

/** Fetches a snapshot over a connection of its own. Rejects with one sentence without host names. */
function fetchServerSnapshot(
  url: string,
  coin: string,
  signal: AbortSignal,
  onProgress: () => void,
  clock: SystemClock,
): Promise<UpstreamSnapshot> {
  const socket = openUpstream(url, onProgress);
  return new Promise<UpstreamSnapshot>((resolve, reject) => {
    const fail = (problem: string) => reject(new Error(problem));
    const abort = () => fail('no snapshot in time');
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    socket.on('open', () => {
      socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'l4Book', coin } }));
    });
    socket.on('message', (data: Buffer) => {
      const message = readServerMessage(data.toString(), () => false);
      if (message.kind === 'snapshot' && message.coin === coin)
        resolve({ ...message, time: message.time ?? clock.wallNow() });
      else if (message.kind === 'error') fail(message.message);
      else if (message.kind === 'malformed') fail(message.problem);
    });
    socket.on('error', (error) => fail(problemOf(error)));
    socket.on('close', (code) => fail(`closed with ${code}`));
  }).finally(() => socket.terminate());
}
