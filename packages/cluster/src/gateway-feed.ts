import { EventEmitter, once } from 'node:events';
import {
  type CoinHealth,
  type CoinView,
  type EarlierBlocks,
  type EarlierQuery,
  type FeedHealth,
  type HeldBooks,
  type HeldCoin,
  type L4Feed,
  type LocalFeedDeps,
  NO_HEALTH,
  OutputFeed,
  type PublishedBlock,
  type PublishedEntry,
  type SnapshotBytes,
  type SnapshotEncoding,
  SnapshotServer,
  type TextsWanted,
  withDeflated,
} from '@l4desk/feed/core';
import { type CoinBatch, decodeUpdates, L4_BOOK_UPDATES, readUpdatesText } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { systemClock, timeoutSignal } from '@l4desk/runtime/node';
import { readEarlier } from './earlier-blocks.ts';
import type { ClusterMessage } from './frame.ts';
import { GatewayCoin } from './gateway-coin.ts';
import { OwnInterest } from './interest.ts';
import { LeaderStream } from './leader-stream.ts';
import type { ClusterSettings } from './nats-link.ts';

/** Settings of a gateway's L4 path; its blocks come from the leading sequencer over NATS (`ROLE=gateway`). */
export interface GatewayFeedSettings extends HeldBooks {
  readonly cluster: ClusterSettings;
}

interface GatewayBook {
  readonly book: GatewayCoin;
}

type GatewayHeldCoin = HeldCoin & GatewayBook;

/** The L4 path of a gateway: reads the leader's blocks, with its epoch and sequences, and keeps books from them. */
export class GatewayFeed extends OutputFeed<GatewayBook> implements L4Feed {
  readonly #log: Log;
  readonly #random: () => number;
  readonly #stream: LeaderStream;
  readonly #interest: OwnInterest;
  readonly #snapshots: SnapshotServer;
  readonly #carried = new CarriedStatuses();
  #epoch = '';
  #height: number | null = null;
  #time = 0;
  #lagMs = 0;

