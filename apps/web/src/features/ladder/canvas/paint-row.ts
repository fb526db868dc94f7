import type { Side } from '@l4desk/protocol';
import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import { GHOST_MARK } from '../../../book-worker/watched.ts';
import { grouped } from '../../../ui/format.ts';
import type { Brush, Extent } from './brush.ts';
import { type Column, type Columns, numberColumns, outermost, PAD, PRICE_PAD, type SideColumns } from './columns.ts';
import { laneOf, laneRoom } from './lane.ts';
import { paintOwnPlace } from './paint-own.ts';
import type { RowText } from './row-text.ts';
import { type BarScale, barShare } from './scale.ts';
import type { CanvasTheme, LaneMark, SideTheme } from './theme.ts';

/** Settings shared by all rows of a frame. */
export interface RowSetting {
  readonly frame: LadderFrame;
  readonly columns: Columns;
  readonly rowHeight: number;
  readonly bars: BarScale;
  /** How each mark of the frame is drawn, from 1. */
  readonly marks: readonly LaneMark[];
  /** Orders of at least this size are large. */
  readonly largeFrom: number;
  /** The size of a full bar, and the depth that fills the width of the numbers. */
  readonly fullSize: number;
  readonly fullDepth: number;
}

/** The values of one row. */
export interface RowFacts {
  readonly y: number;
  readonly price: string;
  readonly side: Side;
  /** The cumulative depth drawn behind the numbers. */
  readonly depth: number;
  /** The row and its texts; undefined for a price without orders. */
  readonly content: RowContent | undefined;
  /** It is the best price of its side. */
  readonly best: boolean;
  /** Its price is the best of the side, whether the row has orders or not. */
  readonly isBestAsk: boolean;
  readonly isBestBid: boolean;
  readonly hovered: boolean;
  readonly selected: boolean;
  /** The keyboard cursor is on it. */
  readonly active: boolean;
  /** Another ladder points at this price. */
  readonly crossed: boolean;
  /** It is within the measured or swept prices. */
  readonly banded: boolean;
  /** The place in the lane that is pointed at. */
  readonly place: number | undefined;
}

interface RowContent {
  readonly row: LadderRow;
  readonly text: RowText;
  readonly bright: boolean;
}

/** Parts of a row that are drawn separately: most blocks change one number of most rows. */
export const CELL = {
  size: 1,
  count: 2,
  cumulative: 4,
  lane: 8,
  notional: 16,
  came: 32,
  withdrawn: 64,
  all: 128,
} as const;

function surfaceOf(theme: CanvasTheme, { selected, hovered, banded }: RowFacts): string {
  return selected || banded ? theme.selected : hovered ? theme.hover : theme.surface;
}

/** Draws a row, or only the cells that changed. */
export function paintRow(brush: Brush, setting: RowSetting, facts: RowFacts, cells: number): void {
  const { context, theme } = brush;
  const { columns, rowHeight } = setting;
  const { y, content, side, depth } = facts;
  const half = side === 'A' ? columns.asks : columns.bids;
  const colors = side === 'A' ? theme.ask : theme.bid;
  const surface = surfaceOf(theme, facts);
  const whole = (cells & CELL.all) !== 0;
  if (whole) {
    context.fillStyle = surface;
    context.fillRect(0, y, columns.width, rowHeight);
    const color = content === undefined ? theme.dim : colors.text;
    if (facts.best) {
      context.fillStyle = colors.depth;
      context.fillRect(columns.price.x, y, columns.price.width, rowHeight);
    }
    context.font = theme.numberFont;
    brush.number(facts.price, columns.price, brush.baseline(y, rowHeight), color, -1, PRICE_PAD);
    if (content === undefined) {
      for (const column of numberColumns(half)) {
        paintGround(brush, half, column, depth, colors.depth, surface, y, rowHeight);
      }
    }
  }
  if (content !== undefined) paintContent(brush, setting, facts, content, half, colors, cells, surface);
  paintEdges(brush, setting, facts);
  if (facts.active) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 1;
    context.strokeRect(0.5, y + 0.5, columns.width - 1, rowHeight - 1);
  } else if (facts.crossed) {
    // A line above and one below mark the price pointed at in another ladder.
    context.fillStyle = theme.accent;
    context.fillRect(0, y, columns.width, 1);
    context.fillRect(0, y + rowHeight - 1, columns.width, 1);
  } else if (facts.selected && whole) {
    context.fillStyle = theme.accent;
    context.fillRect(0, y, 2, rowHeight);
  }
}

/** Draws the lines at the best prices, towards the other side. */
function paintEdges({ context, theme }: Brush, { columns, rowHeight }: RowSetting, { y, ...facts }: RowFacts): void {
  if (facts.isBestAsk) {
    context.fillStyle = theme.ask.mark;
    context.fillRect(0, y + rowHeight - 1, columns.width, 1);
  }
  if (facts.isBestBid) {
    context.fillStyle = theme.bid.mark;
    context.fillRect(0, y, columns.width, 1);
  }
}

