import type { Address, DataSource } from '@l4desk/protocol';
import { notePaid } from '../state/burn.ts';
import { Bundles } from './bundles.ts';
import { DrawTurns, pageFrames } from './draw-turns.ts';
import type { JournalHit } from './journal.ts';
import { noteHits, noteJournal } from './journal-store.ts';
import type { LadderFeed } from './ladder-feed.ts';
import { LiveRequests } from './live-requests.ts';
import type { FoundOrder, FrameAsk, FromWorker, Hold, LiveStatus, ToWorker } from './messages.ts';
import type { LaneAsk, LaneResponse } from './panes/lane.ts';
import type { TravelTo } from './panes/past.ts';
import type { PanesAsk, PanesFrame, SlowPaneName, SlowResponses } from './panes.ts';
import { notePlaces } from './places-store.ts';
import { SlowPaneResponses } from './slow-responses.ts';
import { isProgress, keepTicks } from './status-progress.ts';
import type { WatchHit, WatchRule } from './watch.ts';
import type { WatchedWallet } from './watched.ts';
import { WireReader } from './wire.ts';
import type { WorkerPort } from './worker-port.ts';

/** Watch rules that fire within this many ms after others are reported together. */
const HITS_TOGETHER_MS = 1_000;

/**
 * The page's side of the live data: one worker, the status it reports (an external store for React) and the requests sent to it.
 * A frame goes to the ladder that requested it. What the first ladder's frames carry for the panes is a separate store, which the
 * ladder fills when it draws the frame: so everything on the page shows the same block as the rows.
 */
export class Live implements LadderFeed {
  readonly #start: () => WorkerPort;
  readonly #listeners = new Set<() => void>();
  #worker: WorkerPort | undefined;
  #status: LiveStatus | undefined;
  #failure: string | undefined;
  /** The worker failed; a failure may also be that of the drawing. */
  #hasFailed = false;
  #coin: string | undefined;
  #hold: Hold | undefined;
  #generation = 0;
  #onFrame: (buffer: ArrayBuffer, panes: PanesFrame) => void = () => {};
  /** Listeners for the rows of further ladders, by view number. */
  readonly #onRows = new Map<number, (buffer: ArrayBuffer, panes: undefined) => void>();
  readonly #paneListeners = new Set<() => void>();
  #wanted: PanesAsk = {};
  #wallets: readonly Address[] = [];
  #watched: readonly WatchedWallet[] = [];
  readonly turns: DrawTurns;
  /** What the service streams; it decides what the age of a block is counted from. */
  readonly source: DataSource['kind'];
  readonly #slow: SlowPaneResponses;
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
  readonly #wire = new WireReader();
  /** Requests with a response of their own. */
  readonly requests = new LiveRequests(
    (message) => this.#post(message),
    () => this.#worker !== undefined && !this.#hasFailed,
  );

  /** All books of a page share its `turns`: a block of any of them fills a frame. */
  constructor(start: () => WorkerPort, source: DataSource['kind'], turns = new DrawTurns(pageFrames())) {
    this.#start = start;
    this.turns = turns;
    this.source = source;
    this.#slow = new SlowPaneResponses(this.turns);
  }

  /** Starts the worker and first sends it everything that was requested before. */
  open(): void {
    const worker = this.#start();
    worker.addEventListener('message', ({ data }) => this.#receive(this.#wire.read(data)));
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

  /** The last status of the current coin; undefined until there is one. */
  readonly status = (): LiveStatus | undefined => this.#status;

  /** Why the book cannot be shown: its worker or the drawing of its rows has failed. Undefined while both work. */
  readonly failure = (): string | undefined => this.#failure;

  /** Reports a failure that the page cannot continue without fixing. */
  fail(message: string): void {
    this.#failure = message;
    this.#notify();
  }

  follow(coin: string): void {
    if (coin === this.#coin) return;
    this.#coin = coin;
    this.#generation += 1;
    this.#status = undefined;
    this.#isResuming = false;
    this.#post({ kind: 'follow', generation: this.#generation, coin });
    this.#slow.forget();
    this.showPanes(undefined);
    this.#notify();
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
    this.#slow.forget();
    this.showPanes(undefined);
    this.#notify();
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
    const spent = this.#wire.takeSpent();
    const handed = [spare, spent].filter((bytes) => bytes !== undefined);
    this.#post({ kind: 'ask', ask, spare, spent }, handed);
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
      turns: this.turns,
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

  /** Sets the drawn frame for the panes; undefined clears the last one. Called by the component that draws the rows. */
  showPanes(panes: PanesFrame | undefined): void {
    if (panes === this.#panes) return;
    this.#panes = panes;
    if (panes?.frozen === false) this.#isResuming = false;
    for (const listener of this.#paneListeners) listener();
  }

  /**
   * The last responses of the slow panes, which are not in every frame; each with the frame it came with. They are stored on
   * arrival, whether that frame is drawn or not, because each names its block. Listeners are called in their turn, but at once
   * for the first response to a request and for responses of a held book.
   */
  readonly slowPanes = (): SlowResponses => this.#slow.get();

  /** The panes' part of the drawn frame. */
  readonly panes = (): PanesFrame | undefined => this.#panes;

  readonly subscribePanes = (listener: () => void): (() => void) => {
    this.#paneListeners.add(listener);
    return () => this.#paneListeners.delete(listener);
  };

  /** Subscribes to the responses of one slow pane. */
  subscribeSlow(name: SlowPaneName, listener: () => void): () => void {
    return this.#slow.subscribe(name, listener);
  }

  /** Ends the worker, and with it the socket. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#status = undefined;
    this.#panes = undefined;
    this.#slow.forget();
    this.#hits.forget();
    this.requests.settleAll();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, { transfer });
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'frame':
        if (message.panes.generation === this.#generation) this.#slow.keep(message.panes);
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

  /**
   * A status that only reports progress notifies listeners in its turn, but no later than when the next status arrives; any other
   * status notifies at once.
   */
  #keepStatus(status: LiveStatus): void {
    const last = this.#status;
    // A recording was opened before a live book came.
    if (status.recorded !== undefined) this.#isResuming = false;
    this.#status = keepTicks(status, last);
    if (isProgress(status, last) && !this.turns.isDue(this.#notify)) this.turns.add(this.#notify);
    else this.turns.now(this.#notify);
  }

  readonly #notify = () => {
    for (const listener of this.#listeners) listener();
  };
}