  constructor(settings: GatewayFeedSettings, log: Log, deps: LocalFeedDeps = {}) {
    super(settings, deps.clock ?? systemClock, deps);
    const { cluster } = settings;
    this.#log = log;
    this.#random = deps.random ?? Math.random;
    this.#snapshots = new SnapshotServer((coin) => this.view(coin));
    this.#stream = new LeaderStream(cluster, this.clock, log, {
      message: (message) => this.#onMessage(message),
      term: () => this.#onTerm(),
      missed: (detail, isOver) => this.#onMissed(detail, isOver),
      status: (coin, status) => {
        this.coins.get(coin)?.book.onLeader(status);
        this.#reportBook(coin);
      },
      up: () => {
        this.#interest.changed();
        this.onStateChange();
      },
      down: () => this.interrupted(),
      changed: () => {
        for (const coin of this.coins.names) this.#reportBook(coin);
        this.onStateChange();
      },
    });
    this.#interest = new OwnInterest(
      cluster.id,
      () => this.#stream.session,
      () => {
        const coins = this.coins.names;
        return { coins: [...coins], all: coins.filter((coin) => this.coins.wanted(coin).all) };
      },
    );
    for (const coin of settings.pinnedCoins) this.acquire(coin);
    this.#stream.start();
  }

  protected get isConnected(): boolean {
    return this.#stream.cutOffReason === null;
  }

  protected get upstreamAgeMs(): number | null {
    return this.#stream.upstreamAgeMs;
  }

  /** A coin's book, while it is current as far as is known; else null. */
  protected view(coin: string): CoinView | null {
    const held = this.coins.get(coin);
    if (held === undefined || this.#stream.problem !== null) return null;
    const { book } = held;
    return book.followsLeader && book.leader?.state === 'live' ? this.#placed(book.view()) : null;
  }

  protected onAdded(held: GatewayHeldCoin): void {
    this.#interest.changed();
    this.#begin(held);
  }

  protected onLeft({ book }: GatewayHeldCoin): void {
    book.end();
    this.#snapshots.dropStale();
    this.#interest.changed();
  }

  protected override onAllReadChanged(coin: string): void {
    this.#carried.delete(coin);
    this.#interest.changed();
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    const lease = this.acquire(coin);
    try {
      // A client may have received a block from another gateway, so this one first catches up.
      await this.#stream.caughtUp(signal);
      // A reader of all statuses is sent no block without them, which must not appear as a gap after its snapshot.
      if (this.coins.wanted(coin).all) await this.#carried.wait(coin);
      return await this.#snapshots.request(coin, encoding, signal);
    } finally {
      lease.release();
    }
  }

  async earlier(query: EarlierQuery, signal: AbortSignal): Promise<EarlierBlocks> {
    // Another gateway may have sent the client more than this one has read.
    await this.#stream.caughtUp(signal);
    const { session, last: upTo } = this.#stream;
    const epoch = this.#epoch;
    if (session === null || upTo === null) throw new Error('NATS is not connected');
    const blocks = query.coins.length === 0 ? [] : await readEarlier(session, query, { epoch, upTo }, signal);
    // Read the seqs now, so that they include everything passed to listeners meanwhile.
    if (this.#epoch !== epoch) return { epoch: this.#epoch, blocks: [], seqs: {} };
    const seqs: Record<string, number> = {};
    for (const coin of query.coins) {
      const view = this.coins.get(coin)?.book.view() ?? null;
      if (view?.epoch === epoch) seqs[coin] = view.seq;
    }
    return { epoch, blocks, seqs };
  }

  health(): FeedHealth {
    const leader = this.#stream.health ?? NO_HEALTH;
    const { problem } = this.#stream;
    const { served, serialised, compressed } = this.#snapshots.counters;
    return {
      ...NO_HEALTH,
      ...leader,
      upstreamConnected: problem === null && leader.upstreamConnected,
      upstreamProblem: problem ?? leader.upstreamProblem,
      upstreamAgeMs: this.upstreamAgeMs,
      upstreamBlocks: this.upstreamBlocks,
      epoch: this.#epoch,
      height: this.#height,
      coins: this.coins.all.map((held) => this.#coinHealth(held)),
      counters: {
        ...NO_HEALTH.counters,
        ...this.blockCounters,
        snapshotsServed: served,
        snapshotsSerialised: serialised,
        snapshotsCompressed: compressed,
      },
      loopDelayMs: this.readLoopDelay(),
      cluster: { role: 'gateway', ...this.#stream.report, lagMs: this.#lagMs, pendingBytes: 0, gateways: 0 },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream.stop();
    this.closeOutput();
    for (const { book } of this.coins.all) book.end();
    await this.#interest.close();
    await this.#stream.close();
  }

  #coinHealth({ coin, status, book }: GatewayHeldCoin): CoinHealth {
    const view = this.#placed(book.view());
    return {
      coin,
      ...status,
      height: view?.height ?? null,
      seq: view?.seq ?? 0,
      orders: view?.book.orderCount ?? 0,
      rebuilds: book.rebuilds,
      lastLoss: book.lastLoss,
    };
  }

  /** Advances a view to the cluster's height: the coin was quiet since its own last block. */
  #placed(view: CoinView | null): CoinView | null {
    if (view === null || this.#height === null || this.#height <= view.height) return view;
    return { ...view, height: this.#height, time: this.#time };
  }

  protected createCoin(coin: string): GatewayBook {
    const book = new GatewayCoin(
      {
        coin,
        fetch: (signal) => this.#stream.snapshot(coin, signal),
        live: () => {
          this.#log.info({ coin, height: this.#height }, 'book live');
          this.#reportBook(coin);
        },
        lost: (reason, detail) => {
          this.#log.warn({ coin, reason, detail }, 'book lost');
          this.bookViews.lost(coin);
          this.#reportBook(coin);
        },
        clock: this.clock,
        random: this.#random,
      },
      this.#stream.statusOf(coin),
    );
    return { book };
  }

  /** Starts building a coin's book if there is a term. */
  #begin({ coin, book }: GatewayHeldCoin): void {
    if (this.#stream.term === null) return;
    book.begin();
    this.coins.subscribed(coin);
  }

  /** Another leader, or the first one: no earlier book continues. */
  #onTerm(): void {
    this.#carried.clear();
    for (const held of this.coins.all) {
      held.book.onLeader(null);
      held.book.lose('takeover', 'another sequencer leads');
      this.#begin(held);
    }
  }

  /** Messages were missed, so every book may be incomplete. */
  #onMissed(detail: string, isOver: boolean): void {
    for (const held of this.coins.all) {
      held.book.lose('cluster-gap', detail);
      if (!isOver) this.#begin(held);
    }
  }

  #onMessage(message: ClusterMessage): void {
    switch (message.kind) {
      case 'block':
        this.#onBlock(message.block);
        return;
      case 'trades':
        if (this.coins.has(message.trades.coin)) this.trades.emit(message.trades);
        return;
      case 'health':
        for (const coin of message.allCarried) if (this.coins.wanted(coin).all) this.#carried.add(coin);
        if (this.#epoch === '') this.#epoch = message.health.epoch;
        this.onStateChange();
        return;
      case 'status':
      case 'term':
    }
  }

  #onBlock(block: PublishedBlock): void {
    const { epoch, height, time, receivedAt } = block;
    if (epoch !== this.#epoch) this.#onEpoch(epoch);
    this.#height = height;
    this.#time = time;
    this.#lagMs = Math.max(0, this.clock.wallNow() - receivedAt);
    this.onBlockArrived();
    const entries = block.entries.filter(({ coin }) => this.coins.has(coin));
    if (entries.length > 0) this.#takeEntries({ ...block, entries });
    this.#snapshots.dropStale();
  }

  #takeEntries(block: PublishedBlock): void {
    for (const { all, coin } of block.entries) if (all !== null && this.coins.wanted(coin).all) this.#carried.add(coin);
    // Listeners first. The books are updated in the same turn, before any snapshot that a listener requests is made.
    this.publish(deflated(block, (coin) => this.coins.wanted(coin)));
    const batches = batchesOf(block);
    for (const batch of batches) this.coins.get(batch.coin)?.book.onBatch(batch);
    this.bookViews.changed(batches);
  }

  /** The leader's feed began a new epoch within its term. */
  #onEpoch(epoch: string): void {
    const isFirst = this.#epoch === '';
    this.#epoch = epoch;
    this.#height = null;
    if (isFirst) return;
    for (const held of this.coins.all) {
      const view = held.book.view();
      if (view === null || view.epoch === epoch) continue;
      held.book.lose('new-epoch', `the epoch changed from ${view.epoch} to ${epoch}`);
      this.#begin(held);
    }
  }

  /** Reports the state of a coin's book, from the leader's book, ours, and the connection between them. */
  #reportBook(coin: string): void {
    const held = this.coins.get(coin);
    if (held === undefined) return;
    const { book } = held;
    const { leader } = book;
    const hasBook = book.followsLeader;
    const cutOff = this.#stream.cutOffReason;
    if (cutOff !== null && hasBook) this.coins.stale(coin, cutOff);
    else if (cutOff !== null) this.coins.lost(coin, cutOff);
    else if (hasBook && leader?.state === 'live') {
      this.coins.live(coin);
      this.bookViews.live(coin);
      this.#snapshots.serve(coin);
    } else if (hasBook && leader?.state === 'stale') this.coins.stale(coin, leader.reason ?? 'upstream-stale');
    else if (leader !== null && leader.state !== 'live' && leader.reason !== null) this.coins.lost(coin, leader.reason);
    else if (book.lastLoss !== null && book.view() === null) this.coins.lost(coin, book.lastLoss);
  }
}