function paintContent(
  brush: Brush,
  setting: RowSetting,
  facts: RowFacts,
  content: RowContent,
  half: SideColumns,
  side: SideTheme,
  cells: number,
  surface: string,
): void {
  const { context, theme } = brush;
  const { frame, columns, rowHeight } = setting;
  const { y, depth, place } = facts;
  const { row, text, bright } = content;
  const baseline = brush.baseline(y, rowHeight);
  const whole = (cells & CELL.all) !== 0;
  const wants = (cell: number) => whole || (cells & cell) !== 0;
  const number = (value: string, column: Column, color: string, changed = -1) => {
    paintGround(brush, half, column, depth, side.depth, surface, y, rowHeight);
    brush.number(value, column, baseline, color, changed);
  };
  context.font = theme.numberFont;
  if (wants(CELL.size)) number(text.size, half.size, theme.text, bright ? text.sizeChanged : -1);
  if (half.count && wants(CELL.count)) number(text.countText, half.count, theme.dim);
  if (half.cumulative && wants(CELL.cumulative)) number(text.cumulative, half.cumulative, theme.dim);
  if (half.notional && wants(CELL.notional)) number(text.notional, half.notional, theme.dim);
  if (half.came && wants(CELL.came)) number(text.came, half.came, theme.text);
  if (half.withdrawn && wants(CELL.withdrawn)) number(text.withdrawn, half.withdrawn, theme.dim);
  if (wants(CELL.lane)) {
    let bar = 0;
    let folded = 0;
    if (half.lane) {
      context.fillStyle = surface;
      context.fillRect(half.lane.x, y, half.lane.width, rowHeight);
      folded = paintLane(brush, setting, half, half.lane, side, row, { y, surface, place });
      bar = barLength(setting, half.lane, row);
    }
    const { width } = columns;
    const { marks } = setting;
    const { sizeDecimals } = frame;
    paintOwnPlace(brush, half, text.own, {
      width,
      row: { y, height: rowHeight },
      surface,
      marks,
      sizeDecimals,
      bar,
      folded,
    });
  }
  if (whole && columns.layout === 'single') {
    // In the one-sided layout a letter tells the sides apart.
    context.font = theme.smallFont;
    context.fillStyle = side.text;
    context.fillText(row.side, PAD, baseline);
  }
}

/** Width of the depth behind a side's numbers, from the price outward. */
export function depthLength({ columns, fullDepth }: RowSetting, side: Side, depth: number): number {
  const half = side === 'A' ? columns.asks : columns.bids;
  const outer = outermost(half);
  const room = half.mirrored ? half.size.x + half.size.width - outer.x : outer.x + outer.width - half.size.x;
  return Math.round(room * Math.min(1, depth / fullDepth));
}

/** Draws the background of one number: the row's surface, and over it the part of the depth that reaches into its column. */
function paintGround(
  { context }: Brush,
  { mirrored, size }: SideColumns,
  { x, width }: Column,
  depth: number,
  depthColor: string,
  surface: string,
  y: number,
  rowHeight: number,
): void {
  context.fillStyle = surface;
  context.fillRect(x, y, width, rowHeight);
  const from = mirrored ? Math.max(x, size.x + size.width - depth) : x;
  const to = mirrored ? x + width : Math.min(x + width, size.x + depth);
  if (to <= from) return;
  context.fillStyle = depthColor;
  context.fillRect(from, y, to - from, rowHeight);
}

function barLength({ fullSize, bars }: RowSetting, lane: Column, row: LadderRow): number {
  return Math.max(2, laneRoom(lane) * barShare(row.size, fullSize, bars));
}

interface LaneLook {
  readonly y: number;
  readonly surface: string;
  readonly place: number | undefined;
}

/**
 * Draws the row's queue: one segment per order from the front; the tail is folded into its number. Returns the width of that number
 * with its distance from the bar.
 */
