import type { CoinView, FollowEvent, Follower } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { staleReasonOf } from '../integrity.ts';
import type { FromWorker, LiveStatus, ToWorker } from '../messages.ts';
import { BookNotes } from './book-notes.ts';
import { BookTicks } from './book-ticks.ts';
import { CreditWatch, type CreditWatchDeps } from './credit-watch.ts';
import { FeedTiming } from './feed-timing.ts';
import { findOrder } from './find-order.ts';
import { FrameResponses } from './frame-responses.ts';
import { HeldBook } from './held-book.ts';
import { LadderView } from './ladder-view.ts';
import { Marks } from './marks.ts';
import { type BookAt, bookAt } from './panes/pane-context.ts';
import { Panes } from './panes/panes.ts';
import { Past } from './past/past.ts';
import { OrderPlaces } from './places/order-places.ts';
import { RECORDING_SHOWN, restingView } from './recorded/resting-view.ts';
import { RuleTrials } from './rule-trials.ts';
import { SourceWatch, type WatchDeps } from './source-watch.ts';
import { StatusPace } from './status-pace.ts';
import { TimeTravels } from './time-travels.ts';
import { Verifier } from './verifier.ts';
import { exchangeClock, viewStatus } from './view-status.ts';

/** How often the last message time is checked: pongs change nothing else. */
const PULSE_MS = 1_000;

