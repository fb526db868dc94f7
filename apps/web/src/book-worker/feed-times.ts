import type { UpstreamStatus } from '@l4desk/protocol';

/** How far the service's clock is ahead of this machine's, ms, and how far off that estimate may be. */
export interface ClockOffset {
  readonly ms: number;
  readonly withinMs: number;
}

/** The clocks of a followed coin. Times are ms since the Unix epoch by this machine's clock. */
export interface FeedTimes {
  /** When the book was last known to be the exchange's: its last block came then, or its snapshot. */
  readonly knownAt: number | undefined;
  /** When the last block came; a snapshot is none. */
  readonly blockAt: number | undefined;
  /** How often the coin's blocks come; undefined while too few came. */
  readonly usual: { readonly usualMs: number; readonly suspectAfterMs: number } | undefined;
  /** How long after its own time the last block came, and the least of the last minutes. */
  readonly delay: { readonly ms: number; readonly usualMs: number } | undefined;
  /** What the service last said of its upstream, and when that came. */
  readonly upstream: (UpstreamStatus & { readonly heardAt: number }) | undefined;
  readonly offset: ClockOffset | undefined;
}
