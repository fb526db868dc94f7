import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { L4Book } from '@l4desk/book';
import { createClient, type Follower, follow, type Socket } from '@l4desk/client';
import { type BusyFeed, FakeClock } from '@l4desk/testkit';
import type { LadderRequest } from '../ladder-frame.ts';
import type { FromWorker, ToWorker } from '../messages.ts';
import type { PanesAsk } from '../panes.ts';
import { BookModel } from '../worker/book-model.ts';
import { LadderView } from '../worker/ladder-view.ts';
import { Panes } from '../worker/panes/panes.ts';
import { Past } from '../worker/past/past.ts';

/** Interval of the exchange's blocks. */
export const BLOCK_MS = 67;

interface InProcessWorkerOptions {
  /** The service sends a checksum with every block, and the worker compares it. */
  readonly checksums: boolean;
  /** Called with every message to the page. */
  readonly onMessage?: (message: FromWorker) => void;
}

/** The request of a large screen's ladder, with every column. */
const ROWS: LadderRequest = {
  tick: '1',
  axis: undefined,
  slots: 60,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 48,
  notional: 'row',
  flow: true,
  without: undefined,
};

const LEVEL = { side: 'B', px: '79990', tick: '1' } as const;

/** The panes' requests on a large screen: level, owners, tape and flow, the figures and time strips, the map. */
const PANES: PanesAsk = {
  level: { serial: 1, level: LEVEL, view: null, from: 0, length: 40, anchors: [], chosen: null },
  owners: { serial: 2, withinBps: '100', limit: 100 },
  tape: { serial: 3, kinds: [], side: null, level: null, user: null, leastSz: null, limit: 300 },
  flow: { serial: 4, level: LEVEL },
  figures: { serial: 5 },
  time: { serial: 6, bars: 160 },
  map: { serial: 7, bars: 72 },
};

/** CPU time per block in ms, without generating the block. */
export interface BlockCost {
  /** Parsing its text, the book, the history, the frame, the panes, and serializing them. */
  readonly all: number;
  /** The same without the ladder's rows and without serializing: the book, the history, and the panes' use of them. */
  readonly book: number;
  /**
   * Parts of `book`, measured only with `timesParts`: keeping the block, updating the panes' aggregates with its changes, and the
   * panes' responses.
   */
  readonly history: number;
  readonly insight: number;
  readonly panes: number;
}

/**
 * The book page's worker in this process: the same model over the same client, fed by an in-memory socket, on a clock that the
 * test advances. Its messages to the page are posted to a port, and its ladder reads the rows of every block.
 */
export class InProcessWorker {
  readonly #feed: BusyFeed;
  readonly #clock: FakeClock;
  readonly #mirror: L4Book;
  readonly #checksums: boolean;
  readonly #onMessage: (message: FromWorker) => void;
  readonly #model: BookModel;
  #socket: MemorySocket | undefined;
  #follower: Follower | undefined;
  #frames = 0;
  readonly #toPage = new MessageChannel();
  /** Time spent serializing messages to the page during the current block, ms. */
  #sentMs = 0;

