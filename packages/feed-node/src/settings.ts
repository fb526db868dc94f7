import type { FollowSettings, L4Tuning } from '@l4desk/feed/core';
import type { NodeFiles } from '@l4desk/protocol/upstream';

/** Where a node's files and its info server are. */
export interface NodePaths {
  /** The folder that holds `node_raw_book_diffs_by_block` or `…_streaming` (`NODE_DATA_DIR`). */
  readonly dataDir: string;
  /** Which of them to read if both exist (`NODE_FILES`). */
  readonly files: NodeFiles | null;
  /** The node's own info server (`NODE_INFO_URL`), and the path to which it writes snapshots (`NODE_SNAPSHOT_PATH`). */
  readonly infoUrl: string;
  readonly snapshotPath: string;
  /** File that keeps the position in each file between runs; null to keep none. */
  readonly placesPath: string | null;
}

/** Limits and times of reading files, in ms. */
export interface NodeTuning {
  /** How often a file is polled while it has nothing new, and how often to check that it is still the right file. */
  readonly filePollMs: number;
  readonly fileLookMs: number;
  /** How long a block waits for the line of its fills, if fills are read as fast as the other files. */
  readonly fillsWithinMs: number;
}

export const NODE_TUNING: NodeTuning = { filePollMs: 8, fileLookMs: 200, fillsWithinMs: 50 };

/** Settings of an L4 path that reads the files of a node on this machine (`L4_SOURCE=node`). */
export interface NodeFeedSettings extends FollowSettings {
  readonly node: NodePaths;
  readonly tuning?: Partial<L4Tuning & NodeTuning>;
}
