import type { WatchHit } from '@l4desk/insight';
import type { DataSource } from '@l4desk/protocol';
import { notePaid } from '../state/burn.ts';
import { ticker } from '../state/ticker.ts';
import { type Integrity, integrityOf, stopped } from './integrity.ts';
import { noteHits, noteJournal } from './journal-store.ts';
import type {
  Call,
  Calls,
  CanvasName,
  Choice,
  FoundOrder,
  FromWorker,
  LiveStatus,
  ToWorker,
  WorkerPort,
} from './messages.ts';
import type { TravelTo } from './panes/past.ts';
import type { PaneResults, ShownBlock } from './panes.ts';
import { notePlaces } from './places-store.ts';
import { Requests } from './requests.ts';

type BookMessage = Extract<FromWorker, { readonly kind: 'book' }>;

const GONE = { kind: 'refused', problem: 'The page’s worker has ended. Reload the page.' } as const;

const IF_GONE: { readonly [Name in keyof Calls]: Calls[Name][1] } = {
  find: null,
  openRecording: GONE,
  seek: false,
  exportPast: GONE,
};

/**
 * The book as the page shows it. The worker reports it at most five times a second, and at once after a change of state or a
 * request: status, block and panes are of one moment, but the results of a live book's panes arrive one after another.
 */
export interface BookState {
  readonly status: LiveStatus | undefined;
  /** Why the book cannot be shown: its worker has failed, or the browser cannot draw it. */
  readonly failure: string | undefined;
  readonly integrity: Integrity;
  readonly shown: ShownBlock | undefined;
  readonly panes: PaneResults;
  /** Whether a coin was ever chosen: before that there is no connection, and none is missing. */
  readonly isFollowing: boolean;
  /** This machine's clock, in ms: it changes by itself twice a second. */
  readonly now: number;
}

/** What the worker has reported, and whether a coin was chosen. */
type Facts = Pick<BookState, 'status' | 'failure' | 'shown' | 'panes' | 'isFollowing'>;

const NO_FACTS: Facts = { status: undefined, failure: undefined, shown: undefined, panes: {}, isFollowing: false };

/** Nothing is known of the book that is shown from now on. */
const NOT_SHOWN = { shown: undefined, panes: {} } as const satisfies Partial<Facts>;

/**
 * The page's side of the live data: one worker, the state of the book (an external store for React) and the requests sent to it.
 */
