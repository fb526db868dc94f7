import type { DecimalString } from '@l4desk/protocol';

/** The rows from one price of the ladder to another, both included. */
export interface RulerParams {
  readonly tick: DecimalString;
  readonly low: DecimalString;
  readonly high: DecimalString;
}

/** What rests in these rows, exactly. */
export interface RulerSide {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
}

export interface RulerData {
  readonly bids: RulerSide;
  readonly asks: RulerSide;
}
