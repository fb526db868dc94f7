import { Cadence } from '@l4desk/client/stream';
import type { BookLossReason, BookStatus, BookViewQuery, UpstreamBlocks } from '@l4desk/protocol';
import {
  BookNotReady,
  type BookView,
  type CoinHealth,
  type CoinLease,
  type CoinTrades,
  type EarlierBlocks,
  type EarlierQuery,
  type FeedHealth,
  type L4Feed,
  type Log,
  type PublishedBlock,
  roundedBlocks,
  type SnapshotBytes,
  type SnapshotEncoding,
  type TextsWanted,
  type ViewLease,
} from '../api.ts';
import { BookStatuses, type CoinStatus } from '../book-statuses.ts';
import { BookViews } from '../channels/book-views.ts';
import { ViewHolders } from '../channels/view-holders.ts';
import { type Clock, systemClock } from '../clock.ts';
import { coinLease } from '../coin-lease.ts';
import { Listeners } from '../listeners.ts';
import { NO_HEALTH } from '../no-health.ts';
import type { CoinView } from '../sequencer/sequencer.ts';
import type { GatewayFeedSettings } from '../settings.ts';
import { SnapshotServer } from '../snapshot-server.ts';
import { TextsOfCoins } from '../texts-of-coins.ts';
import { LoopDelay } from '../thread/loop-delay.ts';
import { CarriedStatuses } from './carried-statuses.ts';
import { readEarlier } from './earlier-blocks.ts';
import { batchesOf, deflated } from './entries.ts';
import type { ClusterMessage } from './frame.ts';
import { GatewayCoin } from './gateway-coin.ts';
import { OwnInterest } from './interest.ts';
import { LeaderWatch } from './leader-watch.ts';
import { NatsLink, type NatsSession } from './nats-link.ts';
import { fetchSnapshot } from './snapshot-exchange.ts';
import { StreamReader } from './stream-reader.ts';
import { TermReader } from './term-reader.ts';

export interface GatewayFeedDeps {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly onStateChange?: () => void;
  readonly onBookStatus?: (coin: string, status: CoinStatus | null, upstreamAgeMs: number | null) => void;
}

interface HeldCoin {
  readonly coin: string;
  readonly book: GatewayCoin;
  holders: number;
  cancelLinger: () => void;
}

const NOTHING = () => {};

/**
 * The L4 path of a gateway (CL-1): the blocks of the leading sequencer out of the stream, in its epoch and with its sequences,
 * and books of its own that follow them. Everything behind it is the same as with a feed in this process.
 */
export class GatewayFeed implements L4Feed {
  readonly #settings: GatewayFeedSettings;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #onStateChange: () => void;
  readonly #link: NatsLink;
  readonly #reader: StreamReader;
  readonly #interest: OwnInterest;
  readonly #statuses: BookStatuses;
  readonly #desk: SnapshotServer;
  readonly #views: BookViews;
  readonly #viewHolders: ViewHolders;
  readonly #leader: LeaderWatch;
  readonly #terms: TermReader;
  readonly #loopDelay = new LoopDelay();
  readonly #coins = new Map<string, HeldCoin>();
  readonly #blockListeners = new Listeners<PublishedBlock>();
  readonly #tradeListeners = new Listeners<CoinTrades>();
  readonly #statusListeners = new Listeners<BookStatus>();
  readonly #texts = new TextsOfCoins();
  readonly #carried = new CarriedStatuses();
  /** What the stream held when it was reached last is read. */
  #isCaughtUp = false;
  #catchingUp = new AbortController();
  #epoch = '';
  #height: number | null = null;
  #time = 0;
  #cadence = new Cadence();
  #blockAt: number | null = null;
  #blocks = 0;
  #entries = 0;
  #lagMs = 0;
  #closed = false;

