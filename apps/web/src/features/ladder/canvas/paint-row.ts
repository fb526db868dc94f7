import type { LadderFrame } from '../../../live/frame/read-frame.ts';
import { grouped } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import { type Column, type Columns, PAD, PRICE_PAD, type SideColumns } from './columns.ts';
import { laneShape } from './lane.ts';
import type { RowText } from './row-text.ts';
import { type BarScale, barShare } from './scale.ts';
import type { SideTheme } from './theme.ts';

/** Room at a lane's outer end for the number of folded orders. */
const TAIL_LABEL = 34;

/** How long a lane's bar may be. */
export function laneRoom(lane: Column): number {
  return Math.max(0, lane.width - PAD - TAIL_LABEL);
}

/** What all rows of a frame are drawn with. */
export interface RowSetting {
  readonly frame: LadderFrame;
  readonly columns: Columns;
  readonly rowHeight: number;
  readonly bars: BarScale;
  /** The size of a full bar, and the depth that fills the numbers' width. */
  readonly fullSize: number;
  readonly fullDepth: number;
}

/** One row's own. */
export interface RowFacts {
  readonly y: number;
  readonly price: string;
  /** The frame's row, and its texts; undefined for a price without orders. */
  readonly content: { readonly row: number; readonly text: RowText; readonly bright: boolean } | undefined;
  readonly hovered: boolean;
  readonly selected: boolean;
  /** The keyboard is here. */
  readonly active: boolean;
}

export function paintRow(brush: Brush, setting: RowSetting, facts: RowFacts): void {
  const { context, theme } = brush;
  const { columns, rowHeight } = setting;
  const { y, content } = facts;
  context.fillStyle = facts.selected ? theme.selected : facts.hovered ? theme.hover : theme.surface;
  context.fillRect(0, y, columns.width, rowHeight);
  if (content === undefined) {
    context.font = theme.numberFont;
    brush.number(facts.price, columns.price, brush.baseline(y, rowHeight), theme.dim, -1, PRICE_PAD);
  } else {
    paintContent(brush, setting, facts, content);
  }
  if (facts.active) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 1;
    context.strokeRect(0.5, y + 0.5, columns.width - 1, rowHeight - 1);
  } else if (facts.selected) {
    context.fillStyle = theme.accent;
    context.fillRect(0, y, 2, rowHeight);
  }
}

function paintContent(
  brush: Brush,
  setting: RowSetting,
  { y, price }: RowFacts,
  { row, text, bright }: NonNullable<RowFacts['content']>,
): void {
  const { context, theme } = brush;
  const { frame, columns, rowHeight } = setting;
  const side = frame.side(row);
  const [half, sideTheme] = side === 'A' ? [columns.asks, theme.ask] : [columns.bids, theme.bid];
  const baseline = brush.baseline(y, rowHeight);
  paintDepth(brush, setting, half, sideTheme, frame.cumulative(row), y);
  if (half.lane !== undefined) paintLane(brush, setting, half, half.lane, sideTheme, row, y);
  context.font = theme.numberFont;
  brush.number(text.size, half.size, baseline, theme.text, bright ? text.sizeChanged : -1);
  if (half.count) brush.number(text.countText, half.count, baseline, theme.dim);
  if (half.cumulative) brush.number(text.cumulative, half.cumulative, baseline, theme.dim);
  brush.number(price, columns.price, baseline, sideTheme.text, -1, PRICE_PAD);
  if (columns.layout === 'single') {
    // Where the sides share their columns, a letter tells them apart.
    context.font = theme.smallFont;
    context.fillText(side, PAD, baseline);
  }
}

/** The whole depth up to this row, behind its numbers, from the price outward. */
function paintDepth(
  { context }: Brush,
  { rowHeight, fullDepth }: RowSetting,
  half: SideColumns,
  theme: SideTheme,
  cumulative: number,
  y: number,
): void {
  const outer = half.cumulative ?? half.count ?? half.size;
  const from = half.mirrored ? half.size.x + half.size.width : half.size.x;
  const room = half.mirrored ? from - outer.x : outer.x + outer.width - from;
  const length = Math.round(room * Math.min(1, cumulative / fullDepth));
  context.fillStyle = theme.depth;
  context.fillRect(half.mirrored ? from - length : from, y, length, rowHeight);
}

/** The row's queue: a segment per order from the front, the tail folded into its number. */
function paintLane(
  brush: Brush,
  { frame, rowHeight, bars, fullSize }: RowSetting,
  { mirrored }: SideColumns,
  lane: Column,
  theme: SideTheme,
  row: number,
  y: number,
): void {
  const { context } = brush;
  const total = frame.size(row);
  const length = Math.max(2, laneRoom(lane) * barShare(total, fullSize, bars));
  const shape = laneShape(
    { sizes: frame.lanes, start: frame.laneStart(row), sent: frame.laneLength(row), count: frame.count(row), total },
    length,
  );
  const origin = mirrored ? lane.x + lane.width - PAD : lane.x + PAD;
  const bar = (from: number, width: number) => {
    const start = brush.snap(mirrored ? origin - from - width : origin + from);
    const end = brush.snap(mirrored ? origin - from : origin + from + width);
    context.fillRect(start, y + 4, Math.max(brush.hairline, end - start), rowHeight - 8);
  };
  context.fillStyle = brush.mark(theme);
  for (const { from, width } of shape.segments) bar(from, width);
  const { tail } = shape;
  if (tail === undefined) return;
  context.fillStyle = theme.tail;
  bar(tail.from, tail.width);
  const label = `+${grouped(String(tail.orders))}`;
  const end = tail.from + tail.width + 4;
  const x = mirrored ? origin - end - label.length * brush.smallCharWidth : origin + end;
  context.font = brush.theme.smallFont;
  context.fillStyle = brush.theme.dim;
  context.fillText(label, x, brush.baseline(y, rowHeight));
}
