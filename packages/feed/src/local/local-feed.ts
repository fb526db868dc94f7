import { randomUUID } from 'node:crypto';
import { type BookLossReason, isSuspect } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { every, type SystemClock, systemClock } from '@l4desk/runtime/node';
import { type CoinHealth, type FeedHealth, type L4Feed, type SnapshotBytes, type SnapshotEncoding } from '../api.ts';
import { entryTexts } from '../blocks/entry-text.ts';
import type { CoinView, SequencedBlock } from '../blocks/upstream-block.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import { type FollowSettings, L4_TUNING, type L4FeedSettings } from '../settings.ts';
import type { L4Source, SourceEvents, SourceKind } from '../sources/source.ts';
import { sourceKind } from '../sources/source-kind.ts';
import { Audits } from './audits.ts';
import { type JoinedCoin, type JoinState, Joins, newJoinState } from './joins.ts';
import { OutputFeed, type StateListeners } from './output-feed.ts';
import { SnapshotServer } from './snapshot-server.ts';

/** Clock and randomness, passed in by tests. */
export interface LocalFeedDeps extends StateListeners {
  readonly clock?: SystemClock;
  readonly random?: () => number;
}

const SILENCE_CHECK_MS = 1_000;
const SILENCE_LOGS_MS = 60_000;

const NOTHING = () => {};

/** The L4 path, for a worker thread, because reading and writing a large book takes tens of ms. */
export class LocalFeed extends OutputFeed<JoinState> implements L4Feed {
  /** Whether whole blocks arrive in order, so that each is settled before the next. */
  readonly #sendsWholeBlocks: boolean;
  readonly #log: Log;
  readonly #source: L4Source;
  readonly #sequencer: Sequencer;
  readonly #snapshots: SnapshotServer;
  readonly #joins: Joins;
  readonly #audits: Audits;
  readonly #lossesByReason: Partial<Record<BookLossReason, number>> = {};
  #upstreamProblem: string | null = 'not connected yet';
  #lastHeight: number | null = null;
  #cancelWake = NOTHING;
  #cancelSilenceCheck = NOTHING;
  /** When a silence was last logged, and whether it still lasts. */
  #silenceLoggedAt = Number.NEGATIVE_INFINITY;
  #isSilenceLogged = false;
  #settlesSoon = false;
  #closed = false;

