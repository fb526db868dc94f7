import type { DecimalString } from '@l4desk/protocol';

/** The rows from one price of the ladder to another, both included. */
export interface RulerAsk {
  readonly serial: number;
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

export interface RulerResponse {
  readonly serial: number;
  readonly height: number;
  readonly bids: RulerSide;
  readonly asks: RulerSide;
}
