/** What the service's own recordings offer to the rest of the service. */
import type { CoinRecording, RecordedFile, StatusesMode } from '@l4desk/protocol';

/** What to record, and how much of it to keep. */
export interface RecordingsSettings {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Coins that are recorded (`RECORD_COINS`). */
  readonly coins: readonly string[];
  /** Which order statuses of a block are recorded (`RECORD_STATUSES`): those of orders in its diffs, or every one of the coin. */
  readonly statuses: StatusesMode;
  /** How long a file is written before the next one is started, in ms (`RECORD_ROTATE_MS`). */
  readonly rotateMs: number;
  /** Most bytes of all files of the folder; the oldest are removed first (`RECORD_KEEP_BYTES`). */
  readonly keepBytes: number;
  /** Where the blocks come from, without secrets: goes into the files. */
  readonly source: string;
}

/** Counters since the start; they only rise. */
interface RecordingCounters {
  readonly blocks: number;
  readonly filesBegun: number;
  readonly filesRemoved: number;
  readonly gaps: number;
  readonly failures: number;
  /** How often the recorder fell so far behind that blocks were left out. */
  readonly fallenBehind: number;
}

/** How the recordings are doing; at most about a second old. */
export interface RecordingsHealth {
  readonly coins: readonly CoinRecording[];
  /** Files in the folder, and their bytes. */
  readonly files: number;
  readonly fileBytes: number;
  readonly counters: RecordingCounters;
  /** How often the recorder's thread ended by itself and was started again. */
  readonly restarts: number;
}

/** The recordings of the service. Disposing them ends the files that are written. */
export interface Recordings extends AsyncDisposable {
  health(): RecordingsHealth;
  /** The files, newest first. Rejects where the folder cannot be read. */
  list(): Promise<readonly RecordedFile[]>;
  /** The path of a file by its name; undefined where the name is not that of a recording. */
  pathOf(name: string): string | undefined;
}