  constructor(settings: FollowSettings, source: SourceKind, log: Log, deps: LocalFeedDeps = {}) {
    super(settings, deps.clock ?? systemClock, deps);
    const { clock } = this;
    const { random = Math.random } = deps;
    const tuning = { ...L4_TUNING, ...source.tuning, ...settings.tuning };
    const { reorderMs, sendsWholeBlocks } = source;
    this.#sendsWholeBlocks = sendsWholeBlocks;
    this.#log = log;
    this.#sequencer = new Sequencer(
      { reorderMs, settleMs: tuning.settleMs },
      {
        published: (block) => this.#onPublished(block),
        live: (coin) => this.#onLive(coin),
        caughtUp: (coin) => this.#snapshots.serve(coin),
        lost: (coin, reason, detail) => this.#onLost(coin, reason, detail),
        applied: (coin, height, changes) => {
          const joined = this.coins.get(coin);
          if (joined !== undefined) joined.lastBlockAt = clock.now();
          this.#audits.record(coin, height, changes);
        },
        epochChanged: (epoch) => this.#log.warn({ epoch }, 'upstream chain rolled back, starting a new epoch'),
      },
      randomUUID,
    );
    this.#snapshots = new SnapshotServer((coin) =>
      this.#sequencer.isBehind(coin) ? null : this.#sequencer.completeView(coin),
    );
    this.#joins = new Joins({
      settings,
      coins: this.coins,
      tuning,
      clock,
      random,
      log,
      isConnected: () => this.isConnected,
      progressAt: () => this.#source.progressAt,
      isAwaited: (coin) => this.#snapshots.isAwaited(coin),
      subscribe: (coin) => {
        this.#source.join(coin);
        this.#sequencer.subscribed(coin);
        this.coins.subscribed(coin);
      },
      overdue: (coin) => this.#onJoinOverdue(coin),
      idle: () => this.#audits.resume(),
    });
    this.#audits = new Audits(
      { auditMs: settings.auditMs, reorderMs, tuning },
      {
        view: (coin) => this.#sequencer.view(coin),
        fetch: (coin, signal, onProgress) => this.#source.fetchSnapshot(coin, signal, onProgress),
        mayStart: () => this.#joins.isIdle,
        failed: (coin, detail) => this.#onAuditFailed(coin, detail),
        clock,
        random,
        log,
      },
    );
    const events: SourceEvents = {
      connected: () => this.#onConnected(),
      disconnected: (problem) => this.#onDisconnected(problem),
      snapshot: (coin, { height, time, levels }) => {
        this.#sequencer.onSnapshot(coin, height, time, levels, clock.now());
        this.#settleSoon();
        this.#joins.responded(coin);
      },
      blocks: (blocks) => {
        const now = clock.now();
        for (const block of blocks) this.#sequencer.onBlock(block, now);
        this.#settleSoon();
      },
      trades: (coin, height, time, trades, missing) =>
        this.trades.emit({ coin, height, time, trades, ...(missing === undefined ? {} : { missing }) }),
      completeThrough: (height) => {
        this.#sequencer.completeThrough(height);
        this.#settle();
      },
      silenceIsQuiet: (coin, isQuiet) => this.#sequencer.silenceIsQuiet(coin, isQuiet),
      unchanged: (coin, height, time) => this.#sequencer.unchanged(coin, height, time),
      doubted: (coin, reason) => this.#onDoubted(coin, reason),
      lost: (coin, reason, detail) => this.#sequencer.lose(coin, reason, detail),
      receiving: () => this.#sequencer.touch(clock.now()),
      silent: () => this.#onSilent(),
      snapshotsDoubted: () => {
        for (const { coin } of this.coins.all) this.#audits.hurry(coin);
      },
      standsStill: (since) => this.standsStill(since),
    };
    this.#source = source.open(tuning, events, {
      clock,
      random,
      log,
      readsAll: (coin) => this.coins.wanted(coin).all,
      rests: (coin, oid) => {
        const view = this.#sequencer.view(coin);
        return view === null ? undefined : view.book.sideOf(oid) !== undefined;
      },
    });
    for (const coin of settings.pinnedCoins) this.acquire(coin);
    this.#source.start();
    if (!source.logsSilence) this.#cancelSilenceCheck = every(clock, SILENCE_CHECK_MS, () => this.#checkSilence());
  }

  protected view(coin: string): CoinView | null {
    return this.#sequencer.view(coin);
  }

  protected get isConnected(): boolean {
    return this.#source.connection.connected;
  }

  protected get upstreamAgeMs(): number | null {
    const { aliveAt } = this.#source.connection;
    return aliveAt === null ? null : Math.max(0, Math.round(this.clock.now() - aliveAt));
  }

  protected createCoin(): JoinState {
    return newJoinState();
  }

  protected onAdded(joined: JoinedCoin): void {
    this.#sequencer.add(joined.coin);
    this.#joins.add(joined);
  }

  protected onLeft(joined: JoinedCoin): void {
    const { coin } = joined;
    this.#sequencer.remove(coin);
    this.#audits.forget(coin);
    this.#source.leave(coin);
    this.#snapshots.dropStale();
    this.#joins.remove(joined);
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    const lease = this.acquire(coin);
    this.#joins.requested(coin);
    try {
      return await this.#snapshots.request(coin, encoding, signal);
    } finally {
      lease.release();
    }
  }

  health(): FeedHealth {
    const source = this.#source.connection.counters;
    const audits = this.#audits.counters;
    const snapshots = this.#snapshots.counters;
    return {
      ageMs: 0,
      upstreamConnected: this.isConnected,
      upstreamProblem: this.#upstreamProblem,
      upstreamAgeMs: this.upstreamAgeMs,
      upstreamBlocks: this.upstreamBlocks,
      epoch: this.#sequencer.epoch,
      height: this.#sequencer.height,
      coins: this.coins.all.map((joined) => this.#coinHealth(joined)),
      executions: this.#source.executions,
      executionsProblem: this.#source.executionsProblem ?? null,
      warnings: this.#source.warnings ?? [],
      joins: this.#joins.counts,
      auditPeriodMs: this.#audits.periodMs,
      counters: {
        ...this.blockCounters,
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
      loopDelayMs: this.readLoopDelay(),
    };
  }

  #coinHealth({ coin, status, rebuilds, lastLoss }: JoinedCoin): CoinHealth {
    const view = this.#sequencer.completeView(coin);
    return {
      coin,
      ...status,
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
    this.#cancelSilenceCheck();
    this.#joins.disconnected();
    this.closeOutput();
    this.#audits.close();
    await sourceClosed;
  }

  /** A coin whose snapshot is overdue is lost and joined again; if there was no response at all, the connection is replaced. */
  #onJoinOverdue(coin: string): void {
    if (this.#source.hasNotResponded(coin)) this.#source.reconnect('no response to a subscription');
    else this.#sequencer.lose(coin, 'no-snapshot', 'no snapshot in time');
  }

  #onConnected(): void {
    this.#upstreamProblem = null;
    this.#log.info({}, 'upstream L4 connected');
    this.#joins.connected();
    this.onStateChange();
  }

  #onDisconnected(problem: string): void {
    this.#upstreamProblem = problem;
    this.interrupted();
    this.#joins.disconnected();
    for (const { coin } of this.coins.all) this.#sequencer.lose(coin, 'disconnected', problem);
    this.onStateChange();
  }

  #onLive(coin: string): void {
    const joined = this.coins.get(coin);
    if (joined === undefined) return;
    joined.liveSince = this.clock.now();
    this.#log.info({ coin, height: this.#sequencer.view(coin)?.height }, 'book live');
    this.#audits.watch(coin);
    this.bookViews.live(coin);
    this.#snapshots.serve(coin);
    this.#reportBook(joined);
  }

  #onDoubted(coin: string, reason: BookLossReason | null): void {
    const joined = this.coins.get(coin);
    if (joined === undefined) return;
    joined.doubt = reason;
    if (joined.liveSince !== null) this.#reportBook(joined);
  }

  #reportBook({ coin, doubt }: JoinedCoin): void {
    if (doubt === null) this.coins.live(coin);
    else this.coins.stale(coin, doubt);
  }

  #onLost(coin: string, reason: BookLossReason, detail: string): void {
    const joined = this.coins.get(coin);
    if (joined === undefined) return;
    this.#audits.forget(coin);
    this.bookViews.lost(coin);
    this.#lossesByReason[reason] = (this.#lossesByReason[reason] ?? 0) + 1;
    this.#log.warn({ coin, reason, detail }, 'book lost');
    this.#source.leave(coin);
    this.#joins.lost(joined, reason);
    this.coins.lost(coin, reason);
  }

  #onAuditFailed(coin: string, detail: string): void {
    this.#sequencer.lose(coin, 'audit', detail);
    // A connection that is silent while the book changes upstream will not respond to a new subscription either.
    if (this.#source.connection.isSilent) this.#source.reconnect('silent');
  }

  /** No message about any joined coin: an audit of the last active one shows whether all are quiet or the connection is dead. */
  #onSilent(): void {
    let last: JoinedCoin | null = null;
    for (const joined of this.coins.all) {
      if (joined.liveSince !== null && (last === null || joined.lastBlockAt > last.lastBlockAt)) last = joined;
    }
    if (last !== null) this.#audits.hurry(last.coin);
  }

  #onPublished(block: SequencedBlock): void {
    const { epoch, height, time, firstAt } = block;
    const silentMs = this.upstreamBlocks?.ageMs;
    const receivedAt = this.clock.wallNow() - (this.onBlockArrived() - firstAt);
    if (this.#isSilenceLogged) this.#log.info({ silentMs }, 'upstream L4 sends blocks again');
    this.#isSilenceLogged = false;
    const entries = block.entries.map((entry) => {
      const { coin, seq, prevSeq } = entry;
      // No later block has been applied yet: blocks are published as they are applied.
      const checksum = this.#sequencer.view(coin)?.book.rollingChecksum();
      const executed = entry.executed?.length ? JSON.stringify(entry.executed) : undefined;
      return { coin, seq, prevSeq, checksum, executed, ...entryTexts(entry, this.coins.wanted(coin)) };
    });
    this.publish({ epoch, height, time, receivedAt, entries });
    this.bookViews.changed(block.entries);
  }

  /** Settles once everything that has arrived is read, because a message that is read late is not late (UP-22). */
  #settleSoon(): void {
    if (this.#sendsWholeBlocks) {
      this.#settle();
      return;
    }
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    // Everything that has arrived by now will be read by then; what arrives later, while this thread is descheduled, may not be.
    const readUntil = this.clock.now();
    this.clock.afterInput(() => {
      this.#settlesSoon = false;
      if (!this.#closed) this.#settle(readUntil);
    });
  }

  /** Logs that the upstream sends no block of any coin for longer than usual. */
  #checkSilence(): void {
    const blocks = this.upstreamBlocks;
    const mayLog = !this.#isSilenceLogged && this.clock.now() - this.#silenceLoggedAt >= SILENCE_LOGS_MS;
    if (blocks === null || !mayLog || !this.isConnected || !isSuspect(blocks)) return;
    this.#isSilenceLogged = true;
    this.#silenceLoggedAt = this.clock.now();
    this.#log.warn({ ageMs: blocks.ageMs, usualMs: blocks.usualMs }, 'upstream L4 sends no blocks');
  }

  #settle(readUntil = this.clock.now()): void {
    this.#sequencer.settle(readUntil);
    const { height } = this.#sequencer;
    if (height !== this.#lastHeight) {
      this.#lastHeight = height;
      this.#snapshots.dropStale();
      this.#audits.moved();
    }
    this.#cancelWake();
    const at = this.#sequencer.wakeAt();
    if (at === null || this.#closed) return;
    this.#cancelWake = this.clock.after(Math.max(0, at - this.clock.now()), () => this.#settleSoon());
  }
}

/** Opens a feed on the calling thread from an upstream of this package. */
export function openLocalFeed(settings: L4FeedSettings, log: Log, deps?: LocalFeedDeps): LocalFeed {
  return new LocalFeed(settings, sourceKind(settings), log, deps);
}
