import {
  type Sweep,
  type SweepAmount,
  type SweptOrder,
  sweep as sweepOf,
  sweptOrders,
  type TakerSide,
} from '@l4desk/insight';
import type { PaneComputer } from '../worker/shown.ts';

export type { Sweep, SweptOrder, TakerSide } from '@l4desk/insight';

export interface SweepParams {
  readonly side: TakerSide;
  readonly amount: SweepAmount;
  readonly limit: number;
}

export interface SweepData {
  readonly sweep: Sweep;
  /** The orders it takes from, in execution order; only the first `limit`. */
  readonly orders: readonly SweptOrder[];
}

export const sweep: PaneComputer<SweepParams, SweepData> = {
  open:
    () =>
    ({ book }, { side, amount, limit }) => ({
      sweep: sweepOf(book, side, amount),
      orders: sweptOrders(book, side, amount, limit),
    }),
};
