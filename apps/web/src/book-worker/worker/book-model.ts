import type { CoinView, FollowEvent, Follower } from '@l4desk/client';
import { compare } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { FLOW_SPAN_MS } from '../frame/layout.ts';
import type { FromWorker, LiveStatus, ToWorker } from '../messages.ts';
import type { TravelTo } from '../panes/past.ts';
import type { Position } from '../position.ts';
import { BookNotes } from './book-notes.ts';
import { CreditWatch, type CreditWatchDeps } from './credit-watch.ts';
import { FeedTiming } from './feed-timing.ts';
import { findOrder } from './find-order.ts';
import { FrameAnswers } from './frame-answers.ts';
import { HeldBook } from './held-book.ts';
import { LadderView, ticksOf } from './ladder-view.ts';
import { Marks } from './marks.ts';
import { type BookAt, bookAt, positionOf } from './panes/pane-context.ts';
import { Panes } from './panes/panes.ts';
import { Past } from './past/past.ts';
import { OrderPlaces } from './places/order-places.ts';
import { deflate, inflate } from './recorded/browser-codec.ts';
import { exportPast } from './recorded/export-past.ts';
import { RecordedView } from './recorded/recorded-view.ts';
import { RECORDING_SHOWN, restingView } from './recorded/resting-view.ts';
import { RuleTrials } from './rule-trials.ts';
import { SourceWatch, type WatchDeps } from './source-watch.ts';
import { Verifier } from './verifier.ts';

/** Time between two statuses: often enough to look alive, seldom enough to read. */
const STATUS_MS = 250;

/** A book with no more levels than this is looked at again for finer prices with each block. */
const LEVELS_OF_A_THIN_BOOK = 100;

/** How often the transport's clock is looked at: pongs change nothing but the time of the last message. */
const PULSE_MS = 1_000;

