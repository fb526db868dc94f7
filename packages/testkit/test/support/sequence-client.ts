import { createHash } from 'node:crypto';
import { RawSocket, type SpecClientOptions } from '@l4desk/testkit';
import { type BatchWire, checkBatch, checkSnapshot } from '../../src/spec-client/wire-checks.ts';

/** An entry that every client of a run must receive identically. */
interface SharedEntry {
  readonly coin: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly checksum: string;
}

interface SharedBatch extends Pick<BatchWire, 'epoch' | 'block_height'> {
  readonly entries: readonly SharedEntry[];
}

interface SharedSnapshot {
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
}

/** Texts of a kind to remember, for clients that are about to receive them. */
const TEXTS_KEPT = 128;

/** The most snapshots in flight at a time, over all clients. */
const SNAPSHOTS_MAX = 24;

/**
 * State shared by the sequence clients of a run. Each text is decoded and checked once. An entry or a snapshot must equal, byte
 * for byte, what any other client received for its coin, epoch and `seq`.
 */
export class SharedDecoding {
  readonly violations: string[] = [];
  /** The number of distinct texts that were decoded, and how often an already decoded one came. */
  decoded = 0;
  reused = 0;
  readonly #batches = new Map<string, SharedBatch | null>();
  readonly #snapshots = new Map<string, SharedSnapshot | null>();
  readonly #known = new Map<string, string>();
  #fetching = 0;
  readonly #queue: (() => void)[] = [];

  batch(text: string): SharedBatch | null {
    return this.#shared(this.#batches, text, () => this.#decodeBatch(text));
  }

  snapshot(text: string, coin: string): SharedSnapshot | null {
    return this.#shared(this.#snapshots, text, () => this.#decodeSnapshot(text, coin));
  }

  /** Runs a call once fewer than `SNAPSHOTS_MAX` are running. */
  async paced<T>(call: () => Promise<T>): Promise<T> {
    if (this.#fetching >= SNAPSHOTS_MAX) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#fetching += 1;
    try {
      return await call();
    } finally {
      this.#fetching -= 1;
      this.#queue.shift()?.();
    }
  }

  #shared<T>(texts: Map<string, T>, text: string, decode: () => T): T {
    const known = texts.get(text);
    if (known !== undefined) {
      this.reused += 1;
      return known;
    }
    this.decoded += 1;
    const decoded = decode();
    texts.set(text, decoded);
    const [oldest] = texts.keys();
    if (texts.size > TEXTS_KEPT && oldest !== undefined) texts.delete(oldest);
    return decoded;
  }

  #decodeBatch(text: string): SharedBatch | null {
    const batch = checkBatch((JSON.parse(text) as { data: { Updates: unknown } }).data.Updates, (problem) =>
      this.violations.push(problem),
    );
    if (batch === undefined) return null;
    const entries = batch.book_diffs.map((entry): SharedEntry => {
      const { checksum } = entry as unknown as { readonly checksum?: string };
      if (checksum === undefined) this.violations.push(`${entry.coin} ${entry.seq} has no checksum`);
      this.#same(`${entry.coin} ${batch.epoch} ${entry.seq}`, JSON.stringify(entry));
      return { coin: entry.coin, seq: entry.seq, prevSeq: entry.prev_seq, checksum: checksum ?? '' };
    });
    return { epoch: batch.epoch, block_height: batch.block_height, entries };
  }

  #decodeSnapshot(text: string, coin: string): SharedSnapshot | null {
    const snapshot = checkSnapshot(JSON.parse(text), coin, (problem) => this.violations.push(problem));
    if (snapshot === undefined) return null;
    const { epoch, seq, height, levels } = snapshot;
    this.#same(`snapshot ${coin} ${epoch} ${seq}`, JSON.stringify(levels));
    return { epoch, seq, height };
  }

  #same(what: string, text: string): void {
    const hash = createHash('sha1').update(text).digest('base64');
    const known = this.#known.get(what);
    if (known === undefined) this.#known.set(what, hash);
    else if (known !== hash) this.violations.push(`${what} is not what another client was sent`);
  }
}

/** The state of a coin. */
type CoinState =
  | { readonly kind: 'bootstrapping'; readonly buffer: SharedBatch[] }
  | { readonly kind: 'live'; readonly epoch: string; readonly seq: number; readonly checksum: string | null };

/** How long it waits before retrying a lost connection or a failed query, in ms. */
const RETRY_MS = 100;

/**
 * A stream client without books. It checks every entry's sequence against the previous one, and its bytes, including the
 * checksum, against what the other clients of the run received. After a disconnect it resumes, at any gateway.
 */
export class SequenceClient implements AsyncDisposable {
  /** Breaks by kind, and the outcome for each coin that it wanted to resume. */
  readonly gaps: Record<string, number> = {};
  readonly resumes: Record<string, number> = {};
  batches = 0;
  readonly #options: SpecClientOptions;
  readonly #shared: SharedDecoding;
  readonly #states = new Map<string, CoinState>();
  readonly #ending = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #socket: RawSocket | undefined;
  #lastHeight = -1;
  #acknowledged = false;

  constructor(options: SpecClientOptions, shared: SharedDecoding) {
    this.#options = options;
    this.#shared = shared;
    for (const coin of options.coins) this.#states.set(coin, { kind: 'bootstrapping', buffer: [] });
  }

  start(): void {
    void this.#connect();
  }

