import type { CoinView, FollowEvent } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { staleReasonOf } from '../integrity.ts';
import type { Call, CanvasName, FromWorker, LiveStatus, ToWorker } from '../messages.ts';
import type { PaneResult, PaneResults } from '../panes.ts';
import { BookMemory } from './book-memory.ts';
import { BookNotes } from './book-notes.ts';
import { BookTicks } from './book-ticks.ts';
import { type CanvasBook, Canvases } from './canvases.ts';
import { CreditWatch, type CreditWatchDeps } from './credit-watch.ts';
import { FeedTiming } from './feed-timing.ts';
import { findOrder } from './find-order.ts';
import { FollowedCoin, type FollowedCoinDeps } from './followed-coin.ts';
import { LadderView } from './ladder-view.ts';
import { Marks } from './marks.ts';
import { Pace } from './pace.ts';
import { Past } from './past/past.ts';
import { OrderPlaces } from './places/order-places.ts';
import { RECORDING_SHOWN, restingView } from './recorded/resting-view.ts';
import { RequestedPanes } from './requested-panes.ts';
import type { Shown } from './shown.ts';
import { ShownMoment } from './shown-moment.ts';
import { SourceWatch, type WatchDeps } from './source-watch.ts';
import { Verifier } from './verifier.ts';
import { exchangeClock, shownBlock, viewStatus } from './view-status.ts';

/** The page renders the book's texts at most this often: nobody reads a number that changes faster. */
const PUBLISH_MS = 200;

/** How often the last message time is checked: pongs change nothing else. */
const PULSE_MS = 1_000;

export interface BookModelDeps extends WatchDeps, CreditWatchDeps, Pick<FollowedCoinDeps, 'follow'> {
  readonly post: (message: FromWorker) => void;
  paint(name: CanvasName, port: MessagePort, book: CanvasBook): void;
}

/**
 * The worker's side of the page: follows one coin, keeps its book and tells the page of it. It applies every block, so a
 * hidden or paused page misses nothing.
 */
export class BookModel {
  readonly #deps: BookModelDeps;
  readonly #followed: FollowedCoin;
  readonly #marks = new Marks();
  readonly #canvases: Canvases;
  readonly #panes = new RequestedPanes();
  readonly #memory: BookMemory;
  readonly #past: Past;
  readonly #moment: ShownMoment;
  readonly #ticks = new BookTicks();
  readonly #verifier: Verifier;
  readonly #watch: SourceWatch;
  readonly #credits: CreditWatch;
  readonly #timing = new FeedTiming();
  readonly #notes: BookNotes;
  readonly #places: OrderPlaces;
  readonly #pace: Pace;
  #isVisible = true;
  /** The live book was dropped for a recording, and its replacement is not kept yet. */
  #isRested = false;
  #generation = 0;
  #builtAt: number | undefined;
  /** The height of the block that the page shows. */
  #publishedHeight: number | undefined;
  /** Results of a live book that are yet to be sent: of each request the newest. */
  readonly #unsent = new Map<string, PaneResult>();
  /** The only wallet whose orders the ladders show; undefined for everybody's. */
  #only: Address | undefined;
  /** The time of the last message, as last reported to the page. */
  #messageAt: number | undefined;

