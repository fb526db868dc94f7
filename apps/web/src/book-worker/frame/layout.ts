/**
 * One frame of the ladder in one buffer: a header of numbers, then per row a few numbers, then the sizes of the orders
 * in the queue lanes, then a byte for the mark of each, then every text the rows show. The worker packs it, the page reads it, neither copies it on the
 * way. Numbers here are for drawing and positions only; amounts are shown from the texts, which are exact.
 */

/** Places in the header, in doubles. */
export const HEADER = {
  /** Which question this is the response to: the page drops responses to older ones. */
  serial: 0,
  /** Which choice of coin this belongs to. */
  generation: 1,
  /** Grows with everything that could change a frame. */
  version: 2,
  height: 3,
  seq: 4,
  /** Time of the block, ms since the Unix epoch. */
  blockTime: 5,
  axisTop: 6,
  /** 1 when the axis was scrolled away from the market. */
  axisDetached: 7,
  slots: 8,
  askRows: 9,
  bidRows: 10,
  /** Price index of the best level, NaN without one. */
  bestAsk: 11,
  bestBid: 12,
  /** Digits after the point that sizes of this book are shown with. */
  sizeDecimals: 13,
  laneSizes: 14,
  textBytes: 15,
  /** 1 when the book is held at a block (pause). */
  frozen: 16,
  /** How much of the last seconds is known whose changes the rows carry, in ms; NaN where they carry none. */
  flowMs: 17,
  /** The tick as a whole number of 10 to the minus `tickDecimals`: rows are counted in it without reading a text. */
  tickUnits: 18,
  tickDecimals: 19,
} as const;

export const HEADER_LENGTH = 20;

/** The seconds whose changes the rows carry. */
export const FLOW_SPAN_MS = 5_000;

/** Places in a row, in doubles. */
export const ROW = { index: 0, size: 1, cumulative: 2, count: 3, lane: 4, laneLength: 5 } as const;

export const ROW_LENGTH = 6;

/** Texts before those of the rows, in this order; each row adds those of `ROW_TEXTS`. */
export const TEXTS = ['coin', 'tick', 'epoch', 'bid', 'ask', 'spread', 'spreadBps', 'mid'] as const;

export type FrameText = (typeof TEXTS)[number];

/** Texts of a row, in this order; empty where the column is not asked for, and where there is nothing to say. */
export const ROW_TEXTS = ['size', 'cumulative', 'notional', 'came', 'withdrawn', 'own'] as const;

export type RowTextName = (typeof ROW_TEXTS)[number];

/** Stands between texts; no text holds it. */
export const TEXT_SEPARATOR = '\n';
