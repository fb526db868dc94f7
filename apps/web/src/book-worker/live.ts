import type { Address, DataSource } from '@l4desk/protocol';
import { notePaid } from '../state/burn.ts';
import { Bundles } from './bundles.ts';
import type { JournalHit } from './journal.ts';
import { noteHits, noteJournal } from './journal-store.ts';
import { LiveRequests } from './live-requests.ts';
import type { CanvasName, FoundOrder, FromWorker, Hold, LiveStatus, ToWorker } from './messages.ts';
import type { TravelTo } from './panes/past.ts';
import { type PanesAsk, type PanesFrame, SLOW_PANES, type SlowResponses } from './panes.ts';
import { notePlaces } from './places-store.ts';
import type { WatchHit, WatchRule } from './watch.ts';
import type { WatchedWallet } from './watched.ts';
import type { WorkerPort } from './worker-port.ts';

/** Watch rules that fire within this many ms after others are reported together. */
const HITS_TOGETHER_MS = 1_000;

/** The book as the page shows it: everything of one moment. It changes at most five times a second, unless something is urgent. */
export interface BookState {
  /** The last status of the current coin; undefined until there is one. */
  readonly status: LiveStatus | undefined;
  /** Why the book cannot be shown: its worker has failed, or the browser cannot draw it. */
  readonly failure: string | undefined;
  /** The panes' part of the shown book. */
  readonly panes: PanesFrame | undefined;
  /** The last responses of the panes that are not in every frame; each with the frame it came with, which names its block. */
  readonly slow: SlowResponses;
  /** When this was published, in this machine's ms. */
  readonly at: number;
}

/**
 * The page's side of the live data: one worker, the state of the book (an external store for React) and the requests sent to it.
 */
export class Live {
  readonly #start: () => WorkerPort;
  readonly #listeners = new Set<() => void>();
  #worker: WorkerPort | undefined;
  #book: BookState = { status: undefined, failure: undefined, panes: undefined, slow: {}, at: Date.now() };
  #status: LiveStatus | undefined;
  #failure: string | undefined;
  #slow: SlowResponses = {};
  /** The worker failed; a failure may also be that of the drawing. */
  #hasFailed = false;
  #coin: string | undefined;
  #hold: Hold | undefined;
  #generation = 0;
  /** Canvases that were opened before the worker. */
  #canvases: { readonly name: CanvasName; readonly port: MessagePort }[] = [];
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

  constructor(start: () => WorkerPort, source: DataSource['kind']) {
    this.#start = start;
    this.source = source;
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
    for (const { name, port } of this.#canvases.splice(0)) this.openCanvas(name, port);
    document.addEventListener('visibilitychange', this.#onVisibility);
    if (document.hidden) this.#onVisibility();
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

  /** Has the worker paint a canvas; what it has to know goes over the port's other end. */
  openCanvas(name: CanvasName, port: MessagePort): void {
    if (this.#worker === undefined) this.#canvases.push({ name, port });
    else this.#post({ kind: 'canvas', name, port }, [port]);
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

  /** Ends the worker, and with it the socket. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#status = undefined;
    this.#panes = undefined;
    this.#slow = {};
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#hits.forget();
    this.requests.settleAll();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, { transfer });
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'book':
        if (message.generation === this.#generation) this.#keep(message);
        return;
      case 'journal':
        return noteJournal(message.entry);
      case 'hits':
        return this.#hits.add(message.hits);
      case 'places':
        return notePlaces(message.places);
      case 'paid':
        return notePaid(message.credits);
      default:
        return this.requests.receive(message);
    }
  }

  #keep({ status, panes }: Extract<FromWorker, { readonly kind: 'book' }>): void {
    this.#status = status ?? this.#status;
    if (panes !== undefined) {
      this.#panes = panes;
      const come = SLOW_PANES.filter((name) => panes[name] !== undefined);
      this.#slow = { ...this.#slow, ...Object.fromEntries(come.map((name) => [name, panes])) };
    }
    // A recording was opened before a live book came.
    if (panes?.frozen === false || status?.recorded !== undefined) this.#isResuming = false;
    this.#publish();
  }

  #publish(): void {
    this.#book = {
      status: this.#status,
      failure: this.#failure,
      panes: this.#panes,
      slow: this.#slow,
      at: Date.now(),
    };
    for (const listener of this.#listeners) listener();
  }

  readonly #onVisibility = () => this.#post({ kind: 'look', isVisible: !document.hidden });
}
