/** Watch rules and their hits, for the pages: only the worker runs them. */
export type { WatchFacts, WatchHit, WatchRule } from '@l4desk/insight';
