import { once } from 'node:events';
import type { DecimalString, L4Order, OrderStatus, RawBookDiff, Side } from '@l4desk/protocol';
import { WebSocket } from 'ws';

/** Maximum time that a test waits for anything, in ms; long enough for a loaded machine. */
const DEADLINE_MS = 300_000;

export interface SnapshotData {
  readonly coin: string;
  readonly time: number;
  readonly height: number;
  readonly levels: readonly [readonly L4Order[], readonly L4Order[]];
}

export interface DiffData {
  readonly user: string;
  readonly oid: number;
  readonly side?: Side;
  readonly px: DecimalString;
  readonly coin: string;
  readonly raw_book_diff: RawBookDiff;
}

export interface UpdatesData {
  readonly time: number;
  readonly height: number;
  readonly order_statuses: readonly OrderStatus[];
  readonly book_diffs: readonly DiffData[];
}

/** A message as received, and its kind. */
export type Received = { readonly text: string } & (
  | { readonly kind: 'snapshot'; readonly snapshot: SnapshotData }
  | { readonly kind: 'updates'; readonly updates: UpdatesData; readonly coin: string }
  | { readonly kind: 'acknowledgement'; readonly data: unknown }
  | { readonly kind: 'error'; readonly sentence: string }
  | { readonly kind: 'broken' }
);

/** A minimal client of the `l4Book` stream. It keeps every message in order of arrival and lets tests wait for one. */
export class L4Client implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly socket: WebSocket;
  readonly #watchers = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.received.push(describe(data.toString('utf8')));
      this.#wake();
    });
    socket.on('close', () => this.#wake());
    // Faults break connections on purpose; the 'close' event handles it.
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<L4Client> {
    const socket = new WebSocket(url);
    const client = new L4Client(socket);
    await once(socket, 'open');
    return client;
  }

  get isClosed(): boolean {
    return this.socket.readyState === WebSocket.CLOSED;
  }

  get snapshots(): readonly SnapshotData[] {
    return this.received.flatMap((each) => (each.kind === 'snapshot' ? [each.snapshot] : []));
  }

  /** The blocks received, of one coin or of all coins. */
  updates(coin?: string): readonly UpdatesData[] {
    return this.received.flatMap((each) =>
      each.kind === 'updates' && (coin === undefined || each.coin === coin) ? [each.updates] : [],
    );
  }

  heights(coin?: string): readonly number[] {
    return this.updates(coin).map(({ height }) => height);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Subscribes and waits for the snapshot. */
  async subscribe(coin: string): Promise<SnapshotData> {
    const known = this.snapshots.length;
    this.send({ method: 'subscribe', subscription: { type: 'l4Book', coin } });
    await this.until(() => this.snapshots.length > known, `the snapshot of ${coin}`);
    return this.snapshots[known] as SnapshotData;
  }

  /** Resolves once `isTrue` returns true; checked after every message. */
  async until(isTrue: () => boolean, what: string): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.#watchers.delete(watch);
        reject(new Error(`waited ${DEADLINE_MS} ms for ${what}`));
      }, DEADLINE_MS);
      const watch = () => {
        if (!isTrue()) return;
        clearTimeout(deadline);
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
    });
  }

  /** Waits until everything that the venue sent before this call has arrived: it responds in order. */
  async settled(): Promise<void> {
    const errors = () => this.received.filter((each) => each.kind === 'error').length;
    const known = errors();
    this.send('{"method":"settled?"}');
    await this.until(() => errors() > known, 'a response');
    this.received.splice(
      this.received.findLastIndex((each) => each.kind === 'error'),
      1,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isClosed) return;
    this.socket.terminate();
    await this.until(() => this.isClosed, 'the end of the connection');
  }

  #wake(): void {
    for (const watch of this.#watchers) watch();
  }
}

function describe(text: string): Received {
  let message: { channel?: unknown; data?: unknown };
  try {
    message = JSON.parse(text) as { channel?: unknown; data?: unknown };
  } catch {
    return { kind: 'broken', text };
  }
  const { channel, data } = message;
  if (channel === 'subscriptionResponse') return { kind: 'acknowledgement', data, text };
  if (channel === 'error') return { kind: 'error', sentence: String(data), text };
  const book = data as { Snapshot?: SnapshotData; Updates?: UpdatesData };
  if (book.Snapshot !== undefined) return { kind: 'snapshot', snapshot: book.Snapshot, text };
  if (book.Updates === undefined) return { kind: 'broken', text };
  const coin = book.Updates.book_diffs[0]?.coin ?? book.Updates.order_statuses[0]?.order.coin ?? '';
  return { kind: 'updates', updates: book.Updates, coin, text };
}
