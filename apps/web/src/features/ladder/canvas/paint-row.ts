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

export interface RowSetting {
  readonly frame: LadderFrame;
  readonly columns: Columns;
  readonly rowHeight: number;
  readonly bars: BarScale;
  /** How each mark of the frame is drawn, from 1. */
  readonly marks: readonly LaneMark[];
  readonly largeFrom: number;
  /** The size of a full bar, and the depth that fills the width of the numbers. */
  readonly fullSize: number;
  readonly fullDepth: number;
}

export interface RowFacts {
  readonly index: number | undefined;
  readonly y: number;
  readonly price: string;
  readonly side: Side;
  /** The cumulative depth drawn behind the numbers. */
  readonly depth: number;
  readonly content: RowContent | undefined;
  readonly best: boolean;
  /** Its price is the best of the side, whether the row has orders or not. */
  readonly isBestAsk: boolean;
  readonly isBestBid: boolean;
  readonly hovered: boolean;
  readonly selected: boolean;
  /** The keyboard cursor is on it. */
  readonly active: boolean;
  readonly crossed: boolean;
  /** An alert fires when the mid reaches its price. */
  readonly alerted: boolean;
  readonly banded: boolean;
  readonly place: number | undefined;
}

interface RowContent {
  readonly row: LadderRow;
  readonly text: RowText;
  readonly bright: boolean;
}

/** What was drawn of a row: its numbers and its queue. What is equal is not drawn again. */
export interface DrawnRow {
  readonly facts: RowFacts;
  readonly cells: readonly Cell[];
  readonly queue: string;
}

/** The facts that all of a row depends on. Those that are left out change only with these or with a cell. */
const WHOLE_ROW = [
  'index',
  'side',
  'best',
  'isBestAsk',
  'isBestBid',
  'hovered',
  'selected',
  'active',
  'crossed',
  'alerted',
  'banded',
] as const satisfies readonly (keyof RowFacts)[];

function isSameGround(facts: RowFacts, before: RowFacts): boolean {
  // The depth of a row with orders is part of its cells.
  const depthOf = ({ content, depth }: RowFacts) => (content === undefined ? depth : undefined);
  return depthOf(facts) === depthOf(before) && WHOLE_ROW.every((name) => facts[name] === before[name]);
}

/** A number of a row; characters from `changed` on are brighter, and `depth` reaches behind it. */
interface Cell {
  readonly column: Column;
  readonly text: string;
  readonly color: string;
  readonly changed: number;
  readonly depth: number;
}

function isSameCell({ text, changed, depth }: Cell, before: Cell | undefined): boolean {
  return text === before?.text && changed === before.changed && depth === before.depth;
}

function surfaceOf(theme: CanvasTheme, { selected, hovered, banded }: RowFacts): string {
  return selected || banded ? theme.selected : hovered ? theme.hover : theme.surface;
}

/** Draws what changed of a row: most blocks change one number of most rows. */
export function paintRow(brush: Brush, setting: RowSetting, facts: RowFacts, before: DrawnRow | undefined): DrawnRow {
  const { context, theme } = brush;
  const { columns, rowHeight } = setting;
  const { y, place, content, depth } = facts;
  const half = facts.side === 'A' ? columns.asks : columns.bids;
  const cells = content === undefined ? [] : numbersOf(theme, half, content, depth);
  const queue = content === undefined ? '' : queueKey(setting, content.row, place);
  const isWhole = before === undefined || !isSameGround(facts, before.facts);
  const changed = isWhole ? cells : cells.filter((cell, at) => !isSameCell(cell, before.cells[at]));
  const isOtherQueue = isWhole || queue !== before.queue;
  if (!isWhole && !isOtherQueue && changed.length === 0) return before;
  if (isWhole) paintWhole(brush, setting, facts);
  for (const cell of changed) {
    paintGround(brush, setting, facts, cell.column);
    context.font = theme.numberFont;
    brush.number(cell.text, cell.column, brush.baseline(y, rowHeight), cell.color, cell.changed);
  }
  if (content !== undefined && isOtherQueue) paintQueue(brush, setting, half, facts, content.row);
  paintEdges(brush, setting, facts);
  context.fillStyle = theme.accent;
  if (facts.active) {
    context.strokeStyle = theme.accent;
    brush.outline(0, y, columns.width, rowHeight);
  } else if (facts.crossed) {
    // A line above and one below mark the price pointed at in another ladder.
    brush.fillRect(0, y, columns.width, 1);
    brush.fillRect(0, y + rowHeight - 1, columns.width, 1);
  } else if (facts.selected) brush.fillRect(0, y, 2, rowHeight);
  return { facts, cells, queue };
}

