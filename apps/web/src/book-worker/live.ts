import type { Address, DataSource } from '@l4desk/protocol';
import { notePaid } from '../state/burn.ts';
import { Bundles } from './bundles.ts';
import { joinTape } from './join-tape.ts';
import type { JournalHit } from './journal.ts';
import { noteHits, noteJournal } from './journal-store.ts';
import type { LadderFeed } from './ladder-feed.ts';
import { LiveRequests } from './live-requests.ts';
import type { FoundOrder, FrameAsk, FromWorker, Hold, LiveStatus, ToWorker } from './messages.ts';
import type { LaneAsk, LaneResponse } from './panes/lane.ts';
import type { TravelTo } from './panes/past.ts';
import { type PanesAsk, type PanesFrame, SLOW_PANES, type SlowResponses } from './panes.ts';
import { notePlaces } from './places-store.ts';
import type { WatchHit, WatchRule } from './watch.ts';
import type { WatchedWallet } from './watched.ts';
import type { WorkerPort } from './worker-port.ts';

/** Watch rules that fire within this many ms after others are reported together. */
const HITS_TOGETHER_MS = 1_000;

/** The page renders the book's texts at most this often: nobody reads a number that changes faster. */
const RENDER_MS = 200;

/** The book as the page shows it: everything of one moment. */
export interface BookState {
  /** The last status of the current coin; undefined until there is one. */
  readonly status: LiveStatus | undefined;
  /** Why the book cannot be shown: its worker or the drawing of its rows has failed. Undefined while both work. */
  readonly failure: string | undefined;
  /** The panes' part of the drawn frame. */
  readonly panes: PanesFrame | undefined;
  /** The last responses of the panes that are not in every frame; each with the frame it came with, and names its block. */
  readonly slow: SlowResponses;
  /** When this was published, in this machine's ms. */
  readonly at: number;
}

/**
 * The page's side of the live data: one worker, the state of the book (an external store for React) and the requests sent to it. A
 * frame goes to the ladder that requested it, which hands on what the frame carries for the panes when it draws it.
 */