function paintLane(
  brush: Brush,
  setting: RowSetting,
  { laneMirrored: mirrored }: SideColumns,
  lane: Column,
  theme: SideTheme,
  row: LadderRow,
  { y, surface, place: pointed }: LaneLook,
): number {
  const { context } = brush;
  const { frame, rowHeight: height, marks, fullSize } = setting;
  const total = row.size;
  const length = barLength(setting, lane, row);
  const shape = laneOf(frame, row, length);
  const origin = mirrored ? lane.x + lane.width - PAD : lane.x + PAD;
  const bar = (from: number, width: number, distance = 4) => {
    const start = brush.snap(mirrored ? origin - from - width : origin + from);
    const end = brush.snap(mirrored ? origin - from : origin + from + width);
    context.fillRect(start, y + distance, Math.max(brush.hairline, end - start), height - 2 * distance);
  };
  const cap = (from: number, width: number) => {
    context.fillStyle = brush.theme.strong;
    const x = brush.snap(mirrored ? origin - from - width : origin + from);
    context.fillRect(x, y + 2, Math.max(brush.hairline, width), 1);
    context.fillStyle = plain;
  };
  const start = row.laneStart;
  const plain = brush.mark(theme);
  context.fillStyle = plain;
  for (const [place, { from, width }] of shape.segments.entries()) {
    const mark = frame.marks[start + place] ?? 0;
    if (mark === 0) {
      bar(from, width);
      if ((frame.lanes[start + place] ?? 0) >= setting.largeFrom) cap(from, width);
      continue;
    }
    const ghost = mark === GHOST_MARK;
    const watched = ghost ? undefined : marks[mark - 1];
    context.fillStyle = ghost ? theme.depth : watched === undefined ? plain : brush.watched(watched);
    // A watched order is taller than its neighbours, a ghost shorter, so that colour is not the only difference.
    bar(from, width, ghost ? 6 : 2);
    if (watched?.pattern === 'hollow') {
      const edge = width < HOLLOW_FROM ? 0 : 1;
      context.fillStyle = surface;
      bar(from + edge, width - 2 * edge, 5);
    }
    if (watched !== undefined && width >= LETTER_FROM) {
      const middle = mirrored ? origin - from - width / 2 : origin + from + width / 2;
      paintLetter(brush, watched, middle, { y, height }, surface);
    }
    context.fillStyle = plain;
  }
  const { tail } = shape;
  if (tail !== undefined) {
    context.fillStyle = theme.tail;
    bar(tail.from, tail.width);
    const watched = watchedBehind(setting, start + shape.segments.length, start + row.laneLength);
    if (watched !== undefined) {
      context.fillStyle = brush.theme.wallets[watched.hue];
      bar(tail.from, Math.min(tail.width, TAIL_MARK), 2);
    }
  }
  const at = pointed === undefined ? undefined : (shape.segments[pointed] ?? tail);
  if (at !== undefined) {
    // The order pointed at is framed above and below, and extends beyond all others.
    context.fillStyle = brush.theme.accent;
    const x = brush.snap(mirrored ? origin - at.from - at.width : origin + at.from);
    context.fillRect(x - 1, y + 1, Math.max(brush.hairline, at.width) + 2, 2);
    context.fillRect(x - 1, y + height - 3, Math.max(brush.hairline, at.width) + 2, 2);
  }
  if (total > fullSize)
    paintBreak(brush, mirrored ? origin - length : origin + length, mirrored, y + 2, y + height - 2, surface);
  if (tail === undefined) return 0;
  const label = `+${grouped(String(tail.orders))}`;
  const end = tail.from + tail.width + FOLDED_GAP;
  const width = label.length * brush.smallCharWidth;
  const x = mirrored ? origin - end - width : origin + end;
  context.font = brush.theme.smallFont;
  context.fillStyle = brush.theme.dim;
  context.fillText(label, x, brush.baseline(y, height));
  return FOLDED_GAP + width;
}

/** Between a bar and the number of folded orders, px. */
const FOLDED_GAP = 4;

/** A narrower hollow bar has a top and a bottom, but no sides. */
const HOLLOW_FROM = 5;

/** A segment at least this wide has room for its wallet's letter. */
const LETTER_FROM = 14;

/** Draws the letter of a watched wallet in the middle of its segment. */
function paintLetter(
  brush: Brush,
  { hue, pattern, letter }: LaneMark,
  middle: number,
  { y, height }: Extent,
  surface: string,
): void {
  const { context, theme } = brush;
  context.font = theme.smallFont;
  const width = brush.smallWidth(letter);
  const x = Math.round(middle - width / 2);
  const color = theme.wallets[hue];
  if (pattern !== 'hollow' && pattern !== 'plain') {
    context.fillStyle = color;
    context.fillRect(x - 2, y + 2, width + 4, height - 4);
  }
  context.fillStyle = pattern === 'hollow' ? color : surface;
  context.fillText(letter, x, brush.baseline(y, height));
}

/** Width of the mark on a tail that hides a watched order. */
const TAIL_MARK = 3;

/** The mark of the first watched order among those without a segment of their own. */
function watchedBehind({ frame, marks }: RowSetting, from: number, to: number): LaneMark | undefined {
  for (let at = from; at < to; at += 1) {
    const watched = marks[(frame.marks[at] ?? 0) - 1];
    if (watched !== undefined) return watched;
  }
  return undefined;
}

/** Position, from the outer end, and width of the two cuts in a bar that is longer than can be shown. */
const BREAK_AT = 14;
const CUT = 3;

/** Marks a bar as broken: its size exceeds the full bar. */
function paintBreak(
  { context }: Brush,
  end: number,
  mirrored: boolean,
  top: number,
  bottom: number,
  surface: string,
): void {
  context.fillStyle = surface;
  for (const at of [BREAK_AT, BREAK_AT - 2 * CUT]) {
    const x = mirrored ? end + at : end - at;
    context.beginPath();
    context.moveTo(x, bottom);
    context.lineTo(x + CUT, top);
    context.lineTo(x + 2 * CUT, top);
    context.lineTo(x + CUT, bottom);
    context.fill();
  }
}
