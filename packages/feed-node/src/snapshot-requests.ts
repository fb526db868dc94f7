import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { timeoutSignal } from '@l4desk/runtime/node';
import { type CoinOfSnapshot, readSnapshotFile } from './snapshot-reader.ts';

export interface SnapshotSettings {
  /** The node's own info server (`NODE_INFO_URL`). */
  readonly infoUrl: string;
  /** Path to which the node writes (`NODE_SNAPSHOT_PATH`); the file is removed once it is read. */
  readonly path: string;
  /** How long the node may take to write the file, in ms. */
  readonly withinMs: number;
}

interface Waiter {
  readonly resolve: (levels: CoinOfSnapshot) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: () => void;
}

const NEEDED =
  'NODE_INFO_URL must be the info server of a node that was started with --serve-info, of a version that knows l4Snapshots';

const PIECE_BYTES = 1 << 20;

/** Requests snapshots of the node's whole state, one at a time, for all coins requested before it began (NODE-7). */
export class SnapshotRequests {
  readonly #settings: SnapshotSettings;
  readonly #ending = new AbortController();
  #waiting = new Map<string, Waiter[]>();
  #runs = false;
  #progressAt: number | null = null;
  #problem: string | null = null;
  readonly #now: () => number;

  constructor(settings: SnapshotSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** When a snapshot last made progress; null before the first. */
  get progressAt(): number | null {
    return this.#progressAt;
  }

  /** Why the last snapshot failed; null if it did not. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves with the coin's book from a later snapshot (NODE-7). Rejects with one sentence without host names. */
  request(coin: string, onProgress: () => void = () => {}): Promise<CoinOfSnapshot> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(coin) ?? [];
      waiters.push({ resolve, reject, onProgress });
      this.#waiting.set(coin, waiters);
      if (!this.#runs) void this.#run();
    });
  }

  close(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    this.#runs = true;
    // Requests in the same turn share one snapshot.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      await this.#snapshot(waiting);
    }
    this.#runs = false;
  }

  async #snapshot(waiting: Map<string, Waiter[]>): Promise<void> {
    const { path } = this.#settings;
    try {
      await rm(path, { force: true });
      await this.#request();
      this.#progressed(waiting);
      const coins = readSnapshotFile(this.#pieces(waiting), new Set(waiting.keys()));
      for await (const found of coins) {
        for (const { resolve } of waiting.get(found.coin) ?? []) resolve(found);
        waiting.delete(found.coin);
      }
      this.#problem = null;
    } catch (error) {
      this.#problem = problemOf(error);
      const failure = new Error(this.#problem, { cause: error });
      for (const waiters of waiting.values()) for (const { reject } of waiters) reject(failure);
    }
    await rm(path, { force: true }).catch(() => {});
  }

  async #request(): Promise<void> {
    const { infoUrl, path, withinMs } = this.#settings;
    const response = await fetch(infoUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        type: 'fileSnapshot',
        request: { type: 'l4Snapshots', includeUsers: true, includeTriggerOrders: false },
        outPath: path,
        includeHeightInOutput: true,
      }),
      signal: AbortSignal.any([this.#ending.signal, timeoutSignal(withinMs)]),
    });
    // Nothing in the response is needed, and a compressed one could inflate without limit.
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the node refused a snapshot with HTTP ${response.status}: ${NEEDED}`);
  }

  async *#pieces(waiting: ReadonlyMap<string, readonly Waiter[]>): AsyncGenerator<Buffer> {
    const { signal } = this.#ending;
    const stream = createReadStream(this.#settings.path, { highWaterMark: PIECE_BYTES, signal });
    for await (const piece of stream as AsyncIterable<Buffer>) {
      this.#progressed(waiting);
      yield piece;
    }
  }

  #progressed(waiting: ReadonlyMap<string, readonly Waiter[]>): void {
    this.#progressAt = this.#now();
    for (const waiters of waiting.values()) for (const { onProgress } of waiters) onProgress();
  }
}

/** Describes an error without host names: the message of a failed fetch has none, but its cause does. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no snapshot of the node';
  if (error.name === 'TimeoutError') return 'the node made no snapshot in time';
  if ('code' in error && error.code === 'ENOENT')
    return 'the node wrote no snapshot to NODE_SNAPSHOT_PATH: it must run on this machine and may write there';
  if (error instanceof TypeError) return `the info server of the node cannot be reached: ${NEEDED}`;
  return error.message;
}
