/** Books from the files that a node writes on this machine. */
export type { NodeFeedSettings } from './node-feed.ts';
export type { NodePaths } from './node-source.ts';
