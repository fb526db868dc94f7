/** A column: its left edge and its width, in CSS pixels. */
export interface Column {
  readonly x: number;
  readonly width: number;
}

/** One half of the ladder (the whole of it in the one-sided layout). A column that is missing has no room or is off. */
export interface SideColumns {
  /** Whether columns run outward to the left, as the bids' do beside a price in the middle. */
  readonly mirrored: boolean;
  readonly size: Column;
  readonly count: Column | undefined;
  readonly cumulative: Column | undefined;
  readonly lane: Column | undefined;
}

export interface Columns {
  readonly layout: 'split' | 'single';
  readonly width: number;
  readonly price: Column;
  readonly bids: SideColumns;
  readonly asks: SideColumns;
}

/** Widths of the texts, in characters. */
export interface TextWidths {
  readonly price: number;
  readonly size: number;
  readonly count: number;
  readonly cumulative: number;
}

export interface ColumnChoice {
  readonly layout: 'split' | 'single';
  readonly count: boolean;
  readonly cumulative: boolean;
  readonly lane: boolean;
}

/** Room beside the numbers of a column, and beside the price. */
export const PAD = 8;
export const PRICE_PAD = 12;
/** A narrower lane shows nothing worth its room. */
const LANE_MIN = 72;
/** Two sides need a ladder this wide: below it, one side with a lane worth its name says more. */
const SPLIT_MIN = 560;
/** The one-sided layout carries the side's letter before the price. */
const LETTER = 20;

/**
 * Where everything stands at this width. What does not fit goes in order of worth: cumulative size, then the count,
 * then the lane; price and size always stay, and where two sides do not fit there is one.
 */
export function columnsFor(width: number, charWidth: number, texts: TextWidths, choice: ColumnChoice): Columns {
  const needed = {
    price: texts.price * charWidth + 2 * PRICE_PAD,
    size: texts.size * charWidth + 2 * PAD,
    count: texts.count * charWidth + 2 * PAD,
    cumulative: texts.cumulative * charWidth + 2 * PAD,
  };
  const splitFits = width >= SPLIT_MIN && width >= needed.price + 2 * (needed.size + (choice.lane ? LANE_MIN : 0));
  return choice.layout === 'split' && splitFits ? split(width, needed, choice) : single(width, needed, choice);
}

type Needed = Record<keyof TextWidths, number>;

function split(width: number, needed: Needed, choice: ColumnChoice): Columns {
  const price = { x: Math.round((width - needed.price) / 2), width: Math.round(needed.price) };
  const half = width - price.x - price.width;
  const kept = fitting(half, needed, choice);
  return {
    layout: 'split',
    width,
    price,
    bids: side(price.x, -1, price.x, needed, kept),
    asks: side(price.x + price.width, 1, half, needed, kept),
  };
}

function single(width: number, needed: Needed, choice: ColumnChoice): Columns {
  const price = { x: LETTER, width: Math.round(needed.price) };
  const rest = width - price.x - price.width;
  const both = side(price.x + price.width, 1, rest, needed, fitting(rest, needed, choice));
  return { layout: 'single', width, price, bids: both, asks: both };
}

type Kept = Pick<ColumnChoice, 'count' | 'cumulative' | 'lane'>;

function fitting(room: number, needed: Needed, choice: Kept): Kept {
  const lane = choice.lane && room >= needed.size + LANE_MIN;
  let left = room - needed.size - (lane ? LANE_MIN : 0);
  const count = choice.count && left >= needed.count;
  if (count) left -= needed.count;
  return { lane, count, cumulative: choice.cumulative && left >= needed.cumulative };
}

/** Columns from the price outward. */
function side(edge: number, direction: 1 | -1, room: number, needed: Needed, kept: Kept): SideColumns {
  let used = 0;
  const take = (width: number): Column => {
    const at = used;
    used += Math.round(width);
    return direction === 1 ? { x: edge + at, width: used - at } : { x: edge - used, width: used - at };
  };
  const size = take(needed.size);
  const count = kept.count ? take(needed.count) : undefined;
  const cumulative = kept.cumulative ? take(needed.cumulative) : undefined;
  const lane = kept.lane ? take(Math.floor(room) - used) : undefined;
  return { mirrored: direction === -1, size, count, cumulative, lane };
}
