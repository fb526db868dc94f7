import type { Sweep, SweepAmount, SweptOrder, TakerSide } from '@l4desk/insight';

export type { Sweep, SweptOrder, TakerSide } from '@l4desk/insight';

/** The sweep pane's request: what a market order would take. */
export interface SweepParams {
  readonly side: TakerSide;
  readonly amount: SweepAmount;
  /** Most orders listed. */
  readonly limit: number;
}

export interface SweepData {
  readonly sweep: Sweep;
  /** The orders it takes from, in execution order; only the first `limit`. */
  readonly orders: readonly SweptOrder[];
}