  /** The coin's position and last checksum (null if no entry came since its snapshot). Undefined while it is not in step. */
  position(coin: string) {
    const state = this.#states.get(coin);
    return state?.kind === 'live' && this.#acknowledged ? state : undefined;
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
        onClose: () => this.#lost(),
        onViolation: (what) => this.#shared.violations.push(what),
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
    const type = 'l4BookUpdates';
    const subscription = { type, coin: [...this.#options.coins], statuses: 'book', checksum: true, ...this.#resume };
    this.#socket.sendText(JSON.stringify({ method: 'subscribe', subscription }));
  }

  /** The position to resume from. Empty if no coin is in step. All its coins have the same epoch. */
  get #resume(): object {
    const live = [...this.#states].flatMap(([coin, state]) => (state.kind === 'live' ? [[coin, state] as const] : []));
    const [first] = live;
    if (first === undefined) return {};
    const [, { epoch }] = first;
    const same = live.filter(([, state]) => state.epoch === epoch).map(([coin, { seq }]) => [coin, seq] as const);
    return { resume: { epoch, seq: Object.fromEntries(same) } };
  }

  #lost(): void {
    if (this.#ending.signal.aborted) return;
    this.#acknowledged = false;
    count(this.gaps, 'connection');
    this.#again(() => this.#connect());
  }

  #receive(text: string): void {
    if (text.startsWith('{"channel":"l4BookUpdates"')) this.#batch(text);
    else if (text.startsWith('{"channel":"subscriptionResponse"')) this.#onAcknowledged(text);
    else if (!text.includes('is not available upstream'))
      this.#shared.violations.push(`a message nobody asked for: ${text.slice(0, 300)}`);
  }

  #onAcknowledged(text: string): void {
    const { resume } = (JSON.parse(text) as { data: { resume?: ResumeWire } }).data;
    for (const [coin, state] of this.#states) {
      const refusal = resume?.refused[coin];
      if (state.kind === 'live' && resume?.resumed[coin] !== undefined) {
        count(this.resumes, 'resumed');
        continue;
      }
      if (refusal !== undefined) count(this.resumes, refusal);
      this.#states.set(coin, { kind: 'bootstrapping', buffer: [] });
      void this.#bootstrap(coin);
    }
    this.#acknowledged = true;
  }

  #batch(text: string): void {
    if (!this.#acknowledged) this.#shared.violations.push('a batch before the acknowledgement');
    const batch = this.#shared.batch(text);
    if (batch === null) return;
    this.batches += 1;
    if (batch.block_height <= this.#lastHeight)
      this.#shared.violations.push(`block ${batch.block_height} after block ${this.#lastHeight}`);
    this.#lastHeight = batch.block_height;
    for (const entry of batch.entries) {
      const state = this.#states.get(entry.coin);
      if (state?.kind === 'bootstrapping') state.buffer.push(batch);
      else if (state !== undefined) this.#follow(state, batch, entry);
    }
  }

  #follow(state: Extract<CoinState, { kind: 'live' }>, batch: SharedBatch, entry: SharedEntry): void {
    const { coin, seq, prevSeq, checksum } = entry;
    const gap = batch.epoch !== state.epoch ? 'epoch' : prevSeq === state.seq ? null : 'prev_seq';
    if (gap === null) {
      this.#states.set(coin, { kind: 'live', epoch: batch.epoch, seq, checksum });
      return;
    }
    count(this.gaps, gap);
    this.#states.set(coin, { kind: 'bootstrapping', buffer: [batch] });
    void this.#bootstrap(coin);
  }

  async #bootstrap(coin: string): Promise<void> {
    const waiting = this.#states.get(coin);
    if (waiting?.kind !== 'bootstrapping') return;
    const text = await this.#shared.paced(() => this.#snapshot(coin));
    if (this.#states.get(coin) !== waiting) return;
    const snapshot = text === undefined ? null : this.#shared.snapshot(text, coin);
    if (snapshot === null) {
      this.#again(() => this.#bootstrap(coin));
      return;
    }
    this.#states.set(coin, { kind: 'live', epoch: snapshot.epoch, seq: snapshot.seq, checksum: null });
    for (const batch of waiting.buffer) {
      const state = this.#states.get(coin);
      const entry = batch.entries.find((one) => one.coin === coin);
      if (batch.block_height <= snapshot.height || entry === undefined) continue;
      if (state?.kind === 'live') this.#follow(state, batch, entry);
      else if (state?.kind === 'bootstrapping') state.buffer.push(batch);
    }
  }

  /** Returns the text of a snapshot, or undefined while there is none. */
  async #snapshot(coin: string): Promise<string | undefined> {
    const { infoUrl, key } = this.#options;
    try {
      const response = await fetch(infoUrl, {
        method: 'POST',
        // Uncompressed: hundreds of clients decompressing on one machine would take longer than transferring the bytes.
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' },
        body: JSON.stringify({ type: 'l4BookSnapshot', coin }),
        signal: this.#ending.signal,
      });
      const text = await response.text();
      if (response.status === 200) return text;
      if (response.status !== 503) this.#shared.violations.push(`snapshot of ${coin}: ${response.status} ${text}`);
    } catch {
      // Requested again.
    }
    return undefined;
  }

  #again(what: () => Promise<void>): void {
    if (this.#ending.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void what();
    }, RETRY_MS);
    this.#timers.add(timer);
  }
}

interface ResumeWire {
  readonly resumed: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, string>>;
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
