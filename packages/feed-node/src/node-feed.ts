import {
  type FollowSettings,
  type L4Tuning,
  LocalFeed,
  type LocalFeedDeps,
  type SourceKind,
  WHOLE_BLOCKS,
} from '@l4desk/feed/core';
import type { Log } from '@l4desk/runtime';
import { type NodePaths, NodeSource } from './node-source.ts';

const NODE_TUNING = {
  /** How often a file is polled while it has nothing new, and how often to check that it is still the right file. */
  filePollMs: 8,
  fileCheckMs: 200,
  /** How long a block waits for the line of its fills, if fills are read as fast as the other files. */
  fillsWithinMs: 50,
};

/** Settings of an L4 path that reads the files of a node on this machine (`NODE_DATA_DIR`). */
export interface NodeFeedSettings extends FollowSettings {
  readonly node: NodePaths;
  readonly tuning?: Partial<L4Tuning & typeof NODE_TUNING>;
}

/** Opens a feed on the calling thread from the files of a node. */
export function openNodeFeed(settings: NodeFeedSettings, log: Log, deps?: LocalFeedDeps): LocalFeed {
  return new LocalFeed(settings, sourceKind(settings), log, deps);
}

function sourceKind({ node, tuning }: NodeFeedSettings): SourceKind {
  const { filePollMs: pollMs, fileCheckMs: checkMs, fillsWithinMs } = { ...NODE_TUNING, ...tuning };
  return {
    // A snapshot contains the whole exchange (hundreds of MB), however many coins are requested.
    tuning: {
      ...WHOLE_BLOCKS,
      joinsOutstandingMax: 1_000,
      joinShareMax: 1,
      joinWithinMs: 90_000,
      auditWithinMs: 60_000,
      auditLongestMs: 120_000,
      auditShareMax: 0.05,
    },
    reorderMs: 0,
    sendsWholeBlocks: true,
    logsSilence: true,
    open: ({ silentAfterMs, auditWithinMs: snapshotWithinMs }, events, deps) =>
      new NodeSource({ ...node, silentAfterMs, snapshotWithinMs, pollMs, checkMs, fillsWithinMs }, events, deps),
  };
}
