import type { DecimalString } from '@l4desk/protocol';

export interface Column {
  readonly x: number;
  readonly width: number;
}

/** The columns of one side's rows. A missing column has no room or is switched off. */
export interface SideColumns {
  /** Whether the numbers run outward to the left, as the bids' do when the price is in the middle. */
  readonly mirrored: boolean;
  readonly size: Column;
  readonly count: Column | undefined;
  readonly cumulative: Column | undefined;
  readonly notional: Column | undefined;
  /** The sizes that came and were withdrawn lately: both or neither, because one says little without the other. */
  readonly came: Column | undefined;
  readonly withdrawn: Column | undefined;
  /** The queue. With two sides it has the half that the numbers leave free, with its front at the price. */
  readonly lane: Column | undefined;
  readonly laneMirrored: boolean;
}

export interface Columns {
  readonly layout: 'split' | 'single';
  readonly width: number;
  readonly price: Column;
  readonly bids: SideColumns;
  readonly asks: SideColumns;
}

export interface TextWidths {
  readonly price: number;
  readonly size: number;
  readonly count: number;
  readonly cumulative: number;
  readonly notional: number;
  /** Of each of the two columns of what moved. */
  readonly flow: number;
}

export interface ColumnChoice {
  readonly layout: 'split' | 'single';
  readonly count: boolean;
  readonly cumulative: boolean;
  /** Per row, or summed over the row and all better rows. */
  readonly notional: 'none' | 'row' | 'cumulative';
  readonly flow: boolean;
  readonly lane: boolean;
  readonly large: 'none' | 'p99' | DecimalString;
}

export const PAD = 8;
export const PRICE_PAD = 12;
/** A lane narrower than this is not worth its room. */
const LANE_MIN = 72;
/** With one side the lane keeps at least this share of the width: the numbers beside it have to fit into the rest. */
const LANE_SHARE = 0.3;
/** A ladder as narrow as on a phone leaves a larger share to the lane, and never shows the recent changes. */
const NARROW = 480;
const LANE_SHARE_NARROW = 0.4;
/** Two sides need at least this width: below it, one side with all its columns is more useful. */
export const SPLIT_MIN = 560;
/** Room for the side's letter before the price in the one-sided layout. */
const LETTER = 20;

/**
 * Lays out the columns at this width. Columns that do not fit are dropped in this order: those of what moved, the
 * notional, cumulative size, the count, the lane. Price and size always stay; if two sides do not fit, one is shown.
 */
export function columnsFor(width: number, charWidth: number, texts: TextWidths, choice: ColumnChoice): Columns {
  // Whole pixels from the start: columns whose sum fits would exceed the room by a pixel if each was rounded later.
  const pixels = (characters: number, pad: number) => Math.round(characters * charWidth + 2 * pad);
  const needed = {
    price: pixels(texts.price, PRICE_PAD),
    size: pixels(texts.size, PAD),
    count: pixels(texts.count, PAD),
    cumulative: pixels(texts.cumulative, PAD),
    notional: pixels(texts.notional, PAD),
    flow: pixels(texts.flow, PAD),
  };
  const splitFits = width >= SPLIT_MIN && width >= needed.price + 2 * needed.size;
  return choice.layout === 'split' && splitFits ? split(width, needed, choice) : single(width, needed, choice);
}

type Needed = Record<keyof TextWidths, number>;

function split(width: number, needed: Needed, choice: ColumnChoice): Columns {
  const price = { x: Math.round((width - needed.price) / 2), width: needed.price };
  const left = price.x;
  const right = price.x + price.width;
  const half = Math.min(left, width - right);
  const kept = fitting(half, needed, { ...choice, lane: false, flow: width >= NARROW && choice.flow });
  const lane = (x: number, room: number) => (choice.lane ? { x, width: room } : undefined);
  return {
    layout: 'split',
    width,
    price,
    bids: { ...numbers(left, -1, needed, kept).columns, lane: lane(right, width - right), laneMirrored: false },
    asks: { ...numbers(right, 1, needed, kept).columns, lane: lane(0, left), laneMirrored: true },
  };
}

function single(width: number, needed: Needed, choice: ColumnChoice): Columns {
  const price = { x: LETTER, width: needed.price };
  const left = price.x + price.width;
  const isNarrow = width < NARROW;
  const share = isNarrow ? LANE_SHARE_NARROW : LANE_SHARE;
  const kept = fitting(width - left, needed, { ...choice, flow: !isNarrow && choice.flow }, share);
  const { columns, used } = numbers(left, 1, needed, kept);
  const lane = kept.lane ? { x: left + used, width: Math.floor(width - left) - used } : undefined;
  const both = { ...columns, lane, laneMirrored: false };
  return { layout: 'single', width, price, bids: both, asks: both };
}

interface Kept {
  readonly count: boolean;
  readonly cumulative: boolean;
  readonly notional: boolean;
  readonly flow: boolean;
  readonly lane: boolean;
}

function fitting(room: number, needed: Needed, choice: ColumnChoice, laneShare = LANE_SHARE): Kept {
  const lane = choice.lane && room >= needed.size + LANE_MIN;
  let left = room - needed.size - (lane ? Math.max(LANE_MIN, room * laneShare) : 0);
  // Once a column has no room, no later one takes its place: they would swap as their numbers grow.
  let isFull = false;
  const take = (wanted: boolean, width: number) => {
    if (!wanted || isFull) return false;
    isFull = left < width;
    if (!isFull) left -= width;
    return !isFull;
  };
  const { count, cumulative } = choice;
  return {
    lane,
    count: take(count, needed.count),
    cumulative: take(cumulative, needed.cumulative),
    notional: take(choice.notional !== 'none', needed.notional),
    flow: take(choice.flow, 2 * needed.flow),
  };
}

/** Lays out number columns from the price outward, and computes their total width. */
function numbers(edge: number, direction: 1 | -1, needed: Needed, kept: Kept) {
  let used = 0;
  const take = (width: number): Column => {
    const at = used;
    used += width;
    return direction === 1 ? { x: edge + at, width: used - at } : { x: edge - used, width: used - at };
  };
  const size = take(needed.size);
  const count = kept.count ? take(needed.count) : undefined;
  const cumulative = kept.cumulative ? take(needed.cumulative) : undefined;
  const notional = kept.notional ? take(needed.notional) : undefined;
  const came = kept.flow ? take(needed.flow) : undefined;
  const withdrawn = kept.flow ? take(needed.flow) : undefined;
  return { columns: { mirrored: direction === -1, size, count, cumulative, notional, came, withdrawn }, used };
}

export function numberColumns(side: SideColumns): readonly Column[] {
  const { size, count, cumulative, notional, came, withdrawn } = side;
  return [size, count, cumulative, notional, came, withdrawn].filter((column) => column !== undefined);
}

export function outermost(side: SideColumns): Column {
  return side.withdrawn ?? side.notional ?? side.cumulative ?? side.count ?? side.size;
}