  constructor(settings: GatewayFeedSettings, log: Log, deps: GatewayFeedDeps = {}) {
    const { cluster } = settings;
    this.#settings = settings;
    this.#log = log;
    this.#clock = deps.clock ?? systemClock;
    this.#random = deps.random ?? Math.random;
    this.#onStateChange = deps.onStateChange ?? NOTHING;
    this.#statuses = new BookStatuses(settings.rebuildMaxMs, this.#clock, (coin, status) => {
      deps.onBookStatus?.(coin, status, this.#leader.upstreamAgeMs);
      if (status !== null) this.#statusListeners.tell(this.bookStatus(coin));
      this.#onStateChange();
    });
    this.#desk = new SnapshotServer((coin) => this.#currentView(coin));
    this.#views = new BookViews({
      coin: (coin) => this.#currentView(coin),
      liveCoins: () => [...this.#coins.keys()].filter((coin) => this.#currentView(coin) !== null),
      changed: (key, data) => this.#viewHolders.tell({ key, data }),
    });
    this.#viewHolders = new ViewHolders(
      (query) => this.#views.watch(query),
      (query) => this.#views.unwatch(query),
    );
    this.#leader = new LeaderWatch(this.#clock, {
      status: (coin, status) => {
        this.#coins.get(coin)?.book.onLeader(status);
        this.#tell(coin);
      },
      silence: () => {
        if (this.#leader.problem !== null) this.#log.warn({ problem: this.#leader.problem }, 'gateway cut off');
        this.#tellAll();
        this.#onStateChange();
      },
    });
    this.#terms = new TermReader({
      message: (message) => this.#onMessage(message),
      term: (isFirst) => this.#onTerm(isFirst),
      missed: (detail, isOver) => this.#onMissed(detail, isOver),
    });
    this.#reader = new StreamReader(log, {
      frame: (frame) => this.#terms.take(frame),
      restarted: () => this.#terms.restart(),
    });
    this.#link = new NatsLink(cluster, 'gateway', log, {
      up: (session) => this.#onUp(session),
      down: () => this.#onDown(),
    });
    this.#interest = new OwnInterest(
      cluster.id,
      () => this.#link.session,
      () => {
        const coins = [...this.#coins.keys()];
        return { coins, all: coins.filter((coin) => this.#texts.of(coin).all) };
      },
    );
    for (const coin of settings.pinnedCoins) this.acquire(coin);
    this.#link.start();
  }

  acquire(coin: string): CoinLease {
    const held = this.#hold(coin);
    return coinLease(coin, () => this.#release(held));
  }

  async snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    const lease = this.acquire(coin);
    try {
      // A client may have been told of a block by another gateway: this one first comes as far (CL-7).
      await this.#reader.caughtUp(signal);
      // Its reader is sent no block without them, and must not see that as a gap behind its snapshot.
      if (this.#texts.of(coin).all) await this.#carried.wait(coin, signal);
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
    return { coin, ...this.#statuses.of(coin), upstreamAgeMs: this.#leader.upstreamAgeMs };
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

  wantTexts(coin: string, wanted: TextsWanted): void {
    const isNews = wanted.all !== this.#texts.of(coin).all;
    this.#texts.set(coin, wanted);
    if (!isNews) return;
    this.#carried.delete(coin);
    this.#interest.changed();
  }

  async earlier(query: EarlierQuery, signal: AbortSignal): Promise<EarlierBlocks> {
    // Another gateway may have told a client of more than this one has read.
    await this.#reader.caughtUp(signal);
    const { session } = this.#link;
    const upTo = this.#reader.last;
    const epoch = this.#epoch;
    if (session === null || upTo === null) throw new Error('NATS is not connected');
    const blocks = query.coins.length === 0 ? [] : await readEarlier(session, query, { epoch, upTo }, signal);
    // Behind all that listeners were told of meanwhile.
    if (this.#epoch !== epoch) return { epoch: this.#epoch, blocks: [], seqs: {} };
    const seqs: Record<string, number> = {};
    for (const coin of query.coins) {
      const view = this.#coins.get(coin)?.book.view() ?? null;
      if (view?.epoch === epoch) seqs[coin] = view.seq;
    }
    return { epoch, blocks, seqs };
  }

  health(): FeedHealth {
    const leader = this.#leader.health ?? NO_HEALTH;
    const problem = this.#problem;
    return {
      ...leader,
      ageMs: 0,
      upstreamConnected: problem === null && leader.upstreamConnected,
      upstreamProblem: problem ?? leader.upstreamProblem,
      upstreamAgeMs: this.#leader.upstreamAgeMs,
      upstreamBlocks: this.#upstreamBlocks,
      epoch: this.#epoch,
      height: this.#height,
      coins: [...this.#coins.values()].map((held) => this.#coinHealth(held)),
      counters: {
        ...leader.counters,
        blocksPublished: this.#blocks,
        entriesPublished: this.#entries,
        snapshotsServed: this.#desk.counters.served,
        snapshotsSerialised: this.#desk.counters.serialised,
        snapshotsCompressed: this.#desk.counters.compressed,
      },
      loopDelayMs: this.#loopDelay.read(),
      workerRestarts: 0,
      cluster: {
        role: 'gateway',
        natsProblem: this.#link.problem,
        leaderProblem: this.#leader.problem,
        lagMs: this.#lagMs,
        pendingBytes: 0,
        terms: this.#terms.terms,
        gaps: this.#terms.gaps,
        gateways: 0,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#catchingUp.abort();
    this.#leader.close();
    this.#statuses.close();
    this.#loopDelay.close();
    for (const { book, cancelLinger } of this.#coins.values()) {
      cancelLinger();
      book.end();
    }
    this.#reader.close();
    await this.#interest.close();
    await this.#link.close();
  }

  #coinHealth({ coin, book }: HeldCoin): CoinHealth {
    const view = this.#placed(book.view());
    return {
      coin,
      ...this.#statuses.of(coin),
      height: view?.height ?? null,
      seq: view?.seq ?? 0,
      orders: view?.book.orderCount ?? 0,
      rebuilds: book.rebuilds,
      lastLoss: book.lastLoss,
    };
  }

  /** Why what stands here may be old. */
  get #problem(): string | null {
    const nats = this.#link.problem;
    if (nats !== null) return `NATS: ${nats}`;
    return this.#leader.problem ?? (this.#isCaughtUp ? null : 'the stream is being read');
  }

  get #upstreamBlocks(): UpstreamBlocks | null {
    const { usual } = this.#cadence;
    if (usual === undefined || this.#blockAt === null) return null;
    return roundedBlocks({ ageMs: this.#clock.now() - this.#blockAt, ...usual });
  }

  /** A coin's book, while it is the cluster's newest as far as is known. */
  #currentView(coin: string): CoinView | null {
    const held = this.#coins.get(coin);
    if (held === undefined || this.#problem !== null) return null;
    const { book } = held;
    return book.isLeaders && book.leader?.state === 'live' ? this.#placed(book.view()) : null;
  }

  /** Between its own last block and the cluster's the coin was quiet. */
  #placed(view: CoinView | null): CoinView | null {
    if (view === null || this.#height === null || this.#height <= view.height) return view;
    return { ...view, height: this.#height, time: this.#time };
  }

  #hold(coin: string): HeldCoin {
    let held = this.#coins.get(coin);
    if (held === undefined) {
      held = { coin, book: this.#newBook(coin), holders: 0, cancelLinger: NOTHING };
      this.#coins.set(coin, held);
      this.#statuses.add(coin, !this.#isCutOff);
      this.#interest.changed();
      this.#begin(held);
    }
    held.holders += 1;
    held.cancelLinger();
    return held;
  }

  #newBook(coin: string): GatewayCoin {
    return new GatewayCoin(
      {
        coin,
        fetch: (signal) => this.#fetch(coin, signal),
        live: () => {
          this.#log.info({ coin, height: this.#height }, 'book live');
          this.#tell(coin);
        },
        lost: (reason, detail) => {
          this.#log.warn({ coin, reason, detail }, 'book lost');
          this.#views.lost(coin);
          this.#tell(coin);
        },
        clock: this.#clock,
        random: this.#random,
      },
      this.#leader.of(coin),
    );
  }

  #onUp(session: NatsSession): void {
    this.#reader.up(session);
    this.#interest.changed();
    void this.#catchUp();
    this.#onStateChange();
  }

  /** What stood here before the connection was lost is told as live again only behind all that was said since. */
  async #catchUp(): Promise<void> {
    const catchingUp = new AbortController();
    this.#catchingUp = catchingUp;
    try {
      await this.#reader.caughtUp(catchingUp.signal);
    } catch {
      // The connection was lost again.
      return;
    }
    this.#isCaughtUp = true;
    this.#tellAll();
    this.#onStateChange();
  }

  #onDown(): void {
    this.#catchingUp.abort();
    this.#isCaughtUp = false;
    this.#reader.down();
    this.#cadence.interrupt();
    this.#tellAll();
    this.#onStateChange();
  }

  #release(held: HeldCoin): void {
    held.holders -= 1;
    if (held.holders > 0 || this.#closed) return;
    held.cancelLinger = this.#clock.after(this.#settings.lingerMs, () => {
      held.book.end();
      this.#coins.delete(held.coin);
      this.#views.lost(held.coin);
      this.#desk.dropStale();
      this.#statuses.remove(held.coin);
      this.#interest.changed();
      this.#cadence = new Cadence();
    });
  }

  /** Builds a coin's book, once there is a term to build it in. */
  #begin({ coin, book }: HeldCoin): void {
    if (this.#terms.term === null) return;
    book.begin();
    this.#statuses.asked(coin);
  }

  async #fetch(coin: string, signal: AbortSignal) {
    const session = this.#link.session;
    const { term } = this.#terms;
    if (session === null || term === null) throw new Error('NATS is not connected');
    return fetchSnapshot(session, term, coin, signal);
  }

  /** Another leader, or the first that is heard of: no book from before goes on. */
  #onTerm(isFirst: boolean): void {
    if (!isFirst) this.#log.warn({ term: this.#terms.term }, 'another sequencer leads');
    this.#leader.forget();
    this.#carried.clear();
    for (const held of this.#coins.values()) {
      held.book.onLeader(null);
      held.book.lose('takeover', 'another sequencer leads');
      this.#begin(held);
    }
  }

  /** No book is known to be whole. */
  #onMissed(detail: string, isOver: boolean): void {
    this.#log.warn({ detail }, 'messages of the stream were missed');
    for (const held of this.#coins.values()) {
      held.book.lose('cluster-gap', detail);
      if (!isOver) this.#begin(held);
    }
  }

  #onMessage(message: ClusterMessage): void {
    this.#leader.heard();
    switch (message.kind) {
      case 'term':
        return;
      case 'block':
        this.#onBlock(message.block);
        return;
      case 'trades':
        if (!this.#coins.has(message.trades.coin)) return;
        this.#tradeListeners.tell(message.trades);
        return;
      case 'status':
        this.#leader.onStatus(message.coin, message.status);
        return;
      case 'health':
        this.#leader.onHealth(message);
        for (const coin of message.allCarried) if (this.#texts.of(coin).all) this.#carried.add(coin);
        if (this.#epoch === '') this.#epoch = message.health.epoch;
        this.#onStateChange();
    }
  }

  #onBlock(block: PublishedBlock): void {
    const { epoch, height, time, receivedAt } = block;
    if (epoch !== this.#epoch) this.#onEpoch(epoch);
    this.#height = height;
    this.#time = time;
    this.#lagMs = Math.max(0, this.#clock.wallNow() - receivedAt);
    this.#blockAt = this.#clock.now();
    this.#cadence.record(this.#blockAt);
    const entries = block.entries.filter(({ coin }) => this.#coins.has(coin));
    if (entries.length > 0) this.#takeEntries({ ...block, entries });
    this.#desk.dropStale();
  }

  #takeEntries(block: PublishedBlock): void {
    this.#blocks += 1;
    this.#entries += block.entries.length;
    const batches = batchesOf(block);
    for (const { all, coin } of block.entries) if (all !== null && this.#texts.of(coin).all) this.#carried.add(coin);
    // Books first: who is told of a block may ask for a snapshot at once.
    for (const batch of batches) this.#coins.get(batch.coin)?.book.onBatch(batch);
    const published = deflated(block, this.#texts);
    this.#blockListeners.tell(published);
    this.#views.changed(batches);
  }

  /** The leader's feed began anew, within its term. */
  #onEpoch(epoch: string): void {
    const isFirst = this.#epoch === '';
    this.#epoch = epoch;
    this.#height = null;
    if (isFirst) return;
    for (const held of this.#coins.values()) {
      const view = held.book.view();
      if (view === null || view.epoch === epoch) continue;
      held.book.lose('new-epoch', `the epoch changed from ${view.epoch} to ${epoch}`);
      this.#begin(held);
    }
  }

  #tellAll(): void {
    for (const coin of this.#coins.keys()) this.#tell(coin);
  }

  /** Says how a coin's book is: the leader's, ours, and the way between. */
  #tell(coin: string): void {
    const held = this.#coins.get(coin);
    if (held === undefined) return;
    const { book } = held;
    const { leader } = book;
    const stands = book.isLeaders;
    if (this.#isCutOff && stands) this.#statuses.stale(coin, this.#cutOffReason);
    else if (this.#isCutOff) this.#statuses.lost(coin, this.#cutOffReason);
    else if (stands && leader?.state === 'live') {
      this.#statuses.live(coin);
      this.#views.live(coin);
      this.#desk.serve(coin);
    } else if (stands && leader?.state === 'stale') this.#statuses.stale(coin, leader.reason ?? 'upstream-stale');
    else if (leader !== null && leader.state !== 'live' && leader.reason !== null)
      this.#statuses.lost(coin, leader.reason);
    else if (book.lastLoss !== null && book.view() === null) this.#statuses.lost(coin, book.lastLoss);
  }

  /** Whether what stands here may be old, or ought to stand and does not, for want of a connection. */
  get #isCutOff(): boolean {
    return this.#problem !== null;
  }

  get #cutOffReason(): BookLossReason {
    return this.#link.problem === null ? 'feed-silent' : 'disconnected';
  }
}
