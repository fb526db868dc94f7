import type { CoinView, FollowEvent } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { staleReasonOf } from '../integrity.ts';
import type { FromWorker, LiveStatus, ToWorker } from '../messages.ts';
import { BookNotes } from './book-notes.ts';
import { BookTicks } from './book-ticks.ts';
import { CreditWatch, type CreditWatchDeps } from './credit-watch.ts';
import { FeedTiming } from './feed-timing.ts';
import { findOrder } from './find-order.ts';
import { FollowedCoin, type FollowedCoinDeps } from './followed-coin.ts';
import { FrameResponses } from './frame-responses.ts';
import { HeldBook } from './held-book.ts';
import { LadderView } from './ladder-view.ts';
import { Marks } from './marks.ts';
import { Panes } from './panes/panes.ts';
import { Past } from './past/past.ts';
import { OrderPlaces } from './places/order-places.ts';
import { RECORDING_SHOWN, restingView } from './recorded/resting-view.ts';
import { SourceWatch, type WatchDeps } from './source-watch.ts';
import { StatusPace } from './status-pace.ts';
import { TimeTravels } from './time-travels.ts';
import { Verifier } from './verifier.ts';
import { exchangeClock, viewStatus } from './view-status.ts';

/** How often the last message time is checked: pongs change nothing else. */
const PULSE_MS = 1_000;

