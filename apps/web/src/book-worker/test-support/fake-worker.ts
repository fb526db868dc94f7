import type { FollowEvent } from '@l4desk/client';
import type { CreditShortage, FromWorker, ToWorker, WorkerPort } from '../messages.ts';
import type { TravelTo } from '../panes/past.ts';
import {
  type PaneName,
  type PaneParams,
  type PaneResult,
  type PaneResults,
  paneRequest,
  type ShownBlock,
} from '../panes.ts';
import { BookModel } from '../worker/book-model.ts';
import type { CanvasBook } from '../worker/canvases.ts';
import { FakeFollower } from './fake-follower.ts';

/**
 * The worker without a thread: the real model over a fake follower. Messages to the page are delivered when the test says so, as
 * if the thread had just reached them.
 */
export class FakeWorker implements WorkerPort {
  readonly received: ToWorker[] = [];
  /** The `/readyz` response, instead of a healthy service's; below, how often it was requested. */
  readiness: (() => unknown) | undefined;
  looks = 0;
  terminated = false;
  /** The credits of an account that has run out of them; null while it has some. */
  credits: CreditShortage['credits'] | null = null;
  /** Replaces the credits response if set. */
  noCredits: (() => Promise<never>) | undefined;
  /** Every follower that was started. */
  readonly followers: FakeFollower[] = [];
  /** What each opened canvas reads of the book. */
  readonly canvases: CanvasBook[] = [];
  readonly #outbox: FromWorker[] = [];
  #listener: (event: MessageEvent<FromWorker>) => void = () => {};
  #onError: (event: ErrorEvent) => void = () => {};
  #follower: FakeFollower | undefined;
  #timers: { readonly callback: () => void; readonly afterMs: number }[] = [];
  readonly #model: BookModel;
  readonly #requested = new Set<string>();
  readonly #results: Record<string, PaneResult> = {};

  constructor() {
    this.#model = new BookModel({
      follow: (coin, onEvent: (event: FollowEvent) => void) => {
        this.#follower = new FakeFollower(coin, onEvent);
        this.followers.push(this.#follower);
        return this.#follower;
      },
      post: (message) => {
        this.#outbox.push(message);
        if (message.kind === 'book') Object.assign(this.#results, message.panes);
      },
      paint: (_, __, book) => void this.canvases.push(book),
      readiness: async () => {
        this.looks += 1;
        return this.readiness === undefined ? this.follower.readiness() : this.readiness();
      },
      credits: async () => (this.noCredits === undefined ? this.credits : this.noCredits()),
      now: () => this.#follower?.now ?? 0,
      later: (callback, afterMs) => void this.#timers.push({ callback, afterMs }),
    });
  }

  /** A worker that follows BTC, whose book has arrived. */
  static live(): FakeWorker {
    const worker = new FakeWorker();
    worker.follow('BTC');
    worker.follower.goLive('BTC');
    // The book is copied shortly after it was built.
    worker.runTimers();
    return worker;
  }

  follow(coin: string, generation = 1): void {
    this.postMessage({ kind: 'follow', generation, coin });
  }

  /** Adds blocks of BTC, which are this long apart. */
  blocks(count: number, apartMs = 0): void {
    for (let block = 0; block < count; block += 1) {
      this.follower.now += apartMs;
      this.follower.block('BTC');
    }
  }

  pause(paused: boolean): void {
    this.postMessage({ kind: 'pause', paused });
  }

  travel(to: TravelTo): void {
    this.postMessage({ kind: 'travel', to });
  }

