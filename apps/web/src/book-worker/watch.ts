import type { RulesTried } from '@l4desk/insight';
import type { KeptBlock } from './panes/past.ts';

/** Watch rules and their hits, for the pages: only the worker runs them. */
export type { WatchFacts, WatchHit, WatchRule } from '@l4desk/insight';

/** Report of a rules trial on the kept minutes. */
export type TrialReport =
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'done';
      readonly tried: RulesTried;
      /** The kept blocks the rules were tried on; `spanMs` excludes the gaps. */
      readonly from: KeptBlock;
      readonly to: KeptBlock;
      readonly spanMs: number;
      readonly gaps: number;
    }
  /** Nothing is kept yet. */
  | { readonly kind: 'nothing' };
