import { join } from 'node:path';
import type { CoinLease, L4Feed, PublishedBlock } from '@l4desk/feed';
import type { BookStatus, RecordedFile } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { RpcClient, SupervisedWorker, timeoutSignal } from '@l4desk/runtime/node';
import { NO_COUNTERS, type Recordings, type RecordingsHealth, type RecordingsSettings } from './api.ts';
import type { FromRecorder, RecordedEntry, RecorderCalls, ToRecorder } from './port.ts';
import { isRecordingName } from './recordings-folder.ts';

export interface RecordingsOptions {
  /**
   * The recorder's program: `@l4desk/recording/recorder-worker`, bundled. Defaults to `recorder.js` beside the bundle containing this code.
   */
  readonly workerUrl?: URL;
  /** How many bytes of blocks the recorder may be behind: a disk stall of minutes. Past it blocks are skipped, as a gap. */
  readonly unreadBytesMax?: number;
}

/**
 * Records coins of a feed to files, in its own thread, until it is disposed, and lists the files in the folder. The feed is
 * otherwise unaffected: the recorder is one more viewer, whose coins stay joined.
 */
export function startRecordings(
  settings: RecordingsSettings,
  feed: L4Feed,
  log: Log,
  options: RecordingsOptions = {},
): Recordings {
  const { workerUrl = new URL('./recorder.js', import.meta.url), unreadBytesMax = UNREAD_BYTES_MAX } = options;
  return new ThreadRecordings(settings, feed, log, { workerUrl, unreadBytesMax });
}

const UNREAD_BYTES_MAX = 67_108_864;

/** How long to wait for a snapshot. */
const SNAPSHOT_MS = 60_000;

/** How long the thread has to finish its files. */
const CLOSE_MS = 5_000;

const RESTART = { firstMs: 500, longestMs: 30_000 };

class ThreadRecordings implements Recordings {
  readonly #settings: RecordingsSettings;
  readonly #feed: L4Feed;
  readonly #log: Log;
  readonly #unreadBytesMax: number;
  readonly #coins: ReadonlySet<string>;
  readonly #leases: readonly CoinLease[];
  readonly #stopListening: readonly (() => void)[];
  readonly #closing = new AbortController();
  readonly #calls = new RpcClient<RecorderCalls>((request) => this.#send(request));
  readonly #worker: SupervisedWorker<ToRecorder, FromRecorder>;
  #unreadBytes = 0;
  #isBehind = false;
  #health: RecordingsHealth;

  constructor(
    settings: RecordingsSettings,
    feed: L4Feed,
    log: Log,
    { workerUrl, unreadBytesMax }: Required<RecordingsOptions>,
  ) {
    this.#settings = settings;
    this.#feed = feed;
    this.#log = log;
    this.#unreadBytesMax = unreadBytesMax;
    // The files of a thread that exited unexpectedly show where they end.
    this.#worker = new SupervisedWorker(
      { url: workerUrl, workerData: settings, name: 'recorder', title: 'recorder', restart: RESTART },
      log,
      {
        started: () => {
          this.#unreadBytes = 0;
          this.#isBehind = false;
          this.#calls.repeat();
        },
        message: (message) => this.#receive(message),
        exited: () => this.#onExit(),
      },
    );
    this.#coins = new Set(settings.coins);
    const since = Date.now();
    const coins = settings.coins.map((coin) => {
      return { coin, state: 'waiting', since, height: null, file: null, problem: null } as const;
    });
    this.#health = { coins, files: 0, fileBytes: 0, counters: NO_COUNTERS };
    const reader = { statuses: settings.statuses, deflate: false };
    this.#leases = settings.coins.map((coin) => feed.acquire(coin, reader));
    this.#stopListening =
      settings.coins.length === 0
        ? []
        : [feed.onBlock((block) => this.#onBlock(block)), feed.onBookStatus((status) => this.#onStatus(status))];
    if (settings.coins.length > 0) this.#worker.start();
  }

  health(): RecordingsHealth {
    return this.#health;
  }

  list(): Promise<readonly RecordedFile[]> {
    // If no coins are recorded, the thread starts with the first request.
    this.#worker.start();
    return this.#calls.call('list', []);
  }

  pathOf(name: string): string | undefined {
    return isRecordingName(name) ? join(this.#settings.folder, name) : undefined;
  }

  #onExit(): void {
    const coins = this.#health.coins.map((coin) => {
      return { ...coin, state: 'failed', since: Date.now(), file: null, problem: 'the recorder ended' } as const;
    });
    this.#health = { ...this.#health, coins };
  }

  #receive(message: FromRecorder): void {
    switch (message.kind) {
      case 'fetch':
        void this.#fetch(message.coin, message.request);
        return;
      case 'taken':
        this.#unreadBytes -= message.bytes;
        if (!this.#isBehind || this.#unreadBytes > this.#unreadBytesMax / 2) return;
        this.#isBehind = false;
        this.#send({ kind: 'behind' });
        return;
      case 'health':
        this.#health = message.health;
        return;
      case 'log':
        this.#log[message.level](message.fields, message.message);
        return;
      case 'result':
      case 'refused':
        this.#calls.receive(message);
    }
  }

  #onBlock({ epoch, height, time, entries: published }: PublishedBlock): void {
    if (!this.#worker.isRunning || this.#isBehind) return;
    const entries: RecordedEntry[] = [];
    let bytes = 0;
    for (const { coin, all, book, checksum } of published) {
      const source = this.#settings.statuses === 'all' ? all : book;
      // An entry that was made without all statuses is skipped; the next one shows the gap.
      if (!this.#coins.has(coin) || source === null) continue;
      // Copies the bytes (`slice` of a Buffer is a view): the block's own bytes are shared by all listeners.
      const text = new Uint8Array(source.plain);
      entries.push({ coin, text, checksum });
      bytes += text.length;
    }
    if (entries.length === 0) return;
    if (this.#unreadBytes > 0 && this.#unreadBytes + bytes > this.#unreadBytesMax) {
      this.#isBehind = true;
      this.#log.error({ bytes: this.#unreadBytes }, 'the recorder is too far behind: blocks are left out');
      return;
    }
    this.#unreadBytes += bytes;
    const transfer = entries.map(({ text }) => text.buffer as ArrayBuffer);
    this.#send({ kind: 'block', epoch, height, time, entries, bytes }, transfer);
  }

  #onStatus({ coin, state, reason }: BookStatus): void {
    if (!this.#coins.has(coin)) return;
    // A stale book may turn out to be correct: nothing is lost yet.
    if (state === 'live') this.#send({ kind: 'status', coin, lost: null });
    else if (state !== 'stale') this.#send({ kind: 'status', coin, lost: reason ?? 'disconnected' });
  }

  async #fetch(coin: string, request: number): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, timeoutSignal(SNAPSHOT_MS)]);
    try {
      const { bytes } = await this.#feed.snapshot(coin, 'identity', signal);
      this.#send({ kind: 'snapshot', coin, request, bytes });
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#send({ kind: 'snapshotFailed', coin, request, message: String(error) });
    }
  }

  #send(message: ToRecorder, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.send(message, transfer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    for (const stop of this.#stopListening) stop();
    for (const lease of this.#leases) lease.release();
    this.#calls.end(new Error('the recordings were closed'));
    await this.#worker.close({ kind: 'close' }, CLOSE_MS);
  }
}
