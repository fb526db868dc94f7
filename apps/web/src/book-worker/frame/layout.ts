/**
 * One frame of the ladder in one buffer: a header of numbers, then a few numbers per row, then the sizes of the orders in the
 * queue lanes, then one mark byte per order, then all texts the rows show. The worker packs it and the page reads it; neither
 * copies it on the way. The numbers are for drawing and positions only; amounts are shown from the texts, which are exact.
 */

/** Header fields, as indices in doubles. */
export const HEADER = {
  /** The request that this frame responds to: the page drops responses to older ones. */
  serial: 0,
  /** The choice of coin that this frame belongs to. */
  generation: 1,
  /** Increases with every change that could affect a frame. */
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
  /** Decimals with which sizes of this book are shown. */
  sizeDecimals: 13,
  laneSizes: 14,
  textBytes: 15,
  /** 1 when the book is held at a block (pause). */
  frozen: 16,
  /** How much is known of the time whose changes the rows carry, in ms; NaN if they carry none. */
  flowMs: 17,
  /** The tick as a whole number of 10 to the minus `tickDecimals`, so that rows can be counted without decoding a text. */
  tickUnits: 18,
  tickDecimals: 19,
} as const;

export const HEADER_LENGTH = 20;

/** Row fields, as indices in doubles. */
export const ROW = { index: 0, size: 1, cumulative: 2, count: 3, lane: 4, laneLength: 5 } as const;

export const ROW_LENGTH = 6;

/** Texts before those of the rows, in this order; each row adds those of `ROW_TEXTS`. */
export const TEXTS = ['coin', 'tick', 'epoch', 'bid', 'ask', 'spread', 'spreadBps', 'mid'] as const;

export type FrameText = (typeof TEXTS)[number];

/** Texts of a row, in this order; empty if the column is not requested or has no value. */
export const ROW_TEXTS = ['size', 'cumulative', 'notional', 'came', 'withdrawn', 'own'] as const;

export type RowTextName = (typeof ROW_TEXTS)[number];

/** Separates texts; no text contains it. */
export const TEXT_SEPARATOR = '\n';
