/** API of the service's own recordings for the rest of the service. */
import type { CoinRecording, RecordedFile, StatusesMode } from '@l4desk/protocol';

/** What to record, and how much to keep. */
export interface RecordingsSettings {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Coins to record (`RECORD_COINS`). */
  readonly coins: readonly string[];
  /** Which order statuses of a block to record (`RECORD_STATUSES`): those of orders in its diffs, or all of the coin. */
  readonly statuses: StatusesMode;
  /** How long to write a file before starting the next one, in ms. */
  readonly rotateMs: number;
  /** Maximum bytes of all files in the folder; the oldest are removed first (`RECORD_KEEP_BYTES`). */
  readonly keepBytes: number;
  /** Source of the blocks, without secrets; written into the files. */
  readonly source: string;
}

/** Counters since the start; they only increase. `fallenBehind`: how often the recorder fell so far behind that blocks were skipped. */
export const NO_COUNTERS = { blocks: 0, filesBegun: 0, filesRemoved: 0, gaps: 0, failures: 0, fallenBehind: 0 };

/** Health of the recordings; at most about a second old. */
export interface RecordingsHealth {
  readonly coins: readonly CoinRecording[];
  /** Number of files in the folder, and their total bytes. */
  readonly files: number;
  readonly fileBytes: number;
  readonly counters: Readonly<typeof NO_COUNTERS>;
}

/** The recordings of the service. Disposing them finishes the files being written. */
export interface Recordings extends AsyncDisposable {
  health(): RecordingsHealth;
  /** Resolves with the files, newest first. Rejects if the folder cannot be read, or the recordings are closed. */
  list(): Promise<readonly RecordedFile[]>;
  /** Returns the path of a file by its name; undefined if the name is not that of a recording. */
  pathOf(name: string): string | undefined;
}