/** Draws the ground of a row, its price and, of a price without orders, the depth. */
function paintWhole(brush: Brush, setting: RowSetting, facts: RowFacts): void {
  const { context, theme } = brush;
  const { columns, rowHeight } = setting;
  const { y, side, content, price } = facts;
  const colors = side === 'A' ? theme.ask : theme.bid;
  context.fillStyle = surfaceOf(theme, facts);
  brush.fillRect(0, y, columns.width, rowHeight);
  if (facts.best) {
    context.fillStyle = colors.depth;
    brush.fillRect(columns.price.x, y, columns.price.width, rowHeight);
  }
  const baseline = brush.baseline(y, rowHeight);
  context.font = theme.numberFont;
  brush.number(price, columns.price, baseline, content === undefined ? theme.dim : colors.text, -1, PRICE_PAD);
  if (facts.alerted) paintAlert(brush, columns.price.x, y + rowHeight / 2);
  if (content === undefined) {
    const half = side === 'A' ? columns.asks : columns.bids;
    for (const column of numberColumns(half)) paintGround(brush, setting, facts, column);
  } else if (columns.layout === 'single') {
    // In the one-sided layout a letter tells the sides apart.
    context.font = theme.smallFont;
    context.fillStyle = colors.text;
    context.fillText(side, PAD, baseline);
  }
}

/** A triangle that points at the price of an alert. */
function paintAlert({ context, theme }: Brush, x: number, middle: number): void {
  context.fillStyle = theme.accent;
  context.beginPath();
  context.moveTo(x + 1, middle - 4);
  context.lineTo(x + 8, middle);
  context.lineTo(x + 1, middle + 4);
  context.fill();
}

/** Draws the lines at the best prices, towards the other side. */
function paintEdges(brush: Brush, { columns, rowHeight }: RowSetting, facts: RowFacts): void {
  const { context, theme } = brush;
  const { y } = facts;
  if (facts.isBestAsk) {
    context.fillStyle = theme.ask.mark;
    brush.fillRect(0, y + rowHeight - 1, columns.width, 1);
  }
  if (facts.isBestBid) {
    context.fillStyle = theme.bid.mark;
    brush.fillRect(0, y, columns.width, 1);
  }
}

/** The numbers of a row with orders, without those whose column is not shown. */
function numbersOf(
  theme: CanvasTheme,
  half: SideColumns,
  { text, bright }: RowContent,
  depth: number,
): readonly Cell[] {
  const cells: Cell[] = [];
  const add = (column: Column | undefined, value: string, color: string, changed = -1) => {
    if (column === undefined) return;
    cells.push({ column, text: value, color, changed, depth: depthWithin(half, column, depth) });
  };
  add(half.size, text.size, theme.text, bright ? text.sizeChanged : -1);
  add(half.count, text.count, theme.dim);
  add(half.cumulative, text.cumulative, theme.dim);
  add(half.notional, text.notional, theme.dim);
  add(half.came, text.came, theme.text);
  add(half.withdrawn, text.withdrawn, theme.dim);
  return cells;
}

