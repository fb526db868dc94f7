import { LocalFeed, type LocalFeedDeps, type SourceKind, WHOLE_BLOCKS } from '@l4desk/feed/core';
import type { Log } from '@l4desk/runtime';
import { NodeSource } from './node-source.ts';
import { NODE_TUNING, type NodeFeedSettings } from './settings.ts';

/** Opens a feed on the calling thread from the files of a node. */
export function openNodeFeed(settings: NodeFeedSettings, log: Log, deps?: LocalFeedDeps): LocalFeed {
  return new LocalFeed(settings, sourceKind(settings), log, deps);
}

function sourceKind({ node, tuning }: NodeFeedSettings): SourceKind {
  const { filePollMs: pollMs, fileLookMs: lookMs, fillsWithinMs } = { ...NODE_TUNING, ...tuning };
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
      new NodeSource({ ...node, silentAfterMs, snapshotWithinMs, pollMs, lookMs, fillsWithinMs }, events, deps),
  };
}
