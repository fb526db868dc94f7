/** Parts of the L4 path for packages that add a source or another way to deliver it. */
export * from './api.ts';
export { withDeflated } from './blocks/entry-text.ts';
export type { CoinView, RawObject, UpstreamBlock } from './blocks/upstream-block.ts';
export type { HeldCoin } from './local/held-coins.ts';
export { LocalFeed, type LocalFeedDeps, openLocalFeed } from './local/local-feed.ts';
export { OutputFeed, type StateListeners } from './local/output-feed.ts';
export { SnapshotServer } from './local/snapshot-server.ts';
export { type FollowSettings, type HeldBooks, type L4Tuning, WHOLE_BLOCKS } from './settings.ts';
export type {
  ConnectionState,
  L4Source,
  SourceDeps,
  SourceEvents,
  SourceKind,
  UpstreamSnapshot,
} from './sources/source.ts';
export { startL4Feed } from './thread/feed.ts';
export { type PackedBlock, packBlock, unpackBlock } from './thread/port.ts';
export { serveFeed } from './thread/serve-feed.ts';
