import { randomUUID } from 'node:crypto';
import { backoffMs, Cadence } from '@l4desk/client/stream';
import type { BookLossReason, BookStatus, BookViewQuery, UpstreamBlocks } from '@l4desk/protocol';
import {
  BookNotReady,
  type BookView,
  type CoinHealth,
  type CoinLease,
  type CoinTrades,
  type FeedHealth,
  type L4Feed,
  type Log,
  type PublishedBlock,
  roundedBlocks,
  type SnapshotBytes,
  type SnapshotEncoding,
  type TextsWanted,
  type ViewLease,
} from './api.ts';
import { Audits } from './audits.ts';
import { BookStatuses, type CoinStatus } from './book-statuses.ts';
import { BookViews } from './channels/book-views.ts';
import { ViewHolders } from './channels/view-holders.ts';
import { type Clock, systemClock } from './clock.ts';
import { coinLease } from './coin-lease.ts';
import { Listeners } from './listeners.ts';
import { entryTexts } from './sequencer/entry-text.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import type { SequencedBlock } from './sequencer/upstream-block.ts';
import { DIALECT_TUNING, L4_TUNING, type L4FeedSettings, type L4Tuning } from './settings.ts';
import { SnapshotServer } from './snapshot-server.ts';
import { createSource } from './sources/create-source.ts';
import { JoinQueue } from './sources/join-queue.ts';
import type { L4Source, SourceEvents } from './sources/source.ts';
import { TextsOfCoins } from './texts-of-coins.ts';
import { LoopDelay } from './thread/loop-delay.ts';

/** Time and chance, handed in for tests. */
export interface LocalFeedDeps {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly newEpochId?: () => string;
  /** Called when a state changed that `health` shows. */
  readonly onStateChange?: () => void;
  /** Called when the book state of a coin changed, with null when it was left. */
  readonly onBookStatus?: (coin: string, status: CoinStatus | null, upstreamAgeMs: number | null) => void;
}

/** One coin with a holder, or that had one a moment ago. */
interface JoinedCoin {
  readonly coin: string;
  holders: number;
  /** Losses in a row, none of them after a healthy time. */
  losses: number;
  rebuilds: number;
  lastLoss: BookLossReason | null;
  liveSince: number | null;
  /** Why the book may be old although nothing contradicts it, null while nothing speaks for it. */
  doubt: BookLossReason | null;
  lastBlockAt: number;
  /** Which request for a snapshot was the last about this coin; they are numbered. */
  lastRequest: number;
  /** Ends the wait before the coin is joined again. */
  cancelRejoin: () => void;
  cancelLinger: () => void;
}

const NOTHING = () => {};

/**
 * The L4 path on the thread it is called on: source, sequencer, books, audits and snapshots, put together. The service
 * runs it in a worker thread (`feed.ts`), because parsing and serialising a large book takes tens of milliseconds.
 */
export class LocalFeed implements L4Feed {
  readonly #settings: L4FeedSettings;
  readonly #tuning: L4Tuning;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #onStateChange: () => void;
  readonly #source: L4Source;
  readonly #sequencer: Sequencer;
  readonly #desk: SnapshotServer;
  readonly #joins: JoinQueue;
  readonly #audits: Audits;
  readonly #statuses: BookStatuses;
  readonly #loopDelay = new LoopDelay();
  readonly #coins = new Map<string, JoinedCoin>();
  readonly #views: BookViews;
  readonly #viewHolders: ViewHolders;
  readonly #blockListeners = new Listeners<PublishedBlock>();
  readonly #tradeListeners = new Listeners<CoinTrades>();
  readonly #statusListeners = new Listeners<BookStatus>();
  readonly #lossesByReason: Partial<Record<BookLossReason, number>> = {};
  readonly #texts = new TextsOfCoins();
  #upstreamProblem: string | null = 'not connected yet';
  /** Of the published blocks, whichever coin's. */
  #cadence = new Cadence();
  #blockAt: number | null = null;
  #blocksPublished = 0;
  #entriesPublished = 0;
  #lastHeight: number | null = null;
  #requests = 0;
  #cancelWake = NOTHING;
  #settlesSoon = false;
  #closed = false;