export interface BookModelDeps extends WatchDeps, CreditWatchDeps, Pick<FollowedCoinDeps, 'follow'> {
  post(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

/**
 * The worker's side of the page: follows one coin, keeps its book and responds to the page. It applies every block whether the
 * page asks or not, so a hidden or paused page misses nothing.
 */
export class BookModel {
  readonly #deps: BookModelDeps;
  readonly #followed: FollowedCoin;
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
  readonly #statusPace: StatusPace;
  /** The live book was dropped for a recording, and its replacement is not kept yet. */
  #isRested = false;
  #generation = 0;
  /** The block of the snapshot that the live book was built from. */
  #builtAt: number | undefined;
  /** The only wallet whose orders the ladders show; undefined for everybody's. */
  #only: Address | undefined;
  /** The time of the last message, as last reported to the page. */
  #messageAt: number | undefined;

  constructor(deps: BookModelDeps) {
    this.#deps = deps;
    this.#followed = new FollowedCoin({
      follow: (coin, onEvent) => deps.follow(coin, onEvent),
      isReplaced: () => this.#travels.recorded !== undefined,
      onEvent: (event) => this.#onEvent(event),
      onStarted: () => {
        this.#learn();
        this.#sendStatus();
      },
      onRested: () => {
        this.#isRested = true;
        this.#notes.rest();
        this.#watch.forget();
      },
    });
    this.#past = new Past({
      live: () => this.#followed.live,
      onBegun: () => {
        this.#isRested = false;
        this.#panes.onPast();
      },
      reason: () => (this.#isRested ? RECORDING_SHOWN : (this.#followed.view?.lastGap?.detail ?? 'a new connection')),
      later: (task, ms) => deps.later(task, ms),
    });
    this.#panes = new Panes({
      past: this.#past,
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      tick: () => (this.#travels.ticks ?? this.#ticks.all)[0],
      onDue: () => this.#changed(),
    });
    this.#held = new HeldBook({ live: () => this.#followed.live, now: () => deps.now() });
    this.#travels = new TimeTravels({
      held: this.#held,
      past: this.#past,
      coin: () => this.#followed.coin,
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      post: (message, transfer) => deps.post(message, transfer),
      onShown: () => this.#showOther(),
      onOpened: () => {
        this.#followed.follow();
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
          clock: shown.frozen
            ? shown.position.blockTime
            : exchangeClock(this.#followed.view, shown.position, deps.now()),
          sizeDecimals,
        }),
      post: (message, transfer) => deps.post(message, transfer),
      onWake: () => this.#lookAtSource(),
    });
    this.#verifier = new Verifier({
      now: () => deps.now(),
      orders: () => this.#followed.live?.book.orderCount ?? 0,
      onReport: () => this.#sendStatus(),
    });
    this.#notes = new BookNotes({
      now: () => deps.now(),
      post: (message, transfer) => deps.post(message, transfer),
      live: () => this.#followed.live,
      gaps: () => this.#followed.view?.gaps ?? 0,
      isLive: () => this.#followed.view?.state.kind === 'live',
      times: () => this.#timing.times,
      staleReason: () =>
        staleReasonOf({ source: this.#watch.state, lastMessageAt: this.#followed.view?.lastMessageAt }, deps.now()),
    });
    this.#places = new OrderPlaces({
      follow: (coin, onEvent) => deps.follow(coin, onEvent),
      credits: () => deps.credits(),
      now: () => deps.now(),
      later: (task, ms) => deps.later(task, ms),
      tell: (places) => deps.post({ kind: 'places', places }, []),
      main: () => ({ coin: this.#followed.coin, view: this.#followed.view ?? this.#restingView() }),
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
        this.#followed.stop();
        this.#sendStatus();
      },
      onReturn: () => this.#followed.start(),
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
        return this.#panes.watchWallets(message.wallets, this.#followed.live);
      case 'find': {
        const shown = this.#held.shown();
        const order = shown === undefined ? null : findOrder(shown.book, message.order);
        return this.#deps.post({ kind: 'found', serial: message.serial, order }, []);
      }
      case 'verify':
        if (this.#followed.view !== undefined && this.#followed.follower !== undefined)
          void this.#verifier.verify(this.#followed.follower, this.#followed.coin);
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
      case 'retry':
        this.#places.restart();
        if (this.#credits.shortage === undefined) this.#followed.start();
        else this.#credits.look();
        return;
    }
  }

  #follow(coin: string, generation: number): void {
    this.#travels.leaveFor(coin);
    this.#followed.choose(coin);
    this.#generation = generation;
    this.#frames.forget();
    this.#held.release();
    this.#panes.forget();
    this.#past.follow(coin);
    this.#marks.forget();
    this.#verifier.forget();
    this.#builtAt = undefined;
    this.#ticks.forget();
    this.#watch.forget();
    this.#timing.follow();
    this.#notes.follow(coin);
    this.#travels.showWaiting();
    if (this.#followed.follower === undefined) this.#pulse();
    this.#followed.follow();
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
      this.#timing.onUpstream(event.upstream, this.#deps.now(), this.#followed.follower?.roundTripMs);
      return this.#statusPace.want();
    }
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
        if (this.#followed.follower !== undefined) this.#watch.hear(this.#followed.follower, event.status);
        return;
      default:
        return this.#statusPace.want();
    }
  }

  /** A block was applied to the live book and to the past. */
  #onBook(prevSeq: number): void {
    const live = this.#followed.live;
    if (live === undefined) return;
    this.#ticks.refine(live.book);
    this.#panes.onBlock(live, prevSeq);
    this.#places.onMainBlock(live, prevSeq, () => this.#past.eventsOf(live.position));
  }

  /** A new book was built, or a coin was chosen whose book already exists. */
  #learn(): void {
    const live = this.#followed.live;
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

  #restingView(): CoinView | undefined {
    return this.#travels.recorded && restingView(this.#followed.coin, this.#deps.now());
  }

  #closeRecording(generation: number): void {
    this.#generation = generation;
    this.#travels.closeRecording();
    this.#followed.follow();
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
      if (this.#followed.view?.lastMessageAt !== this.#messageAt) this.#statusPace.want();
      this.#notes.look();
      this.#lookAtSource();
      this.#pulse();
    }, PULSE_MS);
  }

  #lookAtSource(): void {
    if (this.#followed.follower !== undefined && !this.#frames.isResting)
      this.#watch.look(this.#followed.follower, this.#followed.coin);
  }

  #sendStatus(): void {
    this.#statusPace.begin();
    const follower = this.#followed.follower;
    const view = this.#followed.view ?? this.#restingView();
    if (follower === undefined || view === undefined) return;
    this.#statusPace.sent();
    this.#notes.look();
    this.#messageAt = view.lastMessageAt;
    this.#places.onMainState();
    const status: LiveStatus = {
      generation: this.#generation,
      coin: this.#followed.coin,
      ...viewStatus(follower, view, this.#notes.unseen),
      shortage: this.#credits.shortage,
      times: this.#timing.times,
      source: this.#watch.state,
      verification: this.#verifier.report,
      ticks: this.#travels.ticks ?? this.#ticks.all,
      frozen: this.#held.frozenAt(),
      recorded: this.#travels.recorded,
      holdAt: this.#held.holdAt(this.#followed.coin),
      builtAt: this.#builtAt,
    };
    this.#deps.post({ kind: 'status', status }, []);
  }
}
