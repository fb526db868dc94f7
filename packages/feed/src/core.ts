/** Parts of the L4 path for packages that add a source or another way to deliver it. */
export * from './api.ts';
export type { RawObject, UpstreamBlock } from './blocks/upstream-block.ts';
export { LocalFeed, type LocalFeedDeps } from './local/local-feed.ts';
export { type FollowSettings, type L4Tuning, WHOLE_BLOCKS } from './settings.ts';
export type {
  ConnectionState,
  L4Source,
  SourceDeps,
  SourceEvents,
  SourceKind,
  UpstreamSnapshot,
} from './sources/source.ts';
export { serveFeed } from './thread/serve-feed.ts';