  constructor(settings: L4FeedSettings, log: Log, deps: LocalFeedDeps = {}) {
    this.#settings = settings;
    const { dialect } = settings.upstream;
    const tuning = { ...L4_TUNING, ...settings.tuning, ...DIALECT_TUNING[dialect] };
    const reorderMs = dialect === 'l4Book' ? settings.reorderMs : 0;
    this.#tuning = tuning;
    this.#log = log;
    this.#clock = deps.clock ?? systemClock;
    this.#random = deps.random ?? Math.random;
    this.#onStateChange = deps.onStateChange ?? NOTHING;
    this.#statuses = new BookStatuses(settings.rebuildMaxMs, this.#clock, (coin, status) => {
      deps.onBookStatus?.(coin, status, this.#upstreamAgeMs);
      if (status !== null) this.#statusListeners.tell(this.bookStatus(coin));
      this.#onStateChange();
    });
    const { settleMs, activeSettleMs, swapMs, fallBackMs } = tuning;
    this.#sequencer = new Sequencer(
      { reorderMs, settleMs, activeSettleMs, swapMs, fallBackMs },
      {
        published: (block) => this.#publish(block),
        live: (coin) => this.#onLive(coin),
        caughtUp: (coin) => this.#desk.serve(coin),
        lost: (coin, reason, detail) => this.#onLost(coin, reason, detail),
        applied: (coin, height, changes) => {
          const joined = this.#coins.get(coin);
          if (joined !== undefined) joined.lastBlockAt = this.#clock.now();
          this.#audits.record(coin, height, changes);
        },
        epochChanged: (epoch) => this.#log.warn({ epoch }, 'upstream chain rolled back, starting a new epoch'),
      },
      deps.newEpochId ?? randomUUID,
    );
    this.#views = new BookViews({
      coin: (coin) => this.#sequencer.view(coin),
      liveCoins: () => [...this.#coins.keys()].filter((coin) => this.#sequencer.view(coin) !== null),
      changed: (key, data) => this.#viewHolders.tell({ key, data }),
    });
    this.#viewHolders = new ViewHolders(
      (query) => this.#views.watch(query),
      (query) => this.#views.unwatch(query),
    );
    this.#desk = new SnapshotServer((coin) =>
      this.#sequencer.isBehind(coin) ? null : this.#sequencer.completeView(coin),
    );
    this.#joins = new JoinQueue(
      { outstandingMax: tuning.joinsOutstandingMax, shareMax: tuning.joinShareMax, withinMs: tuning.joinWithinMs },
      {
        send: (coin) => this.#sendJoin(coin),
        overdue: (coin) => this.#onJoinOverdue(coin),
        idle: () => this.#audits.resume(),
        rank: (coin) => this.#joinRank(coin),
        progressAt: () => this.#source.progressAt,
        clock: this.#clock,
      },
    );
    this.#audits = new Audits(
      {
        everyMs: settings.auditMs,
        shareMax: tuning.auditShareMax,
        withinMs: tuning.auditWithinMs,
        longestMs: tuning.auditLongestMs,
        quietMs: tuning.auditQuietMs,
        silentMs: tuning.auditSilentMs,
        reorderMs,
        abandonedMax: tuning.auditsAbandonedMax,
      },
      {
        view: (coin) => this.#sequencer.view(coin),
        fetch: (coin, signal, onProgress) => this.#source.fetchSnapshot(coin, signal, onProgress),
        mayStart: () => this.#joins.isIdle,
        failed: (coin, detail) => this.#onAuditFailed(coin, detail),
        clock: this.#clock,
        random: this.#random,
        log,
      },
    );
    const events: SourceEvents = {
      connected: () => this.#onConnected(),
      disconnected: (problem) => this.#onDisconnected(problem),
      snapshot: (coin, { height, time, levels }) => {
        this.#sequencer.onSnapshot(coin, height, time, levels, this.#clock.now());
        this.#settleSoon();
        this.#joins.answered(coin);
      },
      blocks: (blocks) => {
        const now = this.#clock.now();
        for (const block of blocks) this.#sequencer.onBlock(block, now);
        this.#settleSoon();
      },
      trades: (coin, height, time, trades) => {
        this.#tradeListeners.tell({ coin, height, time, trades });
      },
      completeThrough: (height) => {
        this.#sequencer.completeThrough(height);
        this.#settle();
      },
      silenceIsQuiet: (coin, isQuiet) => this.#sequencer.silenceIsQuiet(coin, isQuiet),
      unchanged: (coin, height, time) => this.#sequencer.unchanged(coin, height, time),
      doubted: (coin, reason) => this.#onDoubted(coin, reason),
      lost: (coin, reason, detail) => this.#sequencer.lose(coin, reason, detail),
      receiving: () => this.#sequencer.touch(this.#clock.now()),
      silent: () => this.#onSilent(),
    };
    this.#source = createSource(settings, tuning, events, {
      clock: this.#clock,
      random: this.#random,
      log,
      readsAll: (coin) => this.#texts.of(coin).all,
    });
    for (const coin of settings.pinnedCoins) this.acquire(coin);
    this.#source.start();
  }

  acquire(coin: string): CoinLease {
    const joined = this.#hold(coin);
    return coinLease(coin, () => this.#release(joined));
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    const lease = this.acquire(coin);
    this.#requests += 1;
    const joined = this.#coins.get(coin);
    if (joined !== undefined) joined.lastRequest = this.#requests;
    try {
      return await this.#desk.request(coin, encoding, signal);
    } catch (error) {
      throw signal.aborted ? new BookNotReady(coin, { cause: error }) : error;
    } finally {
      lease.release();
    }
  }

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.#blockListeners.add(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    return this.#tradeListeners.add(listener);
  }

  bookStatus(coin: string): BookStatus {
    return { coin, ...this.#statuses.of(coin), upstreamAgeMs: this.#upstreamAgeMs };
  }

  onBookStatus(listener: (status: BookStatus) => void): () => void {
    return this.#statusListeners.add(listener);
  }

  watchView(query: BookViewQuery): ViewLease {
    return this.#viewHolders.watch(query);
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.#viewHolders.onView(listener);
  }

  /** How long ago the upstream last gave a sign of life, null when it never did. */
  get #upstreamAgeMs(): number | null {
    const { heardAt } = this.#source.connection;
    return heardAt === null ? null : Math.max(0, Math.round(this.#clock.now() - heardAt));
  }

  get #upstreamBlocks(): UpstreamBlocks | null {
    const { usual } = this.#cadence;
    if (usual === undefined || this.#blockAt === null) return null;
    const { usualMs, suspectAfterMs } = usual;
    return roundedBlocks({ ageMs: this.#clock.now() - this.#blockAt, usualMs, suspectAfterMs });
  }

  wantTexts(coin: string, wanted: TextsWanted): void {
    this.#texts.set(coin, wanted);
  }

  health(): FeedHealth {
    const source = this.#source.connection.counters;
    const audits = this.#audits.counters;
    const snapshots = this.#desk.counters;
    return {
      ageMs: 0,
      upstreamConnected: this.#source.connection.connected,
      upstreamProblem: this.#upstreamProblem,
      upstreamAgeMs: this.#upstreamAgeMs,
      upstreamBlocks: this.#upstreamBlocks,
      epoch: this.#sequencer.epoch,
      height: this.#sequencer.height,
      coins: [...this.#coins.values()].map((joined) => this.#coinHealth(joined)),
      executions: this.#source.executions,
      joins: { waiting: this.#joins.waiting, outstanding: this.#joins.outstanding },
      auditPeriodMs: this.#audits.periodMs,
      counters: {
        blocksPublished: this.#blocksPublished,
        entriesPublished: this.#entriesPublished,
        upstreamMessages: source.messages,
        upstreamBytes: source.bytes,
        upstreamConnects: source.connects,
        repeatsDropped: this.#sequencer.repeatsDropped,
        lossesByReason: { ...this.#lossesByReason },
        auditsPassed: audits.passed,
        auditsFailed: audits.failed,
        auditsAbandoned: audits.abandoned,
        snapshotsServed: snapshots.served,
        snapshotsSerialised: snapshots.serialised,
        snapshotsCompressed: snapshots.compressed,
        epochs: this.#sequencer.epochs,
      },
      loopDelayMs: this.#loopDelay.read(),
      workerRestarts: 0,
    };
  }

  #coinHealth({ coin, rebuilds, lastLoss }: JoinedCoin): CoinHealth {
    const view = this.#sequencer.completeView(coin);
    return {
      coin,
      ...this.#statuses.of(coin),
      height: view?.height ?? null,
      seq: this.#sequencer.seq(coin),
      orders: view?.book.orderCount ?? 0,
      rebuilds,
      lastLoss,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#cancelWake();
    const sourceClosed = this.#source.close();
    this.#joins.clear();
    this.#audits.close();
    this.#statuses.close();
    this.#loopDelay.close();
    for (const joined of this.#coins.values()) {
      joined.cancelRejoin();
      joined.cancelLinger();
    }
    await sourceClosed;
  }

  #hold(coin: string): JoinedCoin {
    let joined = this.#coins.get(coin);
    if (joined === undefined) {
      joined = {
        coin,
        holders: 0,
        losses: 0,
        rebuilds: 0,
        lastLoss: null,
        liveSince: null,
        doubt: null,
        lastBlockAt: 0,
        lastRequest: 0,
        cancelRejoin: NOTHING,
        cancelLinger: NOTHING,
      };
      this.#coins.set(coin, joined);
      this.#sequencer.add(coin);
      this.#statuses.add(coin, this.#source.connection.connected);
      this.#join(joined);
    }
    joined.holders += 1;
    joined.cancelLinger();
    return joined;
  }

  #release(joined: JoinedCoin): void {
    joined.holders -= 1;
    if (joined.holders > 0 || this.#closed) return;
    joined.cancelLinger = this.#clock.after(this.#settings.lingerMs, () => this.#leave(joined));
  }

  #leave({ coin, cancelRejoin }: JoinedCoin): void {
    cancelRejoin();
    this.#coins.delete(coin);
    this.#sequencer.remove(coin);
    this.#audits.forget(coin);
    this.#source.leave(coin);
    this.#joins.remove(coin);
    this.#desk.dropStale();
    this.#statuses.remove(coin);
    // Without it blocks may come at another pace, which is to be learned.
    this.#cadence = new Cadence();
  }

  /** Has a coin joined upstream when its turn comes. */
  #join({ coin, cancelRejoin }: JoinedCoin): void {
    if (!this.#source.connection.connected) return;
    cancelRejoin();
    this.#joins.add(coin);
  }

  #sendJoin(coin: string): void {
    this.#source.join(coin);
    this.#sequencer.subscribed(coin);
    this.#statuses.asked(coin);
  }

  /** Without a snapshot in time a coin is lost and asked for again; without any answer the connection is. */
  #onJoinOverdue(coin: string): void {
    if (this.#source.hasNotAnswered(coin)) this.#source.reconnect('no response to a subscription');
    else this.#sequencer.lose(coin, 'no-snapshot', 'no snapshot in time');
  }

  /**
   * First the coin whose snapshot a caller waits for, the latest request before earlier ones: its caller has most time left.
   * Then the coins that are followed, then those that are only pinned, or left and lingering.
   */
  #joinRank(coin: string): number {
    if (this.#desk.isAwaited(coin)) return -(this.#coins.get(coin)?.lastRequest ?? 0);
    const holders = this.#coins.get(coin)?.holders ?? 0;
    return holders > (this.#settings.pinnedCoins.includes(coin) ? 1 : 0) ? 1 : 2;
  }

  #onConnected(): void {
    this.#upstreamProblem = null;
    this.#log.info({}, 'upstream L4 connected');
    for (const joined of this.#coins.values()) this.#join(joined);
    this.#onStateChange();
  }

  #onDisconnected(problem: string): void {
    this.#upstreamProblem = problem;
    this.#cadence.interrupt();
    this.#joins.clear();
    for (const { coin, cancelRejoin } of this.#coins.values()) {
      cancelRejoin();
      this.#sequencer.lose(coin, 'disconnected', problem);
    }
    this.#onStateChange();
  }

  #onLive(coin: string): void {
    const joined = this.#coins.get(coin);
    if (joined === undefined) return;
    joined.liveSince = this.#clock.now();
    this.#log.info({ coin, height: this.#sequencer.view(coin)?.height }, 'book live');
    this.#audits.watch(coin);
    this.#views.live(coin);
    this.#desk.serve(coin);
    this.#tellHeld(joined);
  }

  #onDoubted(coin: string, reason: BookLossReason | null): void {
    const joined = this.#coins.get(coin);
    if (joined === undefined) return;
    joined.doubt = reason;
    if (joined.liveSince !== null) this.#tellHeld(joined);
  }

  #tellHeld({ coin, doubt }: JoinedCoin): void {
    if (doubt === null) this.#statuses.live(coin);
    else this.#statuses.stale(coin, doubt);
  }

  /** The rejoin loop: ends when the coin is live or left; each turn in a row waits longer, up to the longest wait. */
  #onLost(coin: string, reason: BookLossReason, detail: string): void {
    const joined = this.#coins.get(coin);
    if (joined === undefined) return;
    this.#audits.forget(coin);
    this.#views.lost(coin);
    this.#lossesByReason[reason] = (this.#lossesByReason[reason] ?? 0) + 1;
    this.#log.warn({ coin, reason, detail }, 'book lost');
    const healthy = joined.liveSince !== null && this.#clock.now() - joined.liveSince >= this.#tuning.stableMs;
    joined.losses = healthy ? 1 : joined.losses + 1;
    joined.rebuilds += 1;
    joined.lastLoss = reason;
    joined.liveSince = null;
    joined.doubt = null;
    joined.cancelRejoin();
    this.#source.leave(coin);
    this.#joins.remove(coin);
    // The first loss is healed at once; a lost connection is joined on again by `#onConnected`.
    const pause = { firstMs: this.#tuning.rejoinFirstMs, longestMs: this.#settings.rebuildMaxMs };
    const waitMs = joined.losses === 1 ? 0 : backoffMs(joined.losses - 1, pause, this.#random);
    joined.cancelRejoin = this.#clock.after(waitMs, () => this.#join(joined));
    this.#statuses.lost(coin, reason);
  }

  #onAuditFailed(coin: string, detail: string): void {
    this.#sequencer.lose(coin, 'audit', detail);
    // A connection that says nothing while the book changes upstream will not answer a new subscription either.
    if (this.#source.connection.isSilent) this.#source.reconnect('silent');
  }

  /** Nothing is said of any joined coin: the one that spoke last tells whether all are quiet or the connection is dead. */
  #onSilent(): void {
    let last: JoinedCoin | null = null;
    for (const joined of this.#coins.values()) {
      if (joined.liveSince !== null && (last === null || joined.lastBlockAt > last.lastBlockAt)) last = joined;
    }
    if (last !== null) this.#audits.hurry(last.coin);
  }

  #publish(block: SequencedBlock): void {
    const { epoch, height, time, firstAt } = block;
    this.#blockAt = this.#clock.now();
    this.#cadence.record(this.#blockAt);
    const receivedAt = this.#clock.wallNow() - (this.#blockAt - firstAt);
    const entries = block.entries.map((entry) => {
      const { coin, seq, prevSeq } = entry;
      // No later block has been applied yet: blocks are published as they are applied.
      const checksum = this.#sequencer.view(coin)?.book.rollingChecksum();
      return { coin, seq, prevSeq, checksum, ...entryTexts(entry, this.#texts.of(coin)) };
    });
    this.#blocksPublished += 1;
    this.#entriesPublished += entries.length;
    const published: PublishedBlock = { epoch, height, time, receivedAt, entries };
    this.#blockListeners.tell(published);
    this.#views.changed(block.entries);
  }

  /**
   * Settles once everything that has arrived is read: a message that is read late is not late (UP-22). Other upstreams than
   * an order-level server tell of whole blocks in order: each is settled before the next.
   */
  #settleSoon(): void {
    if (this.#settings.upstream.dialect !== 'l4Book') {
      this.#settle();
      return;
    }
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    // What had arrived by now is read then. Of what arrived later, while this thread had no processor, that is not known.
    const readUntil = this.#clock.now();
    this.#clock.afterInput(() => {
      this.#settlesSoon = false;
      if (!this.#closed) this.#settle(readUntil);
    });
  }

  #settle(readUntil = this.#clock.now()): void {
    this.#sequencer.settle(readUntil);
    const { height } = this.#sequencer;
    if (height !== this.#lastHeight) {
      this.#lastHeight = height;
      this.#desk.dropStale();
      this.#audits.moved();
    }
    this.#cancelWake();
    const at = this.#sequencer.wakeAt();
    if (at === null || this.#closed) return;
    this.#cancelWake = this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#settleSoon());
  }
}