export interface BookModelDeps extends WatchDeps, CreditWatchDeps {
  /** Starts following; events go to `onEvent`. */
  follow(coin: string, onEvent: (event: FollowEvent) => void): Follower;
  post(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

/**
 * The worker's side of the page: follows one coin, keeps its book and responds to the page. It applies every block whether the
 * page asks or not, so a hidden or paused page misses nothing.
 */
export class BookModel {
  readonly #deps: BookModelDeps;
  readonly #marks = new Marks();
  readonly #frames: FrameResponses;
  readonly #panes: Panes;
  readonly #past: Past;
  readonly #held: HeldBook;
  readonly #travels: TimeTravels;
  readonly #ticks = new BookTicks();
  readonly #verifier: Verifier;
  readonly #watch: SourceWatch;
  readonly #credits: CreditWatch;
  readonly #timing = new FeedTiming();
  readonly #notes: BookNotes;
  readonly #places: OrderPlaces;
  readonly #trials: RuleTrials;
  readonly #statusPace: StatusPace;
  #follower: Follower | undefined;
  /** The live book was dropped for a recording, and its replacement is not kept yet. */
  #isRested = false;
  /** How many followers were started. */
  #starts = 0;
  #coin = '';
  #generation = 0;
  /** The block of the snapshot that the live book was built from. */
  #builtAt: number | undefined;
  /** The only wallet whose orders the ladders show; undefined for everybody's. */
  #only: Address | undefined;
  /** The time of the last message, as last reported to the page. */
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
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      onDue: () => this.#changed(),
    });
    this.#held = new HeldBook({ live: () => this.#live(), now: () => deps.now() });
    this.#travels = new TimeTravels({
      held: this.#held,
      past: this.#past,
      coin: () => this.#coin,
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      post: (message, transfer) => deps.post(message, transfer),
      onShown: () => this.#showOther(),
      onOpened: () => {
        this.#followOrRest();
        this.#sendStatus();
      },
    });
    this.#frames = new FrameResponses({
      newView: () =>
        new LadderView(this.#marks, {
          only: () => this.#only,
          flow: (shown, spanMs) => this.#past.flowUpTo(shown, spanMs),
          fronts: (...asked) => this.#panes.fronts(...asked),
        }),
      shown: () => this.#held.shown(),
      ticks: () => this.#travels.ticks ?? this.#ticks.all,
      generation: () => this.#generation,
      panes: (shown, sizeDecimals) =>
        this.#panes.frame(shown, {
          generation: this.#generation,
          at: deps.now(),
          clock: shown.frozen ? shown.position.blockTime : exchangeClock(this.#coinView(), shown.position, deps.now()),
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
      gaps: () => this.#coinView()?.gaps ?? 0,
      isLive: () => this.#coinView()?.state.kind === 'live',
      times: () => this.#timing.times,
      staleReason: () =>
        staleReasonOf({ source: this.#watch.state, lastMessageAt: this.#coinView()?.lastMessageAt }, deps.now()),
    });
    this.#places = new OrderPlaces({
      follow: (coin, onEvent) => deps.follow(coin, onEvent),
      credits: () => deps.credits(),
      now: () => deps.now(),
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
    this.#statusPace = new StatusPace({
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      send: () => this.#sendStatus(),
    });
    this.#watch = new SourceWatch(deps, () => this.#statusPace.want());
    this.#credits = new CreditWatch(deps, {
      onShortage: () => {
        // Its reconnection attempts would be refused until there are credits.
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
        return this.#travels.pause(message.paused);
      case 'travel':
        return this.#travels.travel(message.to);
      case 'hold':
        this.#travels.hold(message.hold);
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
        return void this.#travels.openRecording(message.serial, message.file, message.name);
      case 'closeRecording':
        return this.#closeRecording(message.generation);
      case 'exportPast':
        return void this.#travels.exportPast(message.serial, message.source);
      case 'rules':
        return this.#notes.setRules(message.rules);
      case 'seek':
        return void this.#travels.seek(message.serial, message.oid);
      case 'try':
        return this.#trials.begin(message.serial, message.rules);
      case 'retry':
        this.#places.restart();
        if (this.#credits.shortage === undefined) this.#start();
        else this.#credits.look();
        return;
    }
  }

  #follow(coin: string, generation: number): void {
    const previous = this.#coin;
    this.#travels.leaveFor(coin);
    this.#coin = coin;
    this.#generation = generation;
    this.#frames.forget();
    this.#held.release();
    this.#panes.forget();
    this.#trials.forget();
    this.#past.follow(coin);
    this.#marks.forget();
    this.#verifier.forget();
    this.#builtAt = undefined;
    this.#ticks.forget();
    this.#watch.forget();
    this.#timing.follow();
    this.#notes.follow(coin);
    this.#travels.showWaiting();
    if (this.#follower === undefined) this.#pulse();
    this.#followOrRest();
    if (previous !== coin && this.#follower?.coins.includes(previous) === true) this.#follower.remove([previous]);
    this.#learn();
    this.#sendStatus();
  }

  /** Follows the chosen coin, unless a recording is shown in its place: the paid stream would not be seen. */
  #followOrRest(): void {
    const follower = this.#follower;
    const isFollowed = follower?.coins.includes(this.#coin) === true;
    if (this.#travels.recorded === undefined) {
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

  /** Follows the chosen coin over a new connection: a stopped follower cannot be restarted. */
  #start(): void {
    this.#starts += 1;
    const start = this.#starts;
    const before = this.#follower;
    this.#follower = this.#deps.follow(this.#coin, (event) => {
      // Events of a replaced follower are ignored.
      if (start === this.#starts) this.#onEvent(event);
    });
    before?.close();
    if (this.#travels.recorded !== undefined) this.#follower.remove([this.#coin]);
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
      return this.#statusPace.want();
    }
    if (event.kind === 'refused' ? !event.coins.includes(this.#coin) : event.coin !== this.#coin) return;
    this.#notes.hear(event);
    switch (event.kind) {
      case 'block':
        this.#watch.forget();
        this.#timing.onBlock(event.batch.time, this.#deps.now());
        this.#past.onBlock(event.batch);
        this.#onBook(event.batch.prevSeq);
        this.#travels.holdIfThere(true);
        this.#changed();
        return this.#statusPace.want();
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
      default:
        return this.#statusPace.want();
    }
  }

  /** A block was applied to the live book and to the past. */
  #onBook(prevSeq: number): void {
    const live = this.#live();
    if (live === undefined) return;
    this.#ticks.refine(live.book);
    this.#panes.onBlock(live, prevSeq);
    this.#places.onMainBlock(live, prevSeq, () => this.#past.eventsOf(live.position));
  }

  /** A new book was built, or a coin was chosen whose book already exists. */
  #learn(): void {
    const live = this.#live();
    if (live !== undefined) {
      this.#past.onBook();
      this.#ticks.learn(live.book);
      this.#builtAt = live.position.height;
      this.#travels.holdIfThere();
    }
    this.#changed();
  }

  #changed(): void {
    if (!this.#held.isFrozen) this.#frames.changed();
  }

  /** Undefined while the coin is not followed. */
  #coinView(): CoinView | undefined {
    return this.#follower?.coin(this.#coin);
  }

  #restingView(): CoinView | undefined {
    return this.#travels.recorded && restingView(this.#coin, this.#deps.now());
  }

  #live(): BookAt | undefined {
    return bookAt(this.#coinView());
  }

  #closeRecording(generation: number): void {
    this.#generation = generation;
    this.#travels.closeRecording();
    this.#followOrRest();
    this.#showOther();
  }

  /** Another book is shown than before. */
  #showOther(): void {
    this.#sendStatus();
    this.#frames.changed();
  }

  /** Loop "pulse": runs as long as the worker; reports nothing if nothing changed. */
  #pulse(): void {
    this.#deps.later(() => {
      if (this.#coinView()?.lastMessageAt !== this.#messageAt) this.#statusPace.want();
      this.#notes.look();
      this.#lookAtSource();
      this.#pulse();
    }, PULSE_MS);
  }

  #lookAtSource(): void {
    if (this.#follower !== undefined && !this.#frames.isResting) this.#watch.look(this.#follower, this.#coin);
  }

  #sendStatus(): void {
    this.#statusPace.begin();
    const follower = this.#follower;
    const view = this.#coinView() ?? this.#restingView();
    if (follower === undefined || view === undefined) return;
    this.#statusPace.sent();
    this.#notes.look();
    this.#messageAt = view.lastMessageAt;
    this.#places.onMainState();
    const status: LiveStatus = {
      generation: this.#generation,
      coin: this.#coin,
      ...viewStatus(follower, view, this.#notes.unseen),
      shortage: this.#credits.shortage,
      times: this.#timing.times,
      source: this.#watch.state,
      verification: this.#verifier.report,
      ticks: this.#travels.ticks ?? this.#ticks.all,
      frozen: this.#held.frozenAt(),
      recorded: this.#travels.recorded,
      holdAt: this.#held.holdAt(this.#coin),
      builtAt: this.#builtAt,
    };
    this.#deps.post({ kind: 'status', status }, []);
  }
}
