import { decimalsOf } from '@l4desk/decimal';
import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import { columnsOfBits, type FrameFlow } from '../../../book-worker/frame/row-flow.ts';
import type { FlowColumn } from '../../../state/flow-columns.ts';
import { grouped, padded } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import { type ColumnChoice, type Columns, outermost, PAD, PRICE_PAD, type SideColumns } from './columns.ts';
import { laneRoom } from './lane-hit.ts';
import { fullBarText } from './scale.ts';

/** Height of the column headings, in CSS pixels. */
export const HEADING = 22;

const HEADING_BASELINE = 15;

interface HeadingFacts {
  readonly coin: string;
  readonly fullSize: number;
  /** The headings of the flow's columns. */
  readonly flow: readonly string[];
  /** The spread, if there is no room for it between the best prices. */
  readonly spread: string;
}

const FLOW_NAMES: Readonly<Record<FlowColumn, string>> = {
  came: '+',
  withdrawn: '−',
  added: 'added',
  cancelled: 'canceled',
  shrunk: 'shrunk',
  executed: 'executed',
  requotedIn: '↻ in',
  requotedOut: '↺ out',
};

/**
 * The heading of each of the flow's columns: `+ 5 s`, or `+ 2 of 5 s` while less of the span is known. Columns with a name say the
 * span only in the first of them, `added 2/5 s`, because it would take the room of further columns.
 */
export function flowHeadings(flow: FrameFlow | undefined): readonly string[] {
  if (flow === undefined) return [];
  const span = spanText(flow);
  return columnsOfBits(flow.bits).map((column, at) => {
    const name = FLOW_NAMES[column];
    if (name.length === 1) return `${name} ${span}`;
    return at === 0 ? `${name} ${span.replace(' of ', '/')}` : name;
  });
}

function spanText({ spanMs, knownMs }: FrameFlow): string {
  if (spanMs === 0) return knownMs === undefined ? 'block ?' : 'block';
  const known = knownMs ?? 0;
  const span = `${spanMs / 1_000} s`;
  return known >= spanMs ? span : `${Math.floor(known / 1_000)} of ${span}`;
}

/** Draws the column names; a lane's heading also gives the size of a full bar. */
export function paintHeading(
  brush: Brush,
  columns: Columns,
  choice: Pick<ColumnChoice, 'notional'>,
  { coin, fullSize, flow, spread }: HeadingFacts,
): void {
  const { context, theme } = brush;
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, columns.width, HEADING);
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
    const notional = choice.notional === 'cumulative' ? 'cum ntl' : 'ntl';
    if (half.notional) heading(notional, half.notional.x + half.notional.width - PAD);
    for (const [at, { x, width }] of half.flow.entries()) heading(flow[at] ?? '', x + width - PAD);
  }
  const scale = `full bar ${fullBarText(fullSize)} ${unitOf(coin)}`;
  const { asks, bids } = columns;
  if (isSplit) paintLaneHeading(brush, asks, outerEdge(bids), 'ask queue', scale, theme.ask.text);
  const [name, color] = isSplit ? ['bid queue', theme.bid.text] : ['queue', theme.dim];
  const [start, end] = paintLaneHeading(brush, bids, outerEdge(asks), name, scale, color, spread) ?? [
    outerEdge(asks) + PAD,
    columns.width,
  ];
  context.font = theme.smallFont;
  context.fillStyle = theme.text;
  context.fillText(fitting(spread, (end - start) / brush.smallCharWidth), start, HEADING_BASELINE);
}

/** The unit of a coin's sizes: its name without the dex prefix. */
export function unitOf(coin: string): string {
  return coin.slice(coin.indexOf(':') + 1);
}

/** The outer edge of the headings over a side's numbers. */
function outerEdge(side: SideColumns): number {
  const { x, width } = outermost(side);
  return side.mirrored ? x : x + width;
}

/**
 * Draws a lane's heading: its name where the bars begin, or beside the number headings that reach over it, and the size of a full
 * bar at the end of the longest, if there is room for it beside the shortest form of `text`. Returns from where to where that text
 * has room.
 */
