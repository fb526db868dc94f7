import type { UpstreamStatus } from '@l4desk/protocol';

/** Why nothing that the service streams is current. */
export const FEED_LOST = 'the service is disconnected from the exchange’s feed';

/** How far the service's clock is ahead of this machine's, ms, and the error bound of that estimate. */
export interface ClockOffset {
  readonly ms: number;
  readonly withinMs: number;
}

/** The clocks of a followed coin. Times are ms since the Unix epoch by this machine's clock. */
export interface FeedTimes {
  readonly knownAt: number | undefined;
  /** When the last block arrived; a snapshot does not count. */
  readonly blockAt: number | undefined;
  /** How often the coin's blocks arrive; undefined while too few have arrived. */
  readonly usual: { readonly usualMs: number; readonly suspectAfterMs: number } | undefined;
  /** Delay between the last block's own time and its arrival, and the lowest delay of the last minutes. */
  readonly delay: { readonly ms: number; readonly usualMs: number } | undefined;
  /** The service's last report on its upstream, and when it arrived. */
  readonly upstream: (UpstreamStatus & { readonly heardAt: number }) | undefined;
  readonly offset: ClockOffset | undefined;
}
