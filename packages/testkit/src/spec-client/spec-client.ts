import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { RawSocket } from './raw-socket.ts';
import { SpecBook } from './spec-book.ts';
import { type BatchWire, checkMessage, checkSnapshot, type EntryWire, type SnapshotWire } from './wire-checks.ts';

export interface SpecClientOptions {
  /** Full URL of the query endpoint. */
  readonly infoUrl: string;
  /** Full URL of the stream, without the key. */
  readonly streamUrl: string;
  readonly key: string;
  readonly coins: readonly string[];
}

/** A break in a coin's sequence, or the end of a connection. */
export interface SpecGap {
  readonly coin: string;
  readonly kind: 'prev_seq' | 'epoch' | 'connection';
  /** Block of the entry that revealed it, or of the last applied entry for a lost connection. */
  readonly height: number;
  readonly detail: string;
}

/** The state of a coin: waiting for its snapshot while buffering batches, or in step. */
type CoinState =
  | { readonly kind: 'bootstrapping'; readonly buffer: BatchWire[] }
  | {
      readonly kind: 'live';
      readonly book: SpecBook;
      readonly epoch: string;
      readonly seq: number;
      readonly height: number;
    };

/** How long the client waits before retrying a lost connection or a failed query, in ms. */
const RETRY_MS = 50;

/**
 * A stream client written from the specification alone, section 4.7 step by step, without code of the service. It
 * reports all that the specification does not allow (`violations`), and every gap (`gaps`).
 */
