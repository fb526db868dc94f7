import { type L4Book, SyncDriver, type SyncEvent, SyncedBook, type SyncState } from '@l4desk/book';
import type { CoinBatch, CoinRecording, DecodedSnapshot, StatusesMode } from '@l4desk/protocol';
import { backoffMs, type Log } from '@l4desk/runtime';
import { FRAME_KIND, type RawFrame, type RecordedPosition } from '../../format/index.ts';
import { HeightWentBack, Recorder } from '../../replay/recorder.ts';
import type { RecordingFile } from '../index.ts';
import type { RecordingEndedAt, RecordingsFolder } from './recordings-folder.ts';

/** An event to count. */
export type RecorderNote = 'block' | 'gap' | 'file' | 'failure';

export interface CoinRecorderDeps {
  readonly folder: Pick<RecordingsFolder, 'create' | 'discard'>;
  readonly source: string;
  readonly statuses: StatusesMode;
  readonly rotateMs: number;
  /** Size of a file from which the next one is started. */
  readonly fileBytesMax: number;
  /** ms since the Unix epoch. */
  readonly now: () => number;
  /** Requests a snapshot from the feed, at once if `attempt` is 0. */
  readonly fetchSnapshot: (coin: string, request: number, attempt: number) => void;
  readonly note: (what: RecorderNote) => void;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** A file being written. */
interface Writing {
  readonly name: string;
  readonly file: RecordingFile;
  readonly recorder: Recorder;
  readonly begunAt: number;
}

/** Pauses between attempts to resume writing. */
const RETRY = { firstMs: 2_000, longestMs: 60_000 };

/**
 * Records one coin as a viewer of the feed. It keeps its own book, from a snapshot and the blocks after it, and compares it with
 * the feed's checksum after each block. A failed write does not stop it: the book continues, and a new file is retried.
 */
export class CoinRecorder {
  readonly coin: string;
  readonly #deps: CoinRecorderDeps;
  readonly #driver: SyncDriver;
  readonly #synced: SyncedBook;
  #writing: Writing | undefined;
  /** Height of the last block or book in the file. */
  #written: number | null = null;
  /** Where the previous file ended; the next file continues from there. */
  #after: RecordingEndedAt | undefined;
  /** Whether the feed has no book at present, and the reason of its last loss, until a block shows that nothing was missed. */
  #isAway = false;
  #lost: string | null = null;
  #problem: string | null = null;
  #failures = 0;
  #retryAt = 0;
  #since: number;