export interface BookModelDeps extends WatchDeps, CreditWatchDeps {
  /** Starts following; the events come to `onEvent`. */
  follow(coin: string, onEvent: (event: FollowEvent) => void): Follower;
  post(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

/**
 * The worker's half of the page: follows one coin, keeps its book and answers the page's questions. It applies every
 * block whether the page asks or not, so a hidden or paused page misses nothing.
 */
export class BookModel {
  readonly #deps: BookModelDeps;
  readonly #marks = new Marks();
  readonly #frames: FrameAnswers;
  readonly #panes: Panes;
  readonly #past: Past;
  readonly #held: HeldBook;
  readonly #recorded: RecordedView;
  readonly #verifier: Verifier;
  readonly #watch: SourceWatch;
  readonly #credits: CreditWatch;
  readonly #timing = new FeedTiming();
  readonly #notes: BookNotes;
  readonly #places: OrderPlaces;
  readonly #trials: RuleTrials;
  #follower: Follower | undefined;
  /** The live book was let go for a recording, and its next one is not kept yet. */
  #isRested = false;
  /** How many followers there were. */
  #starts = 0;
  #coin = '';
  #generation = 0;
  /** The block of the snapshot that the live book grew from. */
  #builtAt: number | undefined;
  #ticks: readonly DecimalString[] = [];
  #statusWanted = false;
  #statusAt = 0;
  /** The one wallet whose orders the ladders show. */
  #only: Address | undefined;
  /** The time of the last message, as the page was told it. */
  #messageAt: number | undefined;

  constructor(deps: BookModelDeps) {
    this.#deps = deps;
    this.#past = new Past({
      live: () => this.#live(),
      onBegun: () => {
        this.#isRested = false;
        this.#panes.onPast();
      },
      reason: () => (this.#isRested ? RECORDING_SHOWN : (this.#coinView()?.lastGap?.detail ?? 'a new connection')),
      later: (task, ms) => deps.later(task, ms),
    });
    this.#panes = new Panes({
      past: this.#past,
      later: (task, ms) => deps.later(task, ms),
      onDue: () => this.#changed(),
    });
    this.#held = new HeldBook({ live: () => this.#live(), now: () => deps.now() });
    this.#recorded = new RecordedView({
      past: this.#past,
      coin: () => this.#coin,
      onMoved: () => this.#showRecorded(),
      inflate,
    });
    this.#frames = new FrameAnswers({
      newView: () =>
        new LadderView(this.#marks, {
          only: () => this.#only,
          flow: (position) => this.#past.flowUpTo(position, FLOW_SPAN_MS),
          fronts: (...asked) => this.#panes.fronts(...asked),
        }),
      shown: () => this.#held.shown(),
      ticks: () => this.#recorded.ticks ?? this.#ticks,
      generation: () => this.#generation,
      panes: (shown, sizeDecimals) =>
        this.#panes.frame(shown, {
          generation: this.#generation,
          at: deps.now(),
          clock: shown.frozen ? shown.position.blockTime : this.#exchangeClock(shown.position),
          sizeDecimals,
        }),
      post: (message, transfer) => deps.post(message, transfer),
      onWake: () => this.#lookAtSource(),
    });
    this.#verifier = new Verifier({
      now: () => deps.now(),
      orders: () => this.#live()?.book.orderCount ?? 0,
      onReport: () => this.#sendStatus(),
    });
    this.#notes = new BookNotes({
      now: () => deps.now(),
      post: (message, transfer) => deps.post(message, transfer),
      live: () => this.#live(),
      isLive: () => this.#coinView()?.state.kind === 'live',
      times: () => this.#timing.times,
    });
    this.#places = new OrderPlaces({
      follow: (coin, onEvent) => deps.follow(coin, onEvent),
      later: (task, ms) => deps.later(task, ms),
      tell: (places) => deps.post({ kind: 'places', places }, []),
      main: () => ({ coin: this.#coin, view: this.#coinView() ?? this.#restingView() }),
    });
    this.#trials = new RuleTrials({
      line: () => this.#past.line,
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      tell: (serial, trial) => deps.post({ kind: 'tried', serial, trial }, []),
    });
    this.#watch = new SourceWatch(deps, () => this.#wantStatus());
    this.#credits = new CreditWatch(deps, {
      onShortage: () => {
        // Its attempts to connect again would be refused until there are credits.
        this.#follower?.close();
        this.#sendStatus();
      },
      onReturn: () => this.#start(),
    });
  }

  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'follow':
        return this.#follow(message.coin, message.generation);
      case 'ask':
        return this.#frames.ask(message.view ?? 0, message.ask, message.spare);
      case 'rest':
        return this.#frames.rest(message.view ?? 0);
      case 'pause':
        return this.#pause(message.paused);
      case 'travel':
        return this.#travel(message.to);
      case 'hold':
        this.#held.wantHold(message.hold);
        this.#holdIfThere();
        return this.#sendStatus();
      case 'watch':
        this.#marks.watch(message.wallets);
        return this.#frames.changed();
      case 'panes':
        this.#panes.want(message.ask);
        return this.#frames.changed();
      case 'only':
        this.#only = message.wallet;
        return this.#frames.changed();
      case 'places':
        return this.#places.want(message.coins, message.wallets);
      case 'wallets':
        return this.#panes.watchWallets(message.wallets, this.#live());
      case 'find': {
        const shown = this.#held.shown();
        const order = shown === undefined ? null : findOrder(shown.book, message.order);
        return this.#deps.post({ kind: 'found', serial: message.serial, order }, []);
      }
      case 'verify':
        if (this.#coinView() !== undefined && this.#follower !== undefined)
          void this.#verifier.verify(this.#follower, this.#coin);
        return;
      case 'openRecording':
        return void this.#openRecording(message.serial, message.file, message.name);
      case 'closeRecording':
        return this.#closeRecording(message.generation);
      case 'exportPast':
        return void this.#exportPast(message.serial, message.source);
      case 'rules':
        return this.#notes.setRules(message.rules);
      case 'seek':
        return void this.#seek(message.serial, message.oid);
      case 'try':
        return this.#trials.begin(message.serial, message.rules);
      case 'retry':
        if (this.#credits.shortage === undefined) this.#start();
        else this.#credits.look();
        return;
    }
  }

  #follow(coin: string, generation: number): void {
    const previous = this.#coin;
    const wasRecorded = this.#recorded.shown !== undefined;
    this.#coin = coin;
    // It was left for another book; one that waited for this book is another matter.
    if (wasRecorded && this.#recorded.shown === undefined) this.#recorded.close();
    this.#generation = generation;
    this.#frames.forget();
    this.#held.release();
    this.#panes.forget();
    this.#trials.forget();
    this.#past.follow(coin);
    this.#marks.forget();
    this.#verifier.forget();
    this.#builtAt = undefined;
    this.#ticks = [];
    this.#watch.forget();
    this.#timing.follow();
    this.#notes.follow(coin);
    this.#recorded.show();
    if (this.#follower === undefined) this.#pulse();
    this.#followOrRest();
    if (previous !== coin && this.#follower?.coins.includes(previous) === true) this.#follower.remove([previous]);
    this.#learn();
    this.#sendStatus();
  }

  /** Follows the chosen coin, unless a recording stands in its place: nobody would see what is paid for. */
  #followOrRest(): void {
    const follower = this.#follower;
    const isFollowed = follower?.coins.includes(this.#coin) === true;
    if (this.#recorded.shown === undefined) {
      if (follower === undefined || follower.connection.kind === 'stopped') this.#start();
      else if (!isFollowed) follower.add([this.#coin]);
    } else if (follower === undefined) this.#start();
    else if (isFollowed) {
      follower.remove([this.#coin]);
      this.#isRested = true;
      this.#notes.rest();
      this.#watch.forget();
    }
  }

  /** Follows the chosen coin with a connection of its own: one that has stopped starts no more. */
  #start(): void {
    this.#starts += 1;
    const start = this.#starts;
    const before = this.#follower;
    this.#follower = this.#deps.follow(this.#coin, (event) => {
      // One that was replaced is not heard any more.
      if (start === this.#starts) this.#onEvent(event);
    });
    before?.close();
    if (this.#recorded.shown !== undefined) this.#follower.remove([this.#coin]);
    this.#learn();
    this.#sendStatus();
  }

  #onEvent(event: FollowEvent): void {
    if (event.kind === 'connection') {
      this.#watch.forget();
      if (event.connection.kind !== 'open') this.#timing.disconnected();
      this.#credits.hear(event.connection);
      return this.#sendStatus();
    }
    if (event.kind === 'upstream') {
      this.#timing.onUpstream(event.upstream, this.#deps.now(), this.#follower?.roundTripMs);
      return this.#wantStatus();
    }
    if (event.kind === 'refused' ? !event.coins.includes(this.#coin) : event.coin !== this.#coin) return;
    this.#notes.hear(event);
    switch (event.kind) {
      case 'block':
        this.#watch.forget();
        this.#timing.onBlock(event.batch.time, this.#deps.now());
        this.#past.onBlock(event.batch);
        this.#onBook(event.batch.prevSeq);
        this.#holdIfThere(true);
        this.#refineTicks();
        this.#changed();
        return this.#wantStatus();
      case 'book':
        this.#timing.onBook(this.#deps.now());
        this.#learn();
        return;
      case 'state':
      case 'refused':
        this.#watch.forget();
        return this.#sendStatus();
      case 'bookStatus':
        if (this.#follower !== undefined) this.#watch.hear(this.#follower, event.status);
        return;
      case 'resumed':
      case 'notResumed':
      case 'findings':
      case 'verified':
        return this.#wantStatus();
    }
  }

  /** A block was applied to the live book, and to the past. */
  #onBook(prevSeq: number): void {
    const live = this.#live();
    if (live === undefined) return;
    this.#panes.onBlock(live, prevSeq);
    this.#places.onMainBlock(live, prevSeq, () => this.#past.eventsOf(live.position));
  }

  /** A whole new book stands, or a coin was chosen whose book is already there. */
  #learn(): void {
    const live = this.#live();
    if (live !== undefined) {
      this.#past.onBook();
      this.#ticks = ticksOf(live.book);
      this.#builtAt = live.position.height;
      this.#holdIfThere();
    }
    this.#changed();
  }

  /**
   * A book with few levels tells little of how fine its prices are, and an empty one nothing: its ticks are learned as it
   * fills, and only become finer, so that the one that is shown stays on offer.
   */
  #refineTicks(): void {
    const book = this.#live()?.book;
    if (book === undefined || book.levelCount('B') + book.levelCount('A') > LEVELS_OF_A_THIN_BOOK) return;
    const ticks = ticksOf(book);
    const [known] = this.#ticks;
    const [finest] = ticks;
    if (finest !== undefined && (known === undefined || compare(finest, known) < 0)) this.#ticks = ticks;
  }

  #holdIfThere(isNext = false): void {
    if (this.#recorded.shown !== undefined) return;
    if (this.#held.holdIfThere(isNext)) this.#showOther();
  }

  #changed(): void {
    if (!this.#held.isFrozen) this.#frames.changed();
  }

  /** Undefined while the coin is not followed. */
  #coinView(): CoinView | undefined {
    return this.#follower?.coin(this.#coin);
  }

  #restingView(): CoinView | undefined {
    return this.#recorded.shown && restingView(this.#coin, this.#deps.now());
  }

  #live(): BookAt | undefined {
    return bookAt(this.#coinView());
  }

  #pause(paused: boolean): void {
    // A recording stands as it is until somebody travels in it, or closes it.
    if (this.#recorded.shown !== undefined) return;
    if (paused) this.#held.freeze();
    else this.#toLive();
    this.#showOther();
  }

  #travel(to: TravelTo): void {
    if (this.#recorded.shown !== undefined) return void this.#recorded.travel(to);
    const shown = this.#held.shown();
    if (shown === undefined) return;
    const there = this.#past.travel(to, shown);
    if (there === undefined) this.#toLive();
    else this.#held.show(there);
    this.#showOther();
  }

  #showRecorded(): void {
    const { position } = this.#recorded;
    const place = position && this.#past.placeOf(position);
    if (place !== undefined) this.#held.show(this.#past.bookAt(place));
    this.#showOther();
  }

  async #openRecording(serial: number, file: Blob, name: string): Promise<void> {
    const outcome = await this.#recorded.open(file, name);
    this.#followOrRest();
    this.#sendStatus();
    this.#deps.post({ kind: 'openedRecording', serial, outcome }, []);
  }

  async #seek(serial: number, oid: number): Promise<void> {
    const isThere = await this.#recorded.seek(oid);
    this.#deps.post({ kind: 'sought', serial, isThere }, []);
  }

  async #exportPast(serial: number, source: string): Promise<void> {
    const outcome = await exportPast({ line: this.#past.kept, source, now: this.#deps.now(), deflate });
    this.#deps.post({ kind: 'exportedPast', serial, outcome }, []);
  }

  #closeRecording(generation: number): void {
    this.#generation = generation;
    this.#recorded.close();
    this.#toLive();
    this.#followOrRest();
    this.#showOther();
  }

  #toLive(): void {
    this.#held.release();
    this.#past.release();
  }

  /** Another book is shown than before. */
  #showOther(): void {
    this.#sendStatus();
    this.#frames.changed();
  }

  /** The exchange's time now, by its own last block: this machine's clock and a replay's may be days apart. */
  #exchangeClock({ blockTime }: Position): number {
    const came = this.#coinView()?.lastBlockAt;
    if (came === undefined) return blockTime;
    return blockTime + Math.max(0, this.#deps.now() - came);
  }

  /** Loop "pulse": goes on as long as the worker; what it finds unchanged it does not tell. */
  #pulse(): void {
    this.#deps.later(() => {
      if (this.#coinView()?.lastMessageAt !== this.#messageAt) this.#wantStatus();
      this.#notes.look();
      this.#lookAtSource();
      this.#pulse();
    }, PULSE_MS);
  }

  #lookAtSource(): void {
    if (this.#follower !== undefined && !this.#frames.isResting) this.#watch.look(this.#follower, this.#coin);
  }

  /** Loop "status": at most one status waits at a time; nothing follows it until something changes. */
  #wantStatus(): void {
    if (this.#statusWanted) return;
    this.#statusWanted = true;
    const dueIn = this.#statusAt + STATUS_MS - this.#deps.now();
    this.#deps.later(
      () => {
        if (this.#statusWanted) this.#sendStatus();
      },
      // Never longer, though the clock may have been set back.
      Math.min(STATUS_MS, Math.max(0, dueIn)),
    );
  }

  #sendStatus(): void {
    this.#statusWanted = false;
    const follower = this.#follower;
    const view = this.#coinView() ?? this.#restingView();
    if (follower === undefined || view === undefined) return;
    this.#statusAt = this.#deps.now();
    this.#notes.look();
    this.#messageAt = view.lastMessageAt;
    this.#places.onMainState();
    this.#deps.post({ kind: 'status', status: this.#status(follower, view) }, []);
  }

  #status(follower: Follower, view: CoinView): LiveStatus {
    const { book } = view;
    return {
      generation: this.#generation,
      coin: this.#coin,
      connection: follower.connection,
      shortage: this.#credits.shortage,
      state: view.state,
      position: positionOf(view),
      gaps: view.gaps,
      lastGap: view.lastGap,
      lastBlockAt: view.lastBlockAt,
      lastMessageAt: view.lastMessageAt,
      roundTripMs: follower.roundTripMs,
      times: this.#timing.times,
      source: this.#watch.state,
      verification: this.#verifier.report,
      ticks: this.#recorded.ticks ?? this.#ticks,
      best: { bid: book?.best('B')?.px, ask: book?.best('A')?.px },
      counts: book && {
        bids: book.orderCountOf('B'),
        asks: book.orderCountOf('A'),
        levels: book.levelCount('B') + book.levelCount('A'),
      },
      frozen: this.#held.frozenAt(),
      recorded: this.#recorded.shown,
      holdAt: this.#held.holdAt(this.#coin),
      builtAt: this.#builtAt,
      provedHeight: view.provedHeight,
    };
  }
}