export class SpecClient implements AsyncDisposable {
  readonly violations: string[] = [];
  readonly gaps: SpecGap[] = [];
  /** Coins that the service reported as currently unavailable. The service keeps trying, and so does the client. */
  readonly unavailable: string[] = [];
  /** Batches received, over all connections. */
  batches = 0;
  readonly #options: SpecClientOptions;
  readonly #coins: ReadonlySet<string>;
  readonly #states = new Map<string, CoinState>();
  readonly #events = new EventEmitter();
  readonly #ending = new AbortController();
  #socket: RawSocket | undefined;
  /** Last height of this connection. Heights of batches must increase. */
  #lastHeight = -1;
  #acknowledged = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: SpecClientOptions) {
    this.#options = options;
    this.#coins = new Set(options.coins);
    this.#events.setMaxListeners(0);
    for (const coin of options.coins) this.#states.set(coin, { kind: 'bootstrapping', buffer: [] });
  }

  /** Connects and subscribes, and keeps doing so. */
  start(): void {
    void this.#connect();
  }

  book(coin: string): SpecBook | undefined {
    const state = this.#states.get(coin);
    return state?.kind === 'live' ? state.book : undefined;
  }

  position(coin: string): { readonly epoch: string; readonly seq: number; readonly height: number } | undefined {
    const state = this.#states.get(coin);
    return state?.kind === 'live' ? { epoch: state.epoch, seq: state.seq, height: state.height } : undefined;
  }

  /** Waits until an event makes `read` return a value. */
  async until<T>(read: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = read();
      if (value !== undefined && value !== false) return value;
      await once(this.#events, 'change');
    }
  }

  /** Breaks the connection, as a network does. */
  breakConnection(): void {
    this.#socket?.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.destroy();
  }

  async #connect(): Promise<void> {
    const { streamUrl, key } = this.#options;
    try {
      this.#socket = await RawSocket.open(`${streamUrl}?key=${encodeURIComponent(key)}`, {
        onText: (text) => this.#receive(text),
        onClose: (code, reason) => this.#lost(`${code} ${reason}`),
        onViolation: (what) => this.#violation(what),
      });
    } catch {
      this.#again(() => this.#connect());
      return;
    }
    if (this.#ending.signal.aborted) {
      this.#socket.destroy();
      return;
    }
    this.#lastHeight = -1;
    this.#acknowledged = false;
    this.#socket.sendText(JSON.stringify(this.#request));
  }

  get #request() {
    return { method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: [...this.#options.coins] } };
  }

  #lost(why: string): void {
    if (this.#ending.signal.aborted) return;
    for (const [coin, state] of this.#states) {
      const height = state.kind === 'live' ? state.height : 0;
      this.gaps.push({ coin, kind: 'connection', height, detail: why });
      this.#states.set(coin, { kind: 'bootstrapping', buffer: [] });
    }
    this.#changed();
    this.#again(() => this.#connect());
  }

  #receive(text: string): void {
    const { message, batch } = checkMessage(text, (problem) => this.#violation(problem));
    if (message?.channel === 'l4BookUpdates' && !this.#acknowledged)
      this.#violation('a batch before the acknowledgement');
    if (batch !== undefined) this.#batch(batch);
    if (message === undefined || message.channel === 'l4BookUpdates') return;
    if (message.channel === 'subscriptionResponse') this.#onAcknowledged(message, text);
    else if (message.channel === 'error' && this.#isUnavailable(message.data)) return;
    else this.#violation(`a message nobody asked for: ${text.slice(0, 200)}`);
  }

  /** Whether an error reports that a coin of the subscription is currently unavailable. */
  #isUnavailable(sentence: unknown): boolean {
    const body = JSON.stringify(this.#request.subscription);
    const coin = this.#options.coins.find(
      (name) => sentence === `Invalid subscription ${body}: ${name} is not available upstream`,
    );
    if (coin === undefined || !this.#acknowledged) return false;
    this.unavailable.push(coin);
    this.#changed();
    return true;
  }

  /** The only request of a connection is acknowledged once, with its echo. */
  #onAcknowledged(message: Readonly<Record<string, unknown>>, text: string): void {
    const expected = { channel: 'subscriptionResponse', data: this.#request };
    if (this.#acknowledged || !isDeepStrictEqual(message, expected)) {
      this.#violation(`an acknowledgement of nothing that was asked: ${text.slice(0, 200)}`);
      return;
    }
    this.#acknowledged = true;
    for (const coin of this.#coins) void this.#bootstrap(coin);
  }

  #batch(batch: BatchWire): void {
    this.batches += 1;
    if (batch.block_height <= this.#lastHeight) {
      this.#violation(`block ${batch.block_height} after block ${this.#lastHeight}`);
    }
    this.#lastHeight = batch.block_height;
    for (const entry of batch.book_diffs) {
      const state = this.#states.get(entry.coin);
      if (state === undefined) this.#violation(`an entry of ${entry.coin}, which is not subscribed`);
      else if (state.kind === 'bootstrapping') state.buffer.push(batch);
      else this.#follow(entry.coin, state, batch, entry);
    }
    this.#changed();
  }

  /** Step 6. */
  #follow(coin: string, state: Extract<CoinState, { kind: 'live' }>, batch: BatchWire, entry: EntryWire): void {
    const { epoch, block_height: height } = batch;
    if (epoch !== state.epoch) {
      this.#rebootstrap(coin, batch, 'epoch', `epoch ${state.epoch} became ${epoch}`);
      return;
    }
    if (entry.prev_seq !== state.seq) {
      this.#rebootstrap(coin, batch, 'prev_seq', `at seq ${state.seq} came ${entry.prev_seq} → ${entry.seq}`);
      return;
    }
    this.#apply(state.book, entry, height);
    this.#states.set(coin, { ...state, seq: entry.seq, height });
  }

  #rebootstrap(coin: string, batch: BatchWire, kind: SpecGap['kind'], detail: string): void {
    this.gaps.push({ coin, kind, height: batch.block_height, detail });
    this.#states.set(coin, { kind: 'bootstrapping', buffer: [batch] });
    void this.#bootstrap(coin);
  }

  /** Step 2, then steps 3 to 5. */
  async #bootstrap(coin: string): Promise<void> {
    const waiting = this.#states.get(coin);
    if (waiting?.kind !== 'bootstrapping') return;
    const snapshot = await this.#snapshot(coin);
    // A connection that was lost meanwhile starts over on its own.
    if (this.#states.get(coin) !== waiting) return;
    if (snapshot === undefined) {
      this.#again(() => this.#bootstrap(coin));
      return;
    }
    const book = new SpecBook((problem) => this.#violation(`${coin}: ${problem}`));
    book.fill(snapshot.levels);
    for (const [index, side] of (['B', 'A'] as const).entries()) {
      const received = snapshot.levels[index] ?? [];
      const sorted = book.side(side);
      if (received.some((order, index) => order.oid !== sorted[index]?.oid)) {
        this.#violation(`${coin}: side ${side} of the snapshot is not in order of price`);
      }
    }
    const remaining = waiting.buffer.filter((batch) => batch.block_height > snapshot.height);
    let { seq, height } = snapshot;
    for (const batch of remaining) {
      const entry = batch.book_diffs.find((item) => item.coin === coin);
      if (entry === undefined) continue;
      const kind = batch.epoch !== snapshot.epoch ? 'epoch' : entry.prev_seq !== seq ? 'prev_seq' : undefined;
      if (kind !== undefined) {
        const detail = `the snapshot at seq ${snapshot.seq} does not join: at ${seq} came ${entry.prev_seq} → ${entry.seq}`;
        this.gaps.push({ coin, kind, height: batch.block_height, detail });
        this.#states.set(coin, { kind: 'bootstrapping', buffer: [] });
        void this.#bootstrap(coin);
        return;
      }
      this.#apply(book, entry, batch.block_height);
      seq = entry.seq;
      height = batch.block_height;
    }
    this.#states.set(coin, { kind: 'live', book, epoch: snapshot.epoch, seq, height });
    this.#changed();
  }

  #apply(book: SpecBook, entry: EntryWire, height: number): void {
    const before = this.violations.length;
    book.apply(entry.book_diffs);
    book.checkCrossed();
    if (this.violations.length > before) this.#violation(`… all in ${entry.coin}, block ${height}, seq ${entry.seq}`);
  }

  async #snapshot(coin: string): Promise<SnapshotWire | undefined> {
    const { infoUrl, key } = this.#options;
    try {
      const response = await fetch(infoUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
        body: JSON.stringify({ type: 'l4BookSnapshot', coin }),
        signal: this.#ending.signal,
      });
      const text = await response.text();
      // Not ready yet: requested again. A client should see no other failure.
      if (response.status === 503) return undefined;
      if (response.status !== 200) this.#violation(`snapshot of ${coin}: ${response.status} ${text}`);
      return checkSnapshot(JSON.parse(text), coin, (problem) => this.#violation(problem));
    } catch {
      return undefined;
    }
  }

  #again(what: () => Promise<void>): void {
    if (this.#ending.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void what();
    }, RETRY_MS);
    this.#timers.add(timer);
  }

  #violation(what: string): void {
    this.violations.push(what);
    this.#changed();
  }

  #changed(): void {
    this.#events.emit('change');
  }
}
