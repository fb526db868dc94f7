import type { RulesTried } from '@l4desk/insight';
import type { KeptBlock } from './panes/past.ts';

/** Watch rules and what they fire, for the pages: only the worker runs them. */
export type { WatchFacts, WatchHit, WatchRule } from '@l4desk/insight';

/** Rules that are tried on the kept minutes. */
export type TrialReport =
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'done';
      readonly tried: RulesTried;
      /** What was tried: the kept blocks, of a time without its gaps. */
      readonly from: KeptBlock;
      readonly to: KeptBlock;
      readonly spanMs: number;
      readonly gaps: number;
    }
  /** Nothing is kept yet. */
  | { readonly kind: 'nothing' };
