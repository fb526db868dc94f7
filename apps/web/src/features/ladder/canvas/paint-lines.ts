import type { LadderFrame } from '../../../live/frame/read-frame.ts';
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
  const halves = columns.layout === 'single' ? [columns.asks] : [columns.bids, columns.asks];
  for (const half of halves) {
    heading('size', half.size.x + half.size.width - PAD);
    if (half.count) heading('n', half.count.x + half.count.width - PAD);
    if (half.cumulative) heading('cum', half.cumulative.x + half.cumulative.width - PAD);
    paintLaneHeading(brush, half, columns.layout === 'split', `${fullBarText(fullSize)} ${coin}`);
  }
}

function paintLaneHeading(brush: Brush, half: SideColumns, isSplit: boolean, scale: string): void {
  const { lane, mirrored } = half;
  if (lane === undefined) return;
  const { context, theme } = brush;
  const side = mirrored ? theme.bid : theme.ask;
  const name = isSplit ? (mirrored ? 'bid queue' : 'ask queue') : 'queue';
  const room = laneRoom(lane);
  const nameWidth = context.measureText(name).width;
  const scaleWidth = context.measureText(scale).width;
  const inner = mirrored ? lane.x + lane.width - PAD : lane.x + PAD;
  context.fillStyle = isSplit ? side.text : theme.dim;
  context.fillText(name, mirrored ? inner - nameWidth : inner, HEADING_BASELINE);
  if (nameWidth + scaleWidth + 2 * PAD > room) return;
  const end = Math.round(mirrored ? inner - room : inner + room);
  context.fillStyle = theme.dim;
  context.fillText(scale, mirrored ? end + 4 : end - scaleWidth - 4, HEADING_BASELINE);
  context.fillStyle = theme.line;
  context.fillRect(end, 6, 1, HEADING - 7);
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

/** What stands between the sides: `spread 1.0 · 0.12 bps · mid 81,307.5`. */
export function spreadText({ bid, ask, spread, spreadBps, mid }: LadderFrame): string {
  if (bid === undefined && ask === undefined) return 'no orders';
  if (bid === undefined) return 'no bids';
  if (ask === undefined) return 'no asks';
  const decimals = Math.max(decimalsIn(bid.px), decimalsIn(ask.px));
  return `spread ${grouped(padded(spread, decimals))} · ${spreadBps} bps · mid ${grouped(padded(mid, decimals))}`;
}

function decimalsIn(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}
