/** The L4 path as a package: follows the books of coins from an upstream, sequences them and serves them. */
export type { BookLossReason, BookState, BookStatus, L4BookSnapshot } from '@l4desk/protocol';
export type { CoinStatus } from './api.ts';
export * from './api.ts';
export { deflatePiece, entryTexts } from './blocks/entry-text.ts';
export type { SequencedEntry } from './blocks/upstream-block.ts';
export { FeedListeners } from './local/feed-listeners.ts';
export { ExchangeRelay, type Relay, type RelayHealth, type RelayLease, type RelayLimits } from './relay/relay.ts';
export {
  L4_TUNING,
  type L4FeedSettings,
  type L4Tuning,
  type L4Upstream,
} from './settings.ts';
export { type L4FeedOptions, startL4Feed } from './thread/feed.ts';
