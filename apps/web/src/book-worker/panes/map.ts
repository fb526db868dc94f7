/** The whole book in a few bars per side. */
export interface MapParams {
  /** Bars per side. */
  readonly bars: number;
}

/** Sizes are for drawing only. */
export interface MapData {
  /** The midpoint of the best prices, or the only one there is; for drawing only. */
  readonly mid: number;
  /** The distance at the end of the last bar, in basis points of the mid. */
  readonly farBps: number;
  /** Sizes from the mid outward, in bars of equal height on the scale of `map-scale.ts`. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}