/** Draws a row's lane, with the place of a watched order. */
function paintQueue(brush: Brush, setting: RowSetting, half: SideColumns, facts: RowFacts, row: LadderRow): void {
  const { context, theme } = brush;
  const { columns, frame, marks, rowHeight } = setting;
  const { y, place } = facts;
  const surface = surfaceOf(theme, facts);
  let bar = 0;
  let folded = 0;
  if (half.lane !== undefined) {
    context.fillStyle = surface;
    brush.fillRect(half.lane.x, y, half.lane.width, rowHeight);
    const side = facts.side === 'A' ? theme.ask : theme.bid;
    folded = paintLane(brush, setting, half, half.lane, side, row, { y, surface, place });
    bar = barLength(setting, half.lane, row);
  }
  const look = { row: { y, height: rowHeight }, surface, marks, bar, folded };
  paintOwnPlace(brush, half, row.own, { ...look, width: columns.width, sizeDecimals: frame.sizeDecimals });
}

/** A text that changes whenever the drawn queue, or a place in it, does. */
function queueKey({ frame, fullSize, largeFrom }: RowSetting, row: LadderRow, place: number | undefined): string {
  const own = row.own === undefined ? '' : JSON.stringify(row.own);
  return `${laneDigest(frame, row)} ${fullSize} ${largeFrom} ${place} ${own}`;
}

/** A digest of the orders of a queue: sizes weighted by place. */
function laneDigest(frame: LadderFrame, { laneStart: start, laneLength, size, count }: LadderRow): number {
  let digest = size + count;
  for (let place = 0; place < laneLength; place += 1) {
    digest = digest * 1.000_1 + (frame.lanes[start + place] ?? 0) + (frame.marks[start + place] ?? 0) * 1.7;
  }
  return digest;
}

/** Width of the depth behind a side's numbers, from the price outward. */
export function depthLength({ columns, fullDepth }: RowSetting, side: Side, depth: number): number {
  const half = side === 'A' ? columns.asks : columns.bids;
  const outer = outermost(half);
  const room = half.mirrored ? half.size.x + half.size.width - outer.x : outer.x + outer.width - half.size.x;
  return Math.round(room * Math.min(1, depth / fullDepth));
}

/** How much of the depth reaches into a number's column: a depth that changes behind one number leaves the others as they are. */
function depthWithin({ mirrored, size }: SideColumns, { x, width }: Column, depth: number): number {
  const reach = mirrored ? depth - (size.x + size.width - x - width) : size.x + depth - x;
  return Math.max(0, Math.min(width, reach));
}

/** Draws the background of one number: the row's surface, and over it its part of the depth. */
function paintGround(brush: Brush, setting: RowSetting, facts: RowFacts, column: Column): void {
  const { context, theme } = brush;
  const { columns, rowHeight } = setting;
  const { y, side } = facts;
  const { x, width } = column;
  const half = side === 'A' ? columns.asks : columns.bids;
  context.fillStyle = surfaceOf(theme, facts);
  brush.fillRect(x, y, width, rowHeight);
  const depth = depthWithin(half, column, facts.depth);
  if (depth === 0) return;
  context.fillStyle = (side === 'A' ? theme.ask : theme.bid).depth;
  brush.fillRect(half.mirrored ? x + width - depth : x, y, depth, rowHeight);
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
    brush.fillRect(start, y + distance, Math.max(brush.hairline, end - start), height - 2 * distance);
  };
  const cap = (from: number, width: number) => {
    context.fillStyle = brush.theme.strong;
    const x = brush.snap(mirrored ? origin - from - width : origin + from);
    brush.fillRect(x, y + 2, Math.max(brush.hairline, width), 1);
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
    brush.fillRect(x - 1, y + 1, Math.max(brush.hairline, at.width) + 2, 2);
    brush.fillRect(x - 1, y + height - 3, Math.max(brush.hairline, at.width) + 2, 2);
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

const FOLDED_GAP = 4;

/** A narrower hollow bar has a top and a bottom, but no sides. */
const HOLLOW_FROM = 5;

/** A segment at least this wide has room for its wallet's letter. */
const LETTER_FROM = 14;

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
    brush.fillRect(x - 2, y + 2, width + 4, height - 4);
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