export class Live implements LadderFeed {
  readonly #start: () => WorkerPort;
  readonly #listeners = new Set<() => void>();
  #worker: WorkerPort | undefined;
  #book: BookState = { status: undefined, failure: undefined, panes: undefined, slow: {}, at: Date.now() };
  readonly #everyMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #status: LiveStatus | undefined;
  #failure: string | undefined;
  #slow: SlowResponses = {};
  /** The worker failed; a failure may also be that of the drawing. */
  #hasFailed = false;
  #coin: string | undefined;
  #hold: Hold | undefined;
  #generation = 0;
  #onFrame: (buffer: ArrayBuffer, panes: PanesFrame) => void = () => {};
  /** Listeners for the rows of further ladders, by view number. */
  readonly #onRows = new Map<number, (buffer: ArrayBuffer, panes: undefined) => void>();
  #wanted: PanesAsk = {};
  #wallets: readonly Address[] = [];
  #watched: readonly WatchedWallet[] = [];
  /** What the service streams; it decides what the age of a block is counted from. */
  readonly source: DataSource['kind'];
  #panes: PanesFrame | undefined;
  #isResuming = false;
  #isVerifiedAtIntervals = false;
  #places: { readonly coins: readonly string[]; readonly wallets: readonly Address[] } = { coins: [], wallets: [] };
  #only: Address | undefined;
  #rules: readonly WatchRule[] = [];
  #onHits: (hits: readonly WatchHit[]) => void = () => {};
  /** A rule may fire with every block: neither the journal nor the alerts are drawn that often. */
  readonly #hits = new Bundles<JournalHit>((hits) => {
    noteHits(hits);
    this.#onHits(hits.map(({ hit }) => hit));
  }, HITS_TOGETHER_MS);
  /** Requests with a response of their own. */
  readonly requests = new LiveRequests(
    (message) => this.#post(message),
    () => this.#worker !== undefined && !this.#hasFailed,
  );

  /** The state is published at most once in `everyMs`. */
  constructor(start: () => WorkerPort, source: DataSource['kind'], everyMs = RENDER_MS) {
    this.#start = start;
    this.source = source;
    this.#everyMs = everyMs;
  }

  /** Starts the worker and first sends it everything that was requested before. */
  open(): void {
    const worker = this.#start();
    worker.addEventListener('message', ({ data }) => this.#receive(data));
    worker.addEventListener('error', ({ message }) => {
      this.#hasFailed = true;
      this.requests.settleAll();
      this.fail(message || 'the worker could not be started');
    });
    this.#worker = worker;
    this.#hasFailed = false;
    if (this.#hold !== undefined) this.#post({ kind: 'hold', hold: this.#hold });
    if (this.#coin !== undefined) this.#post({ kind: 'follow', generation: this.#generation, coin: this.#coin });
    if (this.#wallets.length > 0) this.#post({ kind: 'wallets', wallets: this.#wallets });
    if (this.#watched.length > 0) this.#post({ kind: 'watch', wallets: this.#watched });
    if (this.#places.coins.length > 0) this.#post({ kind: 'places', ...this.#places });
    if (this.#only !== undefined) this.#post({ kind: 'only', wallet: this.#only });
    if (this.#rules.length > 0) this.#post({ kind: 'rules', rules: this.#rules });
    if (Object.keys(this.#wanted).length > 0) this.#post({ kind: 'panes', ask: this.#wanted });
  }

  /** The current choice of coin: responses with another generation are ignored. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether a coin was ever chosen: before that there is no connection, and none is missing. */
  get isFollowing(): boolean {
    return this.#coin !== undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The published state: the same object until it changes. */
  readonly book = (): BookState => this.#book;

  /** Reports a failure that the page cannot continue without fixing. */
  fail(message: string): void {
    this.#failure = message;
    this.#publish();
  }

  follow(coin: string): void {
    if (coin === this.#coin) return;
    this.#coin = coin;
    this.#generation += 1;
    this.#status = undefined;
    this.#isResuming = false;
    this.#post({ kind: 'follow', generation: this.#generation, coin });
    this.#slow = {};
    this.#panes = undefined;
    this.#publish();
  }

  /** The live book was requested, and is not drawn yet. */
  get isResuming(): boolean {
    return this.#isResuming;
  }

  /** Resuming while a recording is shown closes the recording. */
  pause(paused: boolean): void {
    this.#isResuming = !paused;
    if (!paused && this.#status?.recorded !== undefined) return this.closeRecording();
    this.#post({ kind: 'pause', paused });
  }

  /** Shows another moment of the kept minutes; the live book keeps updating underneath. */
  travel(to: TravelTo): void {
    this.#isResuming = false;
    this.#post({ kind: 'travel', to });
  }

  /** Holds the shown book at a future block; undefined cancels the hold. */
  hold(hold: Hold | undefined): void {
    this.#hold = hold;
    this.#post({ kind: 'hold', hold });
  }

  /** Resolves to the order of the shown book with this oid or cloid; null if there is none, or no book is followed. */
  find(order: number | string): Promise<FoundOrder | null> {
    return this.isFollowing ? this.requests.find(order) : Promise.resolve(null);
  }

  /** Follows and shows the live book again; nothing of the recording stays visible while it is built. */
  closeRecording(): void {
    if (this.#status?.recorded !== undefined) this.#generation += 1;
    this.#post({ kind: 'closeRecording', generation: this.#generation });
    if (this.#status?.recorded === undefined) return;
    this.#slow = {};
    this.#panes = undefined;
    this.#publish();
  }

  /** Watches the followed book with these rules from now on. */
  watchBy(rules: readonly WatchRule[]): void {
    this.#rules = rules;
    this.#post({ kind: 'rules', rules });
  }

  /**
   * Sets the listener of the rules that fire; only one, the shell's. It is called at once for the first hits, and for those that
   * follow within a second together.
   */
  onWatchHits(listener: (hits: readonly WatchHit[]) => void): void {
    this.#onHits = listener;
  }

  /** Compares the book with a fresh snapshot; `isAtInterval` if no person asked for it now. */
  verify({ isAtInterval = false } = {}): void {
    this.#isVerifiedAtIntervals = isAtInterval;
    this.#post({ kind: 'verify' });
  }

  /** Whether the last comparison was one at intervals. */
  get isVerifiedAtIntervals(): boolean {
    return this.#isVerifiedAtIntervals;
  }

  /** Tries again to follow what the service stopped or refused. */
  retry(): void {
    this.#post({ kind: 'retry' });
  }

  onFrame(listener: (buffer: ArrayBuffer, panes: PanesFrame) => void): void {
    this.#onFrame = listener;
  }

  ask(ask: FrameAsk, spare?: ArrayBuffer): void {
    this.#post({ kind: 'ask', ask, spare }, spare === undefined ? [] : [spare]);
  }

  rest(): void {
    this.#post({ kind: 'rest' });
  }

  /** The feed of another ladder of the followed book, numbered from 1; 0 is the first ladder, whose frames carry the panes. */
  ladder(view: number): LadderFeed {
    if (view === 0) return this;
    const generation = () => this.#generation;
    return {
      get generation() {
        return generation();
      },
      onFrame: (listener) => this.#onRows.set(view, listener),
      ask: (ask, spare) =>
        spare === undefined
          ? this.#post({ kind: 'ask', view, ask })
          : this.#post({ kind: 'ask', view, ask, spare }, [spare]),
      rest: () => this.#post({ kind: 'rest', view }),
      showPanes: () => {},
      nextSerial: () => this.nextSerial(),
      wantLane: (ask) => this.wantLane(ask),
      lane: () => this.lane(),
    };
  }

  /** Follows the queues in which orders of these wallets rest, and no others from now on. */
  watchWallets(wallets: readonly Address[]): void {
    this.#wallets = wallets;
    this.#post({ kind: 'wallets', wallets });
  }

  /** Requests where the open orders of these wallets rest in these coins; empty lists end it. */
  wantPlaces(coins: readonly string[], wallets: readonly Address[]): void {
    this.#places = { coins, wallets };
    this.#post({ kind: 'places', ...this.#places });
  }

  /** Sets the wallets whose orders are marked in every frame from now on. */
  watch(wallets: readonly WatchedWallet[]): void {
    if (wallets.length === 0 && this.#watched.length === 0) return;
    this.#watched = wallets;
    this.#post({ kind: 'watch', wallets });
  }

  /** Shows only this wallet's orders in the ladder from now on; undefined shows everybody's. */
  showOnly(wallet: Address | undefined): void {
    if (wallet === this.#only) return;
    this.#only = wallet;
    this.#post({ kind: 'only', wallet });
  }

  /** Sets what one pane requests with every frame from now on; undefined when it is closed. */
  wantPane<Name extends keyof PanesAsk>(name: Name, ask: PanesAsk[Name]): void {
    if (ask === undefined && this.#wanted[name] === undefined) return;
    this.#wanted = { ...this.#wanted, [name]: ask };
    this.#post({ kind: 'panes', ask: this.#wanted });
  }

  nextSerial(): number {
    return this.requests.nextSerial();
  }

  wantLane(ask: LaneAsk | undefined): void {
    this.wantPane('lane', ask);
  }

  lane(): LaneResponse | undefined {
    return this.#panes?.lane;
  }

  /**
   * Sets the drawn frame for the panes; undefined clears the last one. Called by the component that draws the rows. A held book and
   * the first response to a request are published at once, because somebody waits for them.
   */
  showPanes(panes: PanesFrame | undefined): void {
    if (panes === this.#panes) return;
    const isFirst = panes?.level?.serial !== this.#panes?.level?.serial;
    this.#panes = panes;
    if (panes?.frozen === false) this.#isResuming = false;
    this.#changed(panes === undefined || panes.frozen || isFirst);
  }

  /** Ends the worker, and with it the socket. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#status = undefined;
    this.#panes = undefined;
    this.#slow = {};
    clearTimeout(this.#timer);
    this.#hits.forget();
    this.requests.settleAll();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, { transfer });
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'frame':
        if (message.panes.generation === this.#generation) this.#keepSlow(message.panes);
        return this.#onFrame(message.buffer, message.panes);
      case 'rows':
        return this.#onRows.get(message.view)?.(message.buffer, undefined);
      case 'journal':
        return noteJournal(message.entry);
      case 'hits':
        return this.#hits.add(message.hits);
      case 'places':
        return notePlaces(message.places);
      case 'paid':
        return notePaid(message.credits);
      case 'status':
        if (message.status.generation === this.#generation) this.#keepStatus(message.status);
        return;
      default:
        return this.requests.receive(message);
    }
  }

  #keepStatus(status: LiveStatus): void {
    // A recording was opened before a live book came.
    if (status.recorded !== undefined) this.#isResuming = false;
    const isNews = newsOf(status) !== newsOf(this.#status);
    this.#status = status;
    this.#changed(isNews);
  }

  /** They are stored on arrival, whether their frame is drawn or not. The first response to a request is published at once. */
  #keepSlow(frame: PanesFrame): void {
    const come = SLOW_PANES.filter((name) => frame[name] !== undefined);
    if (come.length === 0) return;
    const before = this.#slow;
    const tape = frame.tape && joinTape(before.tape?.tape, frame.tape);
    const whole = frame.tape === undefined ? frame : { ...frame, tape };
    this.#slow = { ...before, ...Object.fromEntries(come.map((name) => [name, whole])) };
    this.#changed(frame.frozen || come.some((name) => before[name]?.[name]?.serial !== frame[name]?.serial));
  }

  /** Publishes the state now, if it is urgent or the last time is long enough ago, else once that is so. */
  #changed(isUrgent = false): void {
    const passed = Date.now() - this.#book.at;
    if (isUrgent || passed >= this.#everyMs || passed < 0) return this.#publish();
    this.#timer ??= setTimeout(() => this.#publish(), this.#everyMs - passed);
  }

  #publish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#book = {
      status: this.#status,
      failure: this.#failure,
      panes: this.#panes,
      slow: this.#slow,
      at: Date.now(),
    };
    for (const listener of this.#listeners) listener();
  }
}

/** What shows at once: somebody did it, or has to know. Everything else of a status changes with the blocks. */
function newsOf(status: LiveStatus | undefined): string {
  if (status === undefined) return '';
  const { generation, connection, state, ticks, frozen, recorded, verification, holdAt } = status;
  return JSON.stringify([generation, connection, state, ticks, frozen, recorded, verification, holdAt]);
}