  constructor(coin: string, after: RecordingEndedAt | undefined, deps: CoinRecorderDeps) {
    this.coin = coin;
    this.#after = after;
    this.#deps = deps;
    this.#since = deps.now();
    this.#synced = new SyncedBook(coin);
    this.#driver = new SyncDriver({
      fetch: (request, attempt) => deps.fetchSnapshot(coin, request, attempt),
      // A cancelled request's response is ignored because of its number.
      cancel: () => {},
      build: (snapshot) => this.#build(snapshot),
      apply: (batch) => this.#apply(batch),
      stepped: (before, after) => this.#onStep(before, after),
    });
  }

  get health(): CoinRecording {
    const isLive = this.#driver.state.kind === 'live';
    return {
      coin: this.coin,
      state: this.#problem !== null ? 'failed' : isLive && this.#writing !== undefined ? 'recording' : 'waiting',
      since: this.#since,
      height: this.#written,
      file: this.#writing?.name ?? null,
      problem: this.#problem,
    };
  }

  /** Starts following the coin: call it once every block of the coin is delivered. */
  start(): void {
    this.#driver.dispatch({ kind: 'subscribed' });
  }

  onBatch(batch: CoinBatch): void {
    this.#driver.dispatch({ kind: 'batch', batch });
  }

  /** The feed lost its book (the reason), or has one again (null). The sequence shows whether anything was missed. */
  onStatus(lost: string | null): void {
    this.#isAway = lost !== null;
    this.#lost = lost ?? this.#lost;
  }

  onSnapshot(request: number, snapshot: DecodedSnapshot): void {
    this.#driver.dispatch({ kind: 'snapshot', request, snapshot });
  }

  onSnapshotFailed(request: number, message: string): void {
    this.#driver.dispatch({ kind: 'snapshotFailed', request, retryable: true, message });
  }

  /** Blocks were skipped. */
  onBehind(): void {
    this.#lost ??= 'recorder-behind';
    this.#driver.dispatch({ kind: 'disconnected' });
    this.start();
  }

  /** Called every second: flushes buffered data, starts the next file when due, and retries after a failure. */
  tick(): void {
    const now = this.#deps.now();
    const writing = this.#writing;
    if (writing === undefined) {
      if (this.#problem !== null && now >= this.#retryAt) this.#resume();
      return;
    }
    this.#try(() => {
      writing.recorder.flush();
      writing.file.sync();
      const isDue = now - writing.begunAt >= this.#deps.rotateMs || writing.file.size >= this.#deps.fileBytesMax;
      // The next file must begin with a book.
      if (isDue && this.#driver.state.kind === 'live') this.#rotate();
    });
  }

  /** Finishes the file. */
  end(): void {
    if (this.#isAway && this.#lost !== null) this.#writing?.recorder.onLost(this.#lost);
    this.#try(() => this.#finish());
  }

  #onStep(before: SyncState, after: SyncState): void {
    if (before.kind !== 'live' || after.kind === 'live') return;
    const reason = this.#lost ?? (after.kind === 'buffering' ? after.reason : null) ?? 'disconnected';
    this.#since = this.#deps.now();
    this.#deps.log.warn({ coin: this.coin, reason }, 'recording interrupted');
    this.#writing?.recorder.onLost(reason);
  }

  #build(snapshot: DecodedSnapshot): SyncEvent | undefined {
    const wrong = this.#synced.build(snapshot);
    const { book, position } = this.#synced;
    if (wrong !== undefined || book === undefined || position === undefined) return wrong;
    this.#lost = null;
    this.#since = this.#deps.now();
    if (this.#writing === undefined) this.#resume();
    else this.#onBook(this.#writing, book, position);
    return undefined;
  }

  #apply(batch: CoinBatch): SyncEvent | undefined {
    const wrong = this.#synced.apply(batch);
    const { book } = this.#synced;
    if (wrong !== undefined || book === undefined) return wrong;
    if (!this.#isAway) this.#lost = null;
    this.#try(() => this.#writing?.recorder.onBlock(book, batch));
    this.#deps.note('block');
    return undefined;
  }

  #onBook({ recorder }: Writing, book: L4Book, position: RecordedPosition): void {
    this.#try(() => {
      try {
        recorder.onBook(book, position);
      } catch (error) {
        if (!(error instanceof HeightWentBack)) throw error;
        // Between heights of two different chains there is no gap to record.
        this.#finish();
        this.#after = undefined;
        this.#open(book, position);
      }
    });
  }

  #rotate(): void {
    const { book, position } = this.#synced;
    if (book === undefined || position === undefined) return;
    this.#finish();
    this.#after = { height: position.height, reason: 'recorder-failed' };
    this.#open(book, position);
  }

  /** Starts a file while none is being written, if there is a book. */
  #resume(): void {
    const { book, position } = this.#synced;
    if (this.#driver.state.kind !== 'live' || book === undefined || position === undefined) return;
    this.#try(() => this.#open(book, position));
  }

  #open(book: L4Book, position: RecordedPosition): void {
    const { folder, source, statuses, now, log } = this.#deps;
    const { name, file } = folder.create(this.coin, now());
    const after = this.#after;
    const write = (frame: RawFrame) => {
      file.write(frame);
      if (frame.kind === FRAME_KIND.keyframe || frame.kind === FRAME_KIND.blocks) this.#written = frame.to;
      if (frame.kind === FRAME_KIND.gap) this.#deps.note('gap');
    };
    const recorder = new Recorder(
      { coin: this.coin, source, statuses, ...(after === undefined ? {} : { after }) },
      write,
      now,
    );
    try {
      recorder.onBook(book, position);
    } catch (error) {
      file[Symbol.dispose]();
      folder.discard(name);
      throw error;
    }
    this.#writing = { name, file, recorder, begunAt: now() };
    this.#deps.note('file');
    log.info({ coin: this.coin, file: name, height: position.height }, 'recording started');
    this.#problem = null;
    this.#failures = 0;
    this.#since = now();
  }

  #finish(): void {
    const writing = this.#writing;
    if (writing === undefined) return;
    writing.recorder.end();
    writing.file.end();
    this.#writing = undefined;
  }

  /** Runs an action that writes. After a failure the file is left as it is, complete up to its last frame. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      this.#writing?.file[Symbol.dispose]();
      this.#writing = undefined;
      if (this.#written !== null) this.#after = { height: this.#written, reason: 'disk-failed' };
      this.#problem = problem;
      this.#failures += 1;
      this.#since = this.#deps.now();
      const waitMs = backoffMs(this.#failures, RETRY, () => 0);
      this.#retryAt = this.#deps.now() + waitMs;
      this.#deps.note('failure');
      this.#deps.log.error({ coin: this.coin, problem, waitMs, err: error }, 'recording failed, trying again');
    }
  }
}

/** Describes a disk error as a sentence without paths; undefined for any other error. */
function problemOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
  switch (code) {
    case undefined:
      return undefined;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EROFS':
      return 'the disk is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'the folder of the recordings may not be written to';
    default:
      return `the disk cannot be written (${String(code)})`;
  }
}