/** Decodes a block's entries from the same texts that clients receive. Throws WireFormatError if they are malformed. */
export function batchesOf({ epoch, height, time, entries }: PublishedBlock): readonly CoinBatch[] {
  const texts = entries.map(({ book: { plain } }) =>
    Buffer.from(plain.buffer, plain.byteOffset, plain.length).toString(),
  );
  const updates = `{"time":${time},"block_height":${height},"epoch":"${epoch}","cursor":"${height}:${time}","book_diffs":[${texts.join()}]}`;
  const fast = readUpdatesText(`{"channel":"${L4_BOOK_UPDATES}","data":{"Updates":${updates}}}`);
  const { coins } = fast ?? decodeUpdates(JSON.parse(updates));
  return coins.map((batch, index) => ({ ...batch, checksum: entries[index]?.checksum }));
}

/** Adds the compressed texts that have a reader here. */
function deflated(block: PublishedBlock, wanted: (coin: string) => TextsWanted): PublishedBlock {
  const entries = block.entries.map((entry): PublishedEntry => {
    const { all, allDeflated, bookDeflated } = wanted(entry.coin);
    const isBoth = entry.all === entry.book;
    const book = withDeflated(entry.book, bookDeflated || (isBoth && all && allDeflated));
    return { ...entry, all: isBoth ? book : entry.all && withDeflated(entry.all, allDeflated), book };
  });
  return { ...block, entries };
}

/** How long a snapshot waits at most for blocks with all statuses. Without them its client sees a gap and fetches it again. */
const CARRIED_WITHIN_MS = 2_000;

/** Coins whose blocks in the stream carry all statuses, as requested by this gateway. */
class CarriedStatuses {
  readonly #carried = new Set<string>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  /** The coin's blocks carry all statuses, from now on or already. */
  add(coin: string): void {
    if (this.#carried.has(coin)) return;
    this.#carried.add(coin);
    this.#changes.emit('carried');
  }

  /** All statuses of the coin are no longer requested, or the request has just changed. */
  delete(coin: string): void {
    this.#carried.delete(coin);
  }

  clear(): void {
    this.#carried.clear();
  }

  /** Resolves when the coin's blocks carry all statuses, or after `CARRIED_WITHIN_MS`. */
  async wait(coin: string): Promise<void> {
    if (this.#carried.has(coin)) return;
    const signal = timeoutSignal(CARRIED_WITHIN_MS);
    while (!this.#carried.has(coin) && !signal.aborted)
      await once(this.#changes, 'carried', { signal }).catch(() => {});
  }
}