function paintLaneHeading(
  brush: Brush,
  { lane, laneMirrored }: SideColumns,
  edge: number,
  name: string,
  scale: string,
  color: string,
  text = '',
): readonly [start: number, end: number] | undefined {
  if (lane === undefined) return undefined;
  const { context, theme } = brush;
  const room = laneRoom(lane);
  const end = Math.round(laneMirrored ? lane.x + lane.width - PAD - room : lane.x + PAD + room);
  const nameWidth = context.measureText(name).width;
  const scaleWidth = context.measureText(scale).width;
  const free = Math.abs(end - edge) - PAD;
  if (nameWidth > free) return undefined;
  context.fillStyle = color;
  context.fillText(name, laneMirrored ? edge - PAD - nameWidth : edge + PAD, HEADING_BASELINE);
  const start = edge + nameWidth + 2 * PAD;
  const needed = text === '' ? 0 : fitting(text, 0).length * brush.smallCharWidth + PAD;
  if (nameWidth + PAD + needed + scaleWidth + SCALE_GAP > free) return [start, lane.x + lane.width];
  context.fillStyle = theme.dim;
  context.fillText(scale, laneMirrored ? end + SCALE_GAP : end - SCALE_GAP - scaleWidth, HEADING_BASELINE);
  context.fillStyle = theme.line;
  context.fillRect(end, 6, 1, HEADING - 7);
  return [start, end - SCALE_GAP - scaleWidth - PAD];
}

/** Between the size of a full bar and the mark at its end, px. */
const SCALE_GAP = 4;

/** Height of the spread label. */
const LABEL = 12;

/** The edges between the best prices, in CSS pixels from the canvas's top; undefined for an empty side. */
export interface Gap {
  /** The lower edge of the best ask's row. */
  readonly ask: number | undefined;
  /** The upper edge of the best bid's row. */
  readonly bid: number | undefined;
}

/** Whether there is a row between the best prices, with room for the spread's label. */
export function isOpen({ ask, bid }: Gap): boolean {
  return ask !== undefined && bid !== undefined && bid - ask >= LABEL;
}

/** Draws the lines at the best prices, and the spread's label in the rows between them. Without such rows it is in the headings. */
export function paintSpread(brush: Brush, columns: Columns, gap: Gap, text: string): void {
  const { context, theme } = brush;
  const line = (y: number | undefined, color: string) => {
    if (y === undefined || y < HEADING) return;
    context.fillStyle = color;
    context.fillRect(0, y, columns.width, 1);
  };
  line(gap.ask === undefined ? undefined : gap.ask - 1, theme.ask.mark);
  line(gap.bid, theme.bid.mark);
  const middle = gapMiddle(gap);
  if (middle === undefined || !isOpen(gap) || middle < HEADING + LABEL / 2) return;
  context.font = theme.smallFont;
  // The rows between the best prices have prices only: the label is at the outer end of a lane.
  const isSplit = columns.layout === 'split';
  const room = isSplit ? columns.price.x - PAD : columns.width - (columns.bids.lane?.x ?? 0) - PAD;
  const shown = fitting(text, (room - 2 * LABEL_PAD) / brush.smallCharWidth);
  const width = shown.length * brush.smallCharWidth + 2 * LABEL_PAD;
  const x = Math.max(0, isSplit ? PAD - LABEL_PAD : columns.width - width - PAD);
  const y = Math.round(middle - LABEL / 2);
  context.fillStyle = theme.surface;
  context.fillRect(x, y, width, LABEL);
  context.fillStyle = theme.text;
  context.fillText(shown, x + LABEL_PAD, y + LABEL - 2);
}

const LABEL_PAD = 4;

/** As many of the spread's parts as fit; at least the number of the first one. */
function fitting(text: string, chars: number): string {
  const parts = text.split(' · ');
  while (parts.length > 1 && parts.join(' · ').length > chars) parts.pop();
  const shown = parts.join(' · ');
  return shown.length > chars ? shown.replace('spread ', '') : shown;
}

/** The middle between the best prices, or the edge of the only one there is. */
function gapMiddle({ ask, bid }: Gap): number | undefined {
  return ask === undefined || bid === undefined ? (ask ?? bid) : (ask + bid) / 2;
}

/** The first and last pixel that the spread covers. */
export function spreadExtent(gap: Gap): { readonly from: number; readonly to: number } | undefined {
  const middle = gapMiddle(gap);
  if (middle === undefined) return undefined;
  const edges = [middle - LABEL / 2 - 1, middle + LABEL / 2 + 1, (gap.ask ?? middle) - 1, (gap.bid ?? middle) + 1];
  return { from: Math.min(...edges), to: Math.max(...edges) };
}

/** The label between the sides: `spread 1.0 · 0.12 bps · mid 81,307.5`. */
export function spreadText(frame: LadderFrame): string {
  const { bid, ask } = frame;
  if (bid === undefined && ask === undefined) return 'no orders';
  if (bid === undefined) return 'no bids';
  if (ask === undefined) return 'no asks';
  const decimals = Math.max(decimalsOf(bid.px), decimalsOf(ask.px));
  const shown = (name: 'spread' | 'mid') => grouped(padded(frame.text(name), decimals));
  return `spread ${shown('spread')} · ${frame.text('spreadBps')} bps · mid ${shown('mid')}`;
}
