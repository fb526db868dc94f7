/** The whole book in a few bars a side. */
export interface MapAsk {
  readonly serial: number;
  /** Bars of each side. */
  readonly bars: number;
}

/** Sizes are for drawing only. */
export interface MapResponse {
  readonly serial: number;
  readonly height: number;
  /** Between the best prices, or the one there is; for drawing only. */
  readonly mid: number;
  /** How far the last bar reaches, in basis points of the mid. */
  readonly farBps: number;
  /** Sizes from the mid outward, in bars of equal height on the scale of `map-scale.ts`. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}
