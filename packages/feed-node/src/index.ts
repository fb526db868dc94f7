/** Books from the files that a node writes on this machine. */
export type { NodeFeedSettings, NodePaths } from './settings.ts';