export class Live {
  readonly #start: () => WorkerPort;
  readonly #listeners = new Set<() => void>();
  readonly #paneListeners = new Set<() => void>();
  #worker: WorkerPort | undefined;
  #facts: Facts = NO_FACTS;
  /** What `book` returned last. */
  #book: BookState | undefined;
  /** The worker failed; a failure may also be that of the drawing. */
  #hasFailed = false;
  #coin: string | undefined;
  #generation = 0;
  /** What holds until another message of the kind: a worker that starts is told it first. */
  readonly #choices = new Map<ToWorker['kind'], ToWorker>();
  /** Canvases that were opened before the worker. */
  #canvases: { readonly name: CanvasName; readonly port: MessagePort }[] = [];
  readonly #requested = new Map<string, number>();
  /** What the service streams; it decides what the age of a block is counted from. */
  readonly source: DataSource['kind'];
  #endTicks = () => {};
  #isVerifiedAtIntervals = false;
  #onHits: (hits: readonly WatchHit[]) => void = () => {};
  readonly #calls = new Requests();

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
      this.#calls.settleAll();
      this.fail(message || 'the worker could not be started');
    });
    this.#worker = worker;
    this.#hasFailed = false;
    for (const choice of this.#choices.values()) {
      // Recordings that were closed since have increased the generation.
      this.#post(choice.kind === 'follow' ? { ...choice, generation: this.#generation } : choice);
    }
    for (const request of this.#requested.keys()) this.#post({ kind: 'pane', request, isOpen: true });
    for (const { name, port } of this.#canvases.splice(0)) this.openCanvas(name, port);
    document.addEventListener('visibilitychange', this.#onVisibility);
    if (document.hidden) this.#onVisibility();
  }

  get generation(): number {
    return this.#generation;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#endTicks = ticker.subscribe(this.#notify);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#endTicks();
    };
  };

  /** Also tells of a pane's result that comes alone, which `subscribe` does not: nothing else has changed then. */
  readonly subscribePanes = (listener: () => void): (() => void) => {
    this.#paneListeners.add(listener);
    return () => void this.#paneListeners.delete(listener);
  };

  /** The published state: the same object until it changes, or the clock does. */
  readonly book = (): BookState => {
    const { status, failure } = this.#facts;
    // A status can be newer than the half-second tick.
    const now = Math.max(ticker.get(), status?.lastMessageAt ?? 0);
    if (this.#book?.now === now) return this.#book;
    const integrity =
      failure === undefined
        ? integrityOf(status, now, this.source)
        : stopped(status, `an error in the page: ${failure}`, undefined, now);
    this.#book = { ...this.#facts, integrity, now };
    return this.#book;
  };

  fail(message: string): void {
    this.#publish({ failure: message });
  }

  follow(coin: string): void {
    if (coin === this.#coin) return;
    this.#coin = coin;
    this.#generation += 1;
    const follow = { kind: 'follow', generation: this.#generation, coin } as const;
    this.#choices.set('follow', follow);
    this.#post(follow);
    this.#publish({ ...NOT_SHOWN, status: undefined, isFollowing: true });
  }

  /** Resuming while a recording is shown closes the recording. */
  pause(paused: boolean): void {
    if (!paused && this.#facts.status?.recorded !== undefined) return this.closeRecording();
    this.#post({ kind: 'pause', paused });
  }

  travel(to: TravelTo): void {
    this.#post({ kind: 'travel', to });
  }

  choose(choice: Choice): void {
    this.#choices.set(choice.kind, choice);
    this.#post(choice);
  }

  /** Has the worker do something, and resolves to its result; without a worker, to that of a failure. */
  call<Name extends keyof Calls>(name: Name, given: Calls[Name][0]): Promise<Calls[Name][1]> {
    const ifGone: Calls[Name][1] = IF_GONE[name];
    if (this.#worker === undefined || this.#hasFailed) return Promise.resolve(ifGone);
    // Name and argument belong together.
    const call = { name, given } as Call;
    return this.#calls.send((serial) => this.#post({ kind: 'call', serial, call }), ifGone);
  }

  /** Resolves to the order of the shown book with this oid or cloid; null if there is none, or no book is followed. */
  find(order: number | string): Promise<FoundOrder | null> {
    return this.#coin === undefined ? Promise.resolve(null) : this.call('find', order);
  }

  /** Follows and shows the live book again; nothing of the recording stays visible while it is built. */
  closeRecording(): void {
    const isShown = this.#facts.status?.recorded !== undefined;
    if (isShown) this.#generation += 1;
    this.#post({ kind: 'closeRecording', generation: this.#generation });
    if (isShown) this.#publish(NOT_SHOWN);
  }

  /** Sets the listener of the rules that fire; only one, the shell's. It is called at most once a second. */
  onWatchHits(listener: (hits: readonly WatchHit[]) => void): void {
    this.#onHits = listener;
  }

  /** Compares the book with a fresh snapshot; `isAtInterval` if no person asked for it now. */
  verify({ isAtInterval = false } = {}): void {
    this.#isVerifiedAtIntervals = isAtInterval;
    this.#post({ kind: 'verify' });
  }

  get isVerifiedAtIntervals(): boolean {
    return this.#isVerifiedAtIntervals;
  }

  retry(): void {
    this.#post({ kind: 'retry' });
  }

  openCanvas(name: CanvasName, port: MessagePort): void {
    if (this.#worker === undefined) this.#canvases.push({ name, port });
    else this.#post({ kind: 'canvas', name, port }, [port]);
  }

  /** Requests a pane (`paneRequest`) until the returned function is called. */
  requestPane(request: string): () => void {
    const count = this.#requested.get(request) ?? 0;
    this.#requested.set(request, count + 1);
    if (count === 0) this.#post({ kind: 'pane', request, isOpen: true });
    return () => this.#endPane(request);
  }

  #endPane(request: string): void {
    const count = this.#requested.get(request) ?? 0;
    if (count > 1) return void this.#requested.set(request, count - 1);
    this.#requested.delete(request);
    const { [request]: _, ...panes } = this.#facts.panes;
    // `book` keeps the result until the next report, for a component that takes the request over.
    this.#facts = { ...this.#facts, panes };
    this.#post({ kind: 'pane', request, isOpen: false });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#keep({ ...NOT_SHOWN, status: undefined });
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#calls.settleAll();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, { transfer });
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'book':
        if (message.generation === this.#generation) this.#onBook(message);
        return;
      case 'journal':
        return noteJournal(message.entry);
      case 'hits':
        noteHits(message.hits);
        return this.#onHits(message.hits.map(({ hit }) => hit));
      case 'places':
        return notePlaces(message.places);
      case 'paid':
        return notePaid(message.credits);
      case 'returned':
        return this.#calls.settle(message.serial, message.value);
    }
  }

  #onBook({ status = this.#facts.status, shown = this.#facts.shown, panes }: BookMessage): void {
    const isMoreThanPanes = status !== this.#facts.status || shown !== this.#facts.shown;
    const come = Object.entries(panes).filter(([request]) => this.#requested.has(request));
    this.#publish({ status, shown, panes: { ...this.#facts.panes, ...Object.fromEntries(come) } }, isMoreThanPanes);
  }

  #publish(change: Partial<Facts>, isMoreThanPanes = true): void {
    this.#keep(change);
    for (const listener of this.#paneListeners) listener();
    if (isMoreThanPanes) this.#notify();
  }

  #keep(change: Partial<Facts>): void {
    this.#facts = { ...this.#facts, ...change };
    this.#book = undefined;
  }

  readonly #notify = () => {
    for (const listener of this.#listeners) listener();
  };

  readonly #onVisibility = () => this.#post({ kind: 'look', isVisible: !document.hidden });
}
