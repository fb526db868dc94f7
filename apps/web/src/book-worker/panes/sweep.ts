import type { Sweep, SweepAmount, SweptOrder, TakerSide } from '@l4desk/insight';

export type { Sweep, SweptOrder, TakerSide } from '@l4desk/insight';

/** What a market order is asked to take. */
export interface SweepAsk {
  readonly serial: number;
  readonly side: TakerSide;
  readonly amount: SweepAmount;
  /** Most orders listed. */
  readonly limit: number;
}

export interface SweepResponse {
  readonly serial: number;
  readonly height: number;
  readonly sweep: Sweep;
  /** The orders it takes from, in the order in which it does: the first of them. */
  readonly orders: readonly SweptOrder[];
}