  constructor(deps: BookModelDeps) {
    this.#deps = deps;
    const { follow, credits, now, later, post } = deps;
    this.#followed = new FollowedCoin({
      follow,
      isReplaced: () => this.#moment.recorded !== undefined,
      onEvent: (event) => this.#onEvent(event),
      onStarted: () => {
        this.#learn();
        this.#pace.now();
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
        this.#panes.reopen();
        this.#pace.want();
      },
      reason: () => (this.#isRested ? RECORDING_SHOWN : (this.#followed.view?.lastGap?.detail ?? 'a new connection')),
      later,
    });
    this.#memory = new BookMemory(this.#past);
    this.#moment = new ShownMoment({
      live: () => this.#followed.live,
      past: this.#past,
      coin: () => this.#followed.coin,
      now,
      onShown: () => this.#showOther(),
      onOpened: () => {
        this.#followed.follow();
        this.#pace.now();
      },
    });
    this.#canvases = new Canvases({
      now,
      later,
      newView: () => new LadderView(this.#marks, () => this.#only),
      shown: () => this.#shown(),
      marks: this.#marks,
    });
    this.#verifier = new Verifier({
      now,
      orders: () => this.#followed.live?.book.orderCount ?? 0,
      onReport: () => this.#pace.now(),
    });
    this.#notes = new BookNotes({
      now,
      later,
      post,
      live: () => this.#followed.live,
      gaps: () => this.#followed.view?.gaps ?? 0,
      isLive: () => this.#followed.view?.state.kind === 'live',
      times: () => this.#timing.times,
      staleReason: () =>
        staleReasonOf({ source: this.#watch.state, lastMessageAt: this.#followed.view?.lastMessageAt }, now()),
    });
    this.#places = new OrderPlaces({
      follow,
      credits,
      now,
      later,
      post: (places) => post({ kind: 'places', places }),
      main: () => ({ coin: this.#followed.coin, view: this.#followed.view ?? this.#restingView() }),
    });
    const afterLadders: BookModelDeps['later'] = (task, ms) =>
      later(() => {
        const { drawingMs } = this.#canvases;
        if (drawingMs > 0) later(task, drawingMs);
        else task();
      }, ms);
    this.#pace = new Pace({ now, later: afterLadders }, PUBLISH_MS, () => this.#publish());
    this.#watch = new SourceWatch(deps, () => this.#pace.want());
    this.#credits = new CreditWatch(deps, {
      onShortage: () => {
        // Its reconnection attempts would be refused until there are credits.
        this.#followed.stop();
        this.#pace.now();
      },
      onReturn: () => this.#followed.start(),
    });
  }

  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'follow':
        return this.#follow(message.coin, message.generation);
      case 'canvas':
        return this.#deps.paint(message.name, message.port, this.#canvases.open(message.name));
      case 'look':
        return this.#look(message.isVisible);
      case 'pause':
        return this.#moment.pause(message.paused);
      case 'travel':
        return this.#moment.travel(message.to);
      case 'hold':
        this.#moment.hold(message.hold);
        return this.#pace.now();
      case 'watch':
        this.#marks.watch(message.wallets);
        return this.#canvases.changed();
      case 'pane':
        if (!message.isOpen) return this.#panes.end(message.request);
        this.#panes.request(message.request);
        return this.#respond();
      case 'only':
        this.#only = message.wallet;
        return this.#canvases.changed();
      case 'places':
        return this.#places.want(message.coins, message.wallets);
      case 'wallets':
        return this.#memory.watchWallets(message.wallets, this.#followed.live);
      case 'call':
        return void this.#call(message.serial, message.call);
      case 'verify':
        if (this.#followed.view !== undefined && this.#followed.follower !== undefined)
          void this.#verifier.verify(this.#followed.follower, this.#followed.coin);
        return;
      case 'closeRecording':
        return this.#closeRecording(message.generation);
      case 'rules':
        return this.#notes.setRules(message.rules);
      case 'retry':
        this.#places.restart();
        if (this.#credits.shortage === undefined) this.#followed.start();
        else this.#credits.look();
        return;
    }
  }

  async #call(serial: number, call: Call): Promise<void> {
    // What is known at once is returned at once, in the order of the calls.
    const book = this.#moment.shown()?.book;
    const value =
      call.name === 'find' ? ((book && findOrder(book, call.given)) ?? null) : await this.#moment.call(call);
    this.#deps.post({ kind: 'returned', serial, value });
  }

  #follow(coin: string, generation: number): void {
    this.#moment.leave();
    this.#followed.choose(coin);
    this.#generation = generation;
    this.#memory.forget();
    this.#panes.reopen();
    this.#past.follow(coin);
    this.#marks.forget();
    this.#verifier.forget();
    this.#builtAt = undefined;
    this.#ticks.forget();
    this.#watch.forget();
    this.#timing.follow();
    this.#notes.follow(coin);
    this.#moment.showWaiting();
    if (this.#followed.follower === undefined) this.#pulse();
    this.#followed.follow();
    this.#canvases.changed(true);
    this.#learn();
    this.#pace.now();
  }

  #onEvent(event: FollowEvent): void {
    if (event.kind === 'connection') {
      this.#watch.forget();
      if (event.connection.kind !== 'open') this.#timing.disconnected();
      this.#credits.onConnection(event.connection);
      return this.#pace.now();
    }
    if (event.kind === 'upstream') {
      this.#timing.onUpstream(event.upstream, this.#deps.now(), this.#followed.follower?.roundTripMs);
      return this.#pace.want();
    }
    this.#notes.onEvent(event);
    switch (event.kind) {
      case 'block':
        this.#watch.forget();
        this.#timing.onBlock(event.batch.time, this.#deps.now());
        this.#past.onBlock(event.batch);
        this.#onBook(event.batch.prevSeq);
        this.#moment.holdIfThere(true);
        if (!this.#moment.isFrozen) this.#canvases.onBlock();
        return this.#pace.want();
      case 'book':
        this.#timing.onBook(this.#deps.now());
        this.#learn();
        return;
      case 'state':
      case 'refused':
        this.#watch.forget();
        return this.#pace.now();
      case 'bookStatus':
        if (this.#followed.follower !== undefined) this.#watch.onStatus(this.#followed.follower, event.status);
        return;
      default:
        return this.#pace.want();
    }
  }

  #onBook(prevSeq: number): void {
    const live = this.#followed.live;
    if (live === undefined) return;
    this.#ticks.refine(live.book);
    this.#memory.onBlock(live, prevSeq, this.#shownTicks()[0]);
    this.#places.onMainBlock(live, prevSeq, () => this.#past.eventsOf(live.position));
  }

  /** A new book was built, or a coin was chosen whose book already exists. */
  #learn(): void {
    const live = this.#followed.live;
    if (live !== undefined) {
      this.#past.onBook();
      this.#ticks.learn(live.book);
      this.#builtAt = live.position.height;
      this.#moment.holdIfThere();
    }
    if (!this.#moment.isFrozen) this.#canvases.changed();
  }

  #restingView(): CoinView | undefined {
    return this.#moment.recorded && restingView(this.#followed.coin, this.#deps.now());
  }

  #closeRecording(generation: number): void {
    this.#generation = generation;
    this.#moment.closeRecording();
    this.#followed.follow();
    this.#canvases.changed(true);
    this.#showOther();
  }

  #showOther(): void {
    this.#canvases.changed();
    this.#pace.now();
  }

  /** Loop "pulse": runs as long as the worker; reports nothing if nothing changed. */
  #pulse(): void {
    this.#deps.later(() => {
      if (this.#followed.view?.lastMessageAt !== this.#messageAt) this.#pace.want();
      this.#notes.look();
      this.#lookAtSource();
      this.#pulse();
    }, PULSE_MS);
  }

  #lookAtSource(): void {
    if (this.#followed.follower !== undefined && this.#isVisible)
      this.#watch.look(this.#followed.follower, this.#followed.coin);
  }

  #look(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#canvases.setVisible(isVisible);
    if (!isVisible) return;
    this.#lookAtSource();
    this.#pace.now();
  }

  #publish(): void {
    const status = this.#status();
    const shown = this.#isVisible ? this.#shown() : undefined;
    if (status === undefined && shown === undefined) return;
    this.#publishedHeight = shown?.position.height;
    const generation = this.#generation;
    const block = shown && shownBlock(shown, generation, this.#deps.now());
    const results = shown === undefined ? {} : this.#resultsOf(shown);
    const isLive = shown?.frozen === false;
    this.#deps.post({ kind: 'book', generation, status, shown: block, panes: isLive ? {} : results });
    // A held book has replaced them all. A page that is hidden keeps them: it would not get them a second time.
    if (shown?.frozen === true) return this.#unsent.clear();
    if (!isLive) return;
    const isSending = this.#unsent.size > 0;
    for (const [request, result] of Object.entries(results)) this.#unsent.set(request, result);
    if (!isSending) this.#sendNext();
  }

  /**
   * Loop "send": sends the panes of a live book one after another, each in a task of its own, so that no frame of a ladder waits for
   * all of them here and no key on the page. Ends when all are sent.
   */
  #sendNext(): void {
    this.#deps.later(() => {
      const [next] = this.#unsent;
      if (next === undefined) return;
      const [request, result] = next;
      this.#unsent.delete(request);
      this.#deps.post({ kind: 'book', generation: result.generation, panes: { [request]: result } });
      if (this.#unsent.size > 0) this.#sendNext();
    }, 0);
  }

  /** Sends the first result of a pane at once: alone if the page shows its block, otherwise with that block and all panes. */
  #respond(): void {
    const shown = this.#isVisible ? this.#shown() : undefined;
    if (shown === undefined) return;
    if (shown.position.height !== this.#publishedHeight) return this.#pace.now();
    const panes = this.#resultsOf(shown);
    // What is yet to be sent of them is older.
    for (const request of Object.keys(panes)) this.#unsent.delete(request);
    this.#deps.post({ kind: 'book', generation: this.#generation, panes });
  }

  #resultsOf(shown: Shown): PaneResults {
    const { results, isLater } = this.#panes.next(shown, this.#generation, this.#deps.now());
    if (isLater) this.#pace.want();
    return results;
  }

  #shown(): Shown | undefined {
    const shown = this.#moment.shown();
    if (shown === undefined) return undefined;
    const { frozen, position } = shown;
    return {
      ...shown,
      clock: frozen ? position.blockTime : exchangeClock(this.#followed.view, position, this.#deps.now()),
      ticks: this.#shownTicks(),
      past: this.#past,
      memory: this.#memory,
    };
  }

  #shownTicks(): LiveStatus['ticks'] {
    return this.#moment.ticks ?? this.#ticks.all;
  }

  #status(): LiveStatus | undefined {
    const follower = this.#followed.follower;
    const view = this.#followed.view ?? this.#restingView();
    if (follower === undefined || view === undefined) return undefined;
    this.#notes.look();
    this.#messageAt = view.lastMessageAt;
    this.#places.onMainState();
    return {
      generation: this.#generation,
      coin: this.#followed.coin,
      ...viewStatus(follower, view, this.#notes.unseen),
      shortage: this.#credits.shortage,
      times: this.#timing.times,
      source: this.#watch.state,
      verification: this.#verifier.report,
      ticks: this.#shownTicks(),
      frozen: this.#moment.frozenAt(),
      recorded: this.#moment.recorded,
      holdAt: this.#moment.holdAt(this.#followed.coin),
      builtAt: this.#builtAt,
    };
  }
}
