import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import { grouped, padded } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import { type Columns, PAD, PRICE_PAD, type SideColumns } from './columns.ts';
import { laneRoom } from './paint-row.ts';
import { fullBarText } from './scale.ts';

/** Height of the column headings, in CSS pixels. */
export const HEADING = 22;

const HEADING_BASELINE = 15;

/** The names of the columns; a lane also says which size fills it. */
export function paintHeading(brush: Brush, columns: Columns, coin: string, fullSize: number): void {
  const { context, theme } = brush;
  context.fillStyle = theme.line;
  context.fillRect(0, HEADING - 1, columns.width, 1);
  context.font = theme.headingFont;
  const heading = (text: string, right: number) => brush.endingAt(text, right, HEADING_BASELINE, theme.dim);
  heading('price', columns.price.x + columns.price.width - PRICE_PAD);
  const isSplit = columns.layout === 'split';
  const halves = isSplit ? [columns.bids, columns.asks] : [columns.asks];
  for (const half of halves) {
    heading('size', half.size.x + half.size.width - PAD);
    if (half.count) heading('n', half.count.x + half.count.width - PAD);
    if (half.cumulative) heading('cum', half.cumulative.x + half.cumulative.width - PAD);
  }
  const scale = `full bar ${fullBarText(fullSize)} ${unitOf(coin)}`;
  if (isSplit) {
    paintLaneHeading(brush, columns.asks, outerEdge(columns.bids), 'ask queue', scale, theme.ask.text);
    paintLaneHeading(brush, columns.bids, outerEdge(columns.asks), 'bid queue', scale, theme.bid.text);
  } else {
    paintLaneHeading(brush, columns.asks, outerEdge(columns.asks), 'queue', scale, theme.dim);
  }
}

/** What a coin's sizes are counted in: the dex it is of is no part of it. */
export function unitOf(coin: string): string {
  return coin.slice(coin.indexOf(':') + 1);
}

/** Where the headings of a half's numbers end. */
function outerEdge({ mirrored, size, count, cumulative }: SideColumns): number {
  const { x, width } = cumulative ?? count ?? size;
  return mirrored ? x : x + width;
}

/** Names a lane at its outer end, and says what fills it, as far as the numbers' headings leave room. */
function paintLaneHeading(
  brush: Brush,
  { lane, laneMirrored }: SideColumns,
  edge: number,
  name: string,
  scale: string,
  color: string,
): void {
  if (lane === undefined) return;
  const { context, theme } = brush;
  const room = laneRoom(lane);
  const end = Math.round(laneMirrored ? lane.x + lane.width - PAD - room : lane.x + PAD + room);
  const free = Math.abs(end - edge) - 2 * PAD;
  const nameWidth = context.measureText(name).width;
  const scaleWidth = context.measureText(scale).width;
  if (nameWidth > free) return;
  const isWhole = nameWidth + PAD + scaleWidth <= free;
  if (!isWhole) {
    context.fillStyle = color;
    context.fillText(name, laneMirrored ? edge - PAD - nameWidth : edge + PAD, HEADING_BASELINE);
    return;
  }
  const start = laneMirrored ? end + 4 : end - 4 - scaleWidth;
  context.fillStyle = theme.dim;
  context.fillText(scale, start, HEADING_BASELINE);
  context.fillStyle = theme.line;
  context.fillRect(end, 6, 1, HEADING - 7);
  context.fillStyle = color;
  context.fillText(name, laneMirrored ? start + scaleWidth + PAD : start - PAD - nameWidth, HEADING_BASELINE);
}

/** The row between the sides. */
export function paintDivider(brush: Brush, columns: Columns, text: string, y: number, rowHeight: number): void {
  const { context, theme } = brush;
  context.fillStyle = theme.surface;
  context.fillRect(0, y, columns.width, rowHeight);
  context.font = theme.smallFont;
  const width = text.length * brush.smallCharWidth;
  const x = Math.max(PAD, Math.round(columns.price.x + columns.price.width / 2 - width / 2));
  const line = Math.round(y + rowHeight / 2);
  context.fillStyle = theme.line;
  context.fillRect(0, line, Math.max(0, x - PAD), 1);
  context.fillRect(x + width + PAD, line, Math.max(0, columns.width - x - width - PAD), 1);
  context.fillStyle = theme.text;
  context.fillText(text, x, brush.baseline(y, rowHeight));
}

/**
 * What stands between the sides: `spread 1.0 · 0.12 bps · mid 81,307.5`. Rows that are pointed at stay where they are;
 * once the market has left this one, arrows say which way.
 */
export function spreadText(frame: LadderFrame): string {
  const { axis, bid, ask } = frame;
  if (bid === undefined && ask === undefined) return 'no orders';
  if (bid === undefined) return 'no bids';
  if (ask === undefined) return 'no asks';
  const decimals = Math.max(decimalsIn(bid.px), decimalsIn(ask.px));
  const shown = (name: 'spread' | 'mid') => grouped(padded(frame.text(name), decimals));
  const text = `spread ${shown('spread')} · ${frame.text('spreadBps')} bps · mid ${shown('mid')}`;
  if (bid.index >= axis.divider) return `↑ ${text} ↑`;
  return ask.index < axis.divider ? `↓ ${text} ↓` : text;
}

function decimalsIn(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}
