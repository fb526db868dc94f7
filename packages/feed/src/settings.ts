import type { Backoff } from '@l4desk/client/stream';
import type { NodeFiles } from '@l4desk/protocol/upstream';

/** Where books come from, by the dialect it speaks; URLs are whole, path included. */
export type L4Upstream =
  /** An order-level server (`UPSTREAM_L4_URL`). */
  | { readonly dialect: 'l4Book'; readonly url: string }
  /** A hosted service: its stream, its query endpoint (`UPSTREAM_INFO_URL`), and the key for both. */
  | {
      readonly dialect: 'l4BookUpdates';
      readonly url: string;
      readonly infoUrl: string;
      readonly apiKey: string;
      /** How long a service that does not tell of its own losses may say nothing of a coin before it is asked (`L4_QUIET_CHECK_MS`). */
      readonly quietCheckMs: number;
    }
  /** The files that a node writes on this machine (`L4_SOURCE=node`). */
  | {
      readonly dialect: 'node';
      /** The folder that holds `node_raw_book_diffs_by_block` or `…_streaming` (`NODE_DATA_DIR`). */
      readonly dataDir: string;
      /** Which of them to read where both are (`NODE_FILES`). */
      readonly files: NodeFiles | null;
      /** The node's own info server (`NODE_INFO_URL`), and where it is to write snapshots (`NODE_SNAPSHOT_PATH`). */
      readonly infoUrl: string;
      readonly snapshotPath: string;
      /** Where the position in each file is kept between runs; null if it is not kept. */
      readonly placesPath: string | null;
    };

/** What the L4 path needs to know; times in ms. */
export interface L4FeedSettings {
  readonly upstream: L4Upstream;
  /** Coins that stay joined without viewers (`L4_PINNED_COINS`). */
  readonly pinnedCoins: readonly string[];
  /** How long a coin without holders stays joined (`L4_LINGER_MS`). */
  readonly lingerMs: number;
  /** How often each joined coin is compared with a fresh upstream snapshot where the upstream has time for it (`L4_AUDIT_MS`); 0 is never. */
  readonly auditMs: number;
  /** How long a missing height is waited for (`L4_REORDER_MS`). */
  readonly reorderMs: number;
  /**
   * How long a coin may go without a live book before it is reported as unavailable, and the longest pause between two attempts
   * to build it (`L4_REBUILD_MAX_MS`).
   */
  readonly rebuildMaxMs: number;
  /** Inner times that no setting names. */
  readonly tuning?: Partial<L4Tuning>;
}

/** What the L4 path of a gateway needs to know: its blocks come from the leading sequencer over NATS (`ROLE=gateway`). */
export interface GatewayFeedSettings extends Pick<L4FeedSettings, 'pinnedCoins' | 'lingerMs' | 'rebuildMaxMs'> {
  readonly cluster: ClusterSettings;
}

/** A process's place in a cluster. */
export interface ClusterSettings {
  /** `NATS_URL`: `nats://` or `tls://`, with user and password where the server wants them. */
  readonly url: string;
  /** What this process is called among the others; letters, digits and dashes. */
  readonly id: string;
  /** On how many servers NATS keeps each block (`NATS_REPLICAS`). */
  readonly replicas: number;
}