  private constructor(feed: BusyFeed, options: InProcessWorkerOptions) {
    const { checksums, onMessage = () => {} } = options;
    const snapshot = feed.snapshot();
    this.#feed = feed;
    this.#checksums = checksums;
    this.#onMessage = onMessage;
    this.#mirror = L4Book.build(snapshot.coin, snapshot.levels).book;
    this.#clock = new FakeClock(snapshot.time);
    const hold = (socket: MemorySocket) => {
      this.#socket = socket;
    };
    const text = JSON.stringify(snapshot);
    const client = createClient({
      baseUrl: 'http://desk.test',
      fetch: async () => ({ status: 200, headers: { get: () => null }, text: async () => text }),
      WebSocket: class extends MemorySocket {
        constructor() {
          super();
          hold(this);
        }
      },
      clock: this.#clock,
      random: () => 0.5,
    });
    this.#model = new BookModel({
      follow: (coin, onEvent) => {
        this.#follower = follow({ client, coins: [coin], statuses: 'book', checksum: checksums, onEvent });
        return this.#follower;
      },
      post: (message) => this.#hear(message),
      paint: (_, __, book) => book.listen(() => void book.rows(ROWS)),
      readiness: async () => ({}),
      credits: async () => null,
      now: this.#clock.now,
      later: (task, ms) => void this.#clock.after(ms, task),
    });
  }

  /** A worker that shows the feed's book, with every pane open. */
  static async start(feed: BusyFeed, options: InProcessWorkerOptions): Promise<InProcessWorker> {
    const worker = new InProcessWorker(feed, options);
    worker.#model.receive({ kind: 'follow', generation: 1, coin: 'BTC' });
    worker.#model.receive({ kind: 'panes', ask: PANES });
    worker.#model.receive({ kind: 'canvas', name: 'ladder', port: new globalThis.MessageChannel().port1 });
    worker.#socket?.open();
    while (worker.#follower?.coin('BTC')?.state.kind !== 'live') {
      worker.block();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return worker;
  }

  /** Number of messages with panes sent to the page. */
  get frames(): number {
    return this.#frames;
  }

  /** Height of the last block, and of the last one whose checksum was compared. */
  get proved(): { readonly height: number | undefined; readonly provedHeight: number | undefined } {
    const { height, provedHeight } = this.#follower?.coin('BTC') ?? {};
    return { height, provedHeight };
  }

  /** Sends a page message other than a canvas or a choice of coin. */
  tell(message: Exclude<ToWorker, { readonly kind: 'canvas' | 'follow' }>): void {
    this.#model.receive(message);
  }

  /** Delivers a block, and advances the clock to the next one. */
  block({ timesParts = false } = {}): BlockCost {
    timed = timesParts ? PARTS : ['rows'];
    const message = this.#feed.message(({ changes, statuses, time }) => {
      if (!this.#checksums) return undefined;
      this.#mirror.apply(changes, statuses, time);
      return this.#mirror.rollingChecksum();
    });
    this.#sentMs = 0;
    for (const part of PARTS) took[part] = 0;
    const before = processorMs();
    this.#socket?.deliver(message);
    this.#clock.advance(BLOCK_MS);
    const all = processorMs() - before;
    while (receiveMessageOnPort(this.#toPage.port2) !== undefined);
    const { rows, ...parts } = took;
    return { all, book: all - this.#sentMs - rows, ...parts };
  }

  /** The open port would keep the process alive. */
  close(): void {
    this.#toPage.port1.close();
  }

  #hear(message: FromWorker): void {
    const before = processorMs();
    this.#toPage.port1.postMessage(message);
    this.#sentMs += processorMs() - before;
    this.#onMessage(message);
    if (message.kind === 'book' && message.panes !== undefined) this.#frames += 1;
  }
}

/** CPU time in ms of all threads of this process: garbage collection is included. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const PARTS = ['rows', 'history', 'insight', 'panes'] as const;

/** CPU time of the current block in ms, by part. */
const took = { rows: 0, history: 0, insight: 0, panes: 0 };

/** The parts being timed: reading the CPU time takes a while itself. */
let timed: readonly (keyof typeof took)[] = PARTS;

/** Wraps a method of the product to time it; the product itself does not measure this. */
function time<Name extends string>(
  prototype: { [name in Name]: (...asked: never[]) => unknown },
  name: Name,
  part: keyof typeof took,
): void {
  const method = prototype[name];
  prototype[name] = function timedCall(...asked) {
    if (!timed.includes(part)) return method.apply(this, asked);
    const before = processorMs();
    try {
      return method.apply(this, asked);
    } finally {
      took[part] += processorMs() - before;
    }
  };
}

time(LadderView.prototype, 'frame', 'rows');
time(Past.prototype, 'onBlock', 'history');
time(Panes.prototype, 'onBlock', 'insight');
time(Panes.prototype, 'frame', 'panes');

/** Events that a socket passes to its listeners. */
type SocketEvent = Parameters<Parameters<Socket['addEventListener']>[1]>[0];

/** A socket whose other end is this process. */
class MemorySocket implements Socket {
  readonly #listeners = new Map<string, ((event: SocketEvent) => void)[]>();

  addEventListener(type: SocketEvent['type'], listener: (event: SocketEvent) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  open(): void {
    this.#tell({ type: 'open' });
  }

  deliver(data: string): void {
    this.#tell({ type: 'message', data });
  }

  /** Responds to the client as the service would. */
  send(text: string): void {
    const { method, subscription } = JSON.parse(text) as { readonly method: string; readonly subscription?: unknown };
    if (method === 'ping') this.deliver('{"channel":"pong"}');
    else this.deliver(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
  }

  close(): void {}

  #tell(event: SocketEvent): void {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }
}
