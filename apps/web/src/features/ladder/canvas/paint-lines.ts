import { decimalsOf } from '@l4desk/decimal';
import { barLag } from '../../../book-worker/axis.ts';
import { FLOW_MS, type LadderFrame } from '../../../book-worker/ladder-frame.ts';
import type { Direction } from '../../../book-worker/position.ts';
import { grouped, padded } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import {
  type Column,
  type ColumnChoice,
  type Columns,
  PAD,
  PRICE_PAD,
  type SideColumns,
  SPLIT_MIN,
} from './columns.ts';
import { laneRoom } from './lane.ts';
import { fullBarText } from './scale.ts';

export const HEADING = 22;

/** Height of all lines of headings: with two sides there is a second one below the rows. */
export function headingsHeight(layout: ColumnChoice['layout'], width: number): number {
  return layout === 'split' && width >= SPLIT_MIN ? 2 * HEADING : HEADING;
}

const HEADING_BASELINE = 15;

interface HeadingFacts {
  readonly coin: string;
  readonly fullSize: number;
  /** How much is known of the time whose changes the rows have; undefined if they have none. */
  readonly flowMs: number | undefined;
}

/** The time over which the changes count: `5 s`, or `2 of 5 s` while less of it is known. */
export function flowSpan(knownMs = 0): string {
  const span = `${FLOW_MS / 1_000} s`;
  return knownMs >= FLOW_MS ? span : `${Math.floor(knownMs / 1_000)} of ${span}`;
}

/**
 * Draws the column names over the rows. With two sides these are those of the asks, whose rows are above; those of the bids are at
 * the lower edge, below their rows.
 */
export function paintHeading(
  brush: Brush,
  columns: Columns,
  choice: Pick<ColumnChoice, 'notional'>,
  facts: HeadingFacts,
): void {
  const { theme } = brush;
  const isSplit = columns.layout === 'split';
  paintNames(brush, columns, columns.asks, choice, facts, {
    y: 0,
    name: isSplit ? 'ask queue' : 'queue',
    color: isSplit ? theme.ask.text : theme.dim,
  });
  if (isSplit) {
    const y = brush.height - HEADING;
    paintNames(brush, columns, columns.bids, choice, facts, { y, name: 'bid queue', color: theme.bid.text });
  }
}

/** One line of headings: where it is, and the name of its lane. */
interface HeadingLine {
  readonly y: number;
  readonly name: string;
  readonly color: string;
}

function paintNames(
  brush: Brush,
  columns: Columns,
  half: SideColumns,
  choice: Pick<ColumnChoice, 'notional'>,
  { coin, fullSize, flowMs }: HeadingFacts,
  line: HeadingLine,
): void {
  const { context, theme } = brush;
  const { y } = line;
  context.fillStyle = theme.surface;
  brush.fillRect(0, y, columns.width, HEADING);
  context.fillStyle = theme.line;
  brush.fillRect(0, y === 0 ? HEADING - 1 : y, columns.width, 1);
  context.font = theme.headingFont;
  const heading = (text: string, { x, width }: Column, pad = PAD) =>
    brush.endingAt(text, x + width - pad, y + HEADING_BASELINE, theme.dim);
  heading('price', columns.price, PRICE_PAD);
  heading('size', half.size);
  if (half.count) heading('n', half.count);
  if (half.cumulative) heading('cum', half.cumulative);
  if (half.notional) heading(choice.notional === 'cumulative' ? 'cum ntl' : 'ntl', half.notional);
  if (half.came) heading(`+ ${flowSpan(flowMs)}`, half.came);
  if (half.withdrawn) heading(`− ${flowSpan(flowMs)}`, half.withdrawn);
  const scale = `full bar ${fullBarText(fullSize)} ${unitOf(coin)}`;
  if (half.lane !== undefined) paintLaneHeading(brush, half.lane, half.laneMirrored, scale, line);
}

export function unitOf(coin: string): string {
  return coin.slice(coin.indexOf(':') + 1);
}