/** Times that follow from how the upstream works rather than from what an operator wants; in ms. */
export interface L4Tuning {
  /**
   * A height counts as complete when nothing more of it arrived for this long: the shorter time when only coins are missing that
   * are often quiet, the longer one when one is missing that speaks of most heights. The next block ends either wait. To be
   * wrong costs the missing coin no gap: its block is published with the next height.
   */
  readonly settleMs: number;
  readonly activeSettleMs: number;
  /**
   * How long a height waits for an earlier block of a coin that skipped the height before. To be wrong can cost that coin a
   * gap, so it is longer than the time a server takes between two messages.
   */
  readonly swapMs: number;
  /** How long the upstream may stay behind the published height before a new epoch starts at its height. */
  readonly fallBackMs: number;
  /**
   * Most joins that are sent to an order-level server and without their snapshot. One: it makes snapshots one after the other,
   * and no block is sent meanwhile, so that more at a time would only delay blocks.
   */
  readonly joinsOutstandingMax: number;
  /** Most of an order-level server's time that joins may take; the rest is left for the blocks that piled up meanwhile. */
  readonly joinShareMax: number;
  /** How long a subscription may go without its snapshot, from its sending or the upstream's last progress with it. */
  readonly joinWithinMs: number;
  /** Most of an order-level server's time that audits may take: where that is too little for `auditMs`, audits are made less often. */
  readonly auditShareMax: number;
  /** How long nothing may come of an audit's snapshot, and how long an audit may take in all. */
  readonly auditWithinMs: number;
  readonly auditLongestMs: number;
  /** Time without a new height after which an audit compares a book that is behind its snapshot, and after which it believes a difference. */
  readonly auditQuietMs: number;
  readonly auditSilentMs: number;
  /** Audits of a coin in a row without a verdict, after which its book counts as lost. */
  readonly auditsAbandonedMax: number;
  /** How long a hosted service's first acknowledgement is waited for before subscriptions are assumed to be effective. */
  readonly acknowledgeMs: number;
  /** Silence after which a ping is sent, and how long its response may take. */
  readonly pingAfterMs: number;
  readonly pongWithinMs: number;
  /** Silence about every joined coin after which one of them is audited at once; not with a hosted service, where an audit costs. */
  readonly silentAfterMs: number;
  /** How often a node's file is read that has nothing new, and how often it is looked whether it is still the right one. */
  readonly filePollMs: number;
  readonly fileLookMs: number;
  /** How long a block of a node's files waits for the line of its fills, where these are read as fast as the others. */
  readonly fillsWithinMs: number;
  /** A coin that was live for this long is healthy: its next loss counts as its first. */
  readonly stableMs: number;
  readonly reconnect: Backoff;
  /** First pause between two attempts to build a book. */
  readonly rejoinFirstMs: number;
}

/** The tuning where settings give none. */
export const L4_TUNING: L4Tuning = {
  settleMs: 10,
  activeSettleMs: 40,
  swapMs: 20,
  fallBackMs: 5_000,
  joinsOutstandingMax: 1,
  joinShareMax: 2 / 3,
  joinWithinMs: 15_000,
  auditShareMax: 0.1,
  auditWithinMs: 15_000,
  auditLongestMs: 60_000,
  auditQuietMs: 500,
  auditSilentMs: 5_000,
  auditsAbandonedMax: 4,
  acknowledgeMs: 3_000,
  pingAfterMs: 3_000,
  pongWithinMs: 3_000,
  silentAfterMs: 4_000,
  filePollMs: 8,
  fileLookMs: 200,
  fillsWithinMs: 50,
  stableMs: 10_000,
  reconnect: { firstMs: 250, longestMs: 15_000 },
  rejoinFirstMs: 500,
};

/** What differs with upstreams that tell of whole blocks in order. */
const WHOLE_BLOCKS = { settleMs: 0, activeSettleMs: 0, swapMs: 0 };

/** What differs by the dialect of the upstream. */
export const DIALECT_TUNING: Readonly<Record<L4Upstream['dialect'], Partial<L4Tuning>>> = {
  l4Book: {},
  // It responds from memory, many requests at a time.
  l4BookUpdates: { ...WHOLE_BLOCKS, joinsOutstandingMax: 8, joinShareMax: 1, auditShareMax: 0.5 },
  // A snapshot holds the whole exchange: hundreds of MB, however many coins are asked for.
  node: {
    ...WHOLE_BLOCKS,
    joinsOutstandingMax: 1_000,
    joinShareMax: 1,
    joinWithinMs: 90_000,
    auditWithinMs: 60_000,
    auditLongestMs: 120_000,
    auditShareMax: 0.05,
  },
};