  get follower(): FakeFollower {
    if (this.#follower === undefined) throw new Error('nothing is followed yet');
    return this.#follower;
  }

  /** What one more canvas reads of the book. */
  openCanvas(): CanvasBook {
    const { port1 } = new MessageChannel();
    port1.close();
    this.postMessage({ kind: 'canvas', name: 'ladder', port: port1 });
    const book = this.canvases.at(-1);
    if (book === undefined) throw new Error('no canvas was opened');
    return book;
  }

  /** The received messages of one kind. */
  asked<Kind extends ToWorker['kind']>(kind: Kind) {
    return this.received.filter((message): message is Extract<ToWorker, { kind: Kind }> => message.kind === kind);
  }

  postMessage(message: ToWorker): void {
    this.received.push(message);
    this.#model.receive(message);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === 'message') this.#listener = listener as (event: MessageEvent<FromWorker>) => void;
    if (type === 'error') this.#onError = listener as (event: ErrorEvent) => void;
  }

  /** Fails, as a worker whose script cannot be loaded does. */
  fail(message: string): void {
    this.#onError(new ErrorEvent('error', { message }));
  }

  terminate(): void {
    this.terminated = true;
    this.#listener = () => {};
  }

  /** Messages pending for the page, not yet delivered. */
  get waiting(): readonly FromWorker[] {
    return this.#outbox;
  }

  /** The shown blocks of the pending messages. */
  shown(): readonly ShownBlock[] {
    return this.#outbox.flatMap((message) => (message.kind === 'book' && message.shown ? [message.shown] : []));
  }

  /** The results of a pane in the pending messages. */
  results<Name extends PaneName>(name: Name): readonly PaneResult<Name>[] {
    return this.#outbox.flatMap((message) => (message.kind === 'book' ? resultsOf(message.panes, name) : []));
  }

  /** Requests these panes and no others, and returns what the page is shown then: the block, and the last result of each pane. */
  frame(wanted: Wanted = {}): ShownBlock & Results {
    this.deliver();
    const requests = Object.entries(wanted).map(([name, params]) => paneRequest(name as PaneName, params as never));
    for (const request of this.#requested) if (!requests.includes(request)) this.#setPane(request, false);
    for (const request of requests) if (!this.#requested.has(request)) this.#setPane(request, true);
    this.postMessage({ kind: 'hold', hold: undefined });
    const shown = this.shown().at(-1);
    if (shown === undefined) throw new Error('nothing is shown');
    this.runTasks();
    const results = Object.keys(wanted).map((name, at) => [name, this.#results[requests[at] ?? '']]);
    return { ...shown, ...(Object.fromEntries(results) as Results) };
  }

  #setPane(request: string, isOpen: boolean): void {
    if (isOpen) this.#requested.add(request);
    else this.#requested.delete(request);
    this.postMessage({ kind: 'pane', request, isOpen });
  }

  /** Delivers all pending messages to the page; returns their number. */
  deliver(): number {
    const messages = this.#outbox.splice(0);
    for (const message of messages) this.#listener(new MessageEvent('message', { data: structuredClone(message) }));
    return messages.length;
  }

  /** Runs every pending timer once, and then the tasks that wait for nothing. */
  runTimers(): void {
    for (const { callback } of this.#timers.splice(0)) callback();
    this.runTasks();
  }

  /** Runs the tasks that wait for nothing, and those that they lead to: a live book's panes are sent one a task. */
  runTasks(): void {
    while (this.runTask());
  }

  /** Runs the first task that waits for nothing. Returns whether there was one. */
  runTask(): boolean {
    const at = this.#timers.findIndex(({ afterMs }) => afterMs === 0);
    const [task] = at < 0 ? [] : this.#timers.splice(at, 1);
    task?.callback();
    return task !== undefined;
  }

  /** The delay of each pending timer, in the order they were set. */
  get waits(): readonly number[] {
    return this.#timers.map(({ afterMs }) => afterMs);
  }
}

/** Panes by name: their parameters, and their results. */
type Wanted = { readonly [Name in PaneName]?: PaneParams<Name> };
type Results = { readonly [Name in PaneName]?: PaneResult<Name> };

function resultsOf<Name extends PaneName>(panes: PaneResults, name: Name): readonly PaneResult<Name>[] {
  const own = Object.entries(panes).filter(([request]) => request.startsWith(`["${name}",`));
  return own.map(([, result]) => result as PaneResult<Name>);
}