/** Draws a lane's heading: its name where the bars begin and, if there is room, the size of a full bar at the end of the longest. */
function paintLaneHeading(
  brush: Brush,
  lane: Column,
  mirrored: boolean,
  scale: string,
  { y, name, color }: HeadingLine,
): void {
  const { context, theme } = brush;
  const room = laneRoom(lane);
  const inner = mirrored ? lane.x + lane.width : lane.x;
  const end = Math.round(mirrored ? inner - PAD - room : inner + PAD + room);
  const nameWidth = context.measureText(name).width;
  const scaleWidth = context.measureText(scale).width;
  const free = room - nameWidth;
  const baseline = y + HEADING_BASELINE;
  context.fillStyle = color;
  if (free >= 0) context.fillText(name, mirrored ? inner - PAD - nameWidth : inner + PAD, baseline);
  if (PAD + scaleWidth + SCALE_GAP > free) return;
  context.fillStyle = theme.dim;
  context.fillText(scale, mirrored ? end + SCALE_GAP : end - SCALE_GAP - scaleWidth, baseline);
  context.fillStyle = theme.line;
  brush.fillRect(end, y + 6, 1, HEADING - 7);
}

const SCALE_GAP = 4;

/** The bar between the best prices: its row, and what it says. */
interface MidBar {
  readonly y: number;
  readonly height: number;
  /** Empty while a side has no orders. */
  readonly mid: string;
  readonly direction: Direction | undefined;
  readonly spread: string;
}

/** Draws the mid, its direction and the spread; at the end is the handle from which a sweep is drawn. */
export function paintMidBar(brush: Brush, columns: Columns, { y, height, mid, direction, spread }: MidBar): void {
  const { context, theme } = brush;
  const { width, price } = columns;
  context.fillStyle = theme.hover;
  brush.fillRect(0, y, width, height);
  const middle = y + height / 2;
  const color = direction === undefined ? theme.text : theme[direction === 'up' ? 'bid' : 'ask'].text;
  context.font = theme.priceFont;
  const midWidth = context.measureText(mid).width;
  const isSplit = columns.layout === 'split';
  let x = isSplit ? Math.round(price.x + (price.width - midWidth) / 2) : PAD;
  context.fillStyle = color;
  context.fillText(mid, x, Math.round(middle + 6));
  x += midWidth + PAD;
  if (direction !== undefined) arrow(brush, x + ARROW / 2, middle, direction === 'up' ? -1 : 1);
  if (mid !== '') x += ARROW + PAD;
  const handle = width - PAD - GRIP;
  for (const at of [-3, 0, 3]) brush.fillRect(handle, Math.round(middle + at), GRIP, 1);
  context.font = theme.smallFont;
  const shown = fitting(spread, (handle - PAD - x) / brush.smallCharWidth);
  context.fillStyle = theme.text;
  context.fillText(shown, x, Math.round(middle + 4));
  context.font = theme.headingFont;
  const left = x + shown.length * brush.smallCharWidth + 2 * PAD;
  if (handle - PAD - context.measureText(HANDLE).width > left)
    brush.endingAt(HANDLE, handle - PAD, Math.round(middle + 4), theme.dim);
}

const HANDLE = 'drag up to buy, down to sell';

const GRIP = 12;
const ARROW = 8;

function arrow({ context }: Brush, x: number, y: number, by: 1 | -1): void {
  context.beginPath();
  context.moveTo(x - ARROW / 2, y - (by * ARROW) / 2);
  context.lineTo(x + ARROW / 2, y - (by * ARROW) / 2);
  context.lineTo(x, y + (by * ARROW) / 2);
  context.fill();
}

/** As many of the spread's parts as fit, possibly none. */
function fitting(text: string, chars: number): string {
  const parts = text.split(' · ');
  while (parts.length > 0 && parts.join(' · ').length > chars) parts.pop();
  return parts.join(' · ');
}

/** What the bar states beside the mid: `spread 1.0 · 0.12 bps`, and before it where the market is if it left the held rows. */
export function besideMid(frame: LadderFrame): string {
  const lag = barLag(frame.axis, frame.touch);
  const spread = spreadText(frame);
  if (lag === 0) return spread;
  return `rows held, market ${Math.abs(lag)} ${lag > 0 ? 'up' : 'down'} · ${spread}`;
}

function spreadText({ bid, ask, spread, spreadBps }: LadderFrame): string {
  if (bid === undefined && ask === undefined) return 'no orders';
  if (bid === undefined) return 'no bids';
  if (ask === undefined) return 'no asks';
  const decimals = Math.max(decimalsOf(bid), decimalsOf(ask));
  return `spread ${grouped(padded(spread, decimals))} · ${spreadBps} bps`;
}

/** The mid with one decimal more than the tick at least, so that its digits keep their places. */
export function midOf({ grid, mid }: LadderFrame): string {
  return mid === '' ? '' : grouped(padded(mid, decimalsOf(grid.tick) + 1));
}
