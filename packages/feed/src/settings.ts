/** The source of the books, by dialect. URLs are complete, including the path. */
export type L4Upstream =
  /** An order-level server (`UPSTREAM_L4_URL`). */
  | { readonly dialect: 'l4Book'; readonly url: string }
  /** A hosted service: its stream, its query endpoint (`UPSTREAM_INFO_URL`), and the key for both. */
  | {
      readonly dialect: 'l4BookUpdates';
      readonly url: string;
      readonly infoUrl: string;
      readonly apiKey: string;
    };

/** Settings of the L4 path that do not depend on the upstream; times in ms. */
export interface FollowSettings {
  /** Coins that stay joined without viewers (`L4_PINNED_COINS`). */
  readonly pinnedCoins: readonly string[];
  /** How long a coin without holders stays joined. */
  readonly lingerMs: number;
  /** How often each joined coin is compared with a fresh upstream snapshot (`L4_AUDIT_MS`); 0 is never. */
  readonly auditMs: number;
  /** How long to wait for a missing height (`L4_REORDER_MS`). */
  readonly reorderMs: number;
  /** After how long without a live book a coin is unavailable, and the longest pause (`L4_REBUILD_MAX_MS`). */
  readonly rebuildMaxMs: number;
  /** Internal limits and times that are not settings of the service; they take precedence over those of the dialect. */
  readonly tuning?: Partial<L4Tuning>;
}

/** Settings of the L4 path with an upstream of this package. */
export interface L4FeedSettings extends FollowSettings {
  readonly upstream: L4Upstream;
}

/** Which books are kept, and for how long. */
export type HeldBooks = Pick<FollowSettings, 'pinnedCoins' | 'lingerMs' | 'rebuildMaxMs'>;

/** Limits and times that depend on how the upstream works rather than on the operator's wishes; times in ms. */
export const L4_TUNING = {
  /** A height is complete when nothing more of it has arrived for this long. */
  settleMs: 20,
  /** Joins sent without a snapshot yet. An order-level server makes one at a time and sends no blocks meanwhile. */
  joinsOutstandingMax: 1,
  /** Maximum share of an order-level server's time for joins; the rest is left for the blocks that queued up meanwhile. */
  joinShareMax: 2 / 3,
  /** How long a subscription may wait for its snapshot, counted from its sending or from the upstream's last progress with it. */
  joinWithinMs: 15_000,
  /** Maximum share of an order-level server's time for audits; if too little for `auditMs`, audits are made less often. */
  auditShareMax: 0.1,
  /** Longest time without progress of an audit's snapshot, and longest total time of an audit. */
  auditWithinMs: 15_000,
  auditLongestMs: 60_000,
  /** Time without a new height after which an audit compares anyway, and trusts differences. */
  auditQuietMs: 500,
  auditSilentMs: 5_000,
  /** Silence after which a ping is sent, and how long its pong may take. */
  pingAfterMs: 3_000,
  pongWithinMs: 3_000,
  /** Silence about all joined coins after which one is audited at once; not with a hosted service, where audits cost credits. */
  silentAfterMs: 4_000,
};

export type L4Tuning = Readonly<Record<keyof typeof L4_TUNING, number>>;

/** Tuning for upstreams that deliver whole blocks in order. */
export const WHOLE_BLOCKS = { settleMs: 0 };
