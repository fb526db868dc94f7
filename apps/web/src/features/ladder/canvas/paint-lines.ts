import { decimalsOf } from '@l4desk/decimal';
import { FLOW_MS, type LadderFrame } from '../../../book-worker/ladder-frame.ts';
import { grouped, padded } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import {
  type Column,
  type ColumnChoice,
  type Columns,
  outermost,
  PAD,
  PRICE_PAD,
  type SideColumns,
  SPLIT_MIN,
} from './columns.ts';
import { laneRoom } from './lane-hit.ts';
import { fullBarText } from './scale.ts';

/** Height of the column headings, in CSS pixels. */
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
  /** The spread, if there is no room for it between the best prices. */
  readonly spread: string;
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
  const [start, end] = paintNames(brush, columns, columns.asks, choice, facts, {
    y: 0,
    name: isSplit ? 'ask queue' : 'queue',
    color: isSplit ? theme.ask.text : theme.dim,
    text: facts.spread,
  });
  if (isSplit) {
    paintNames(brush, columns, columns.bids, choice, facts, {
      y: brush.height - HEADING,
      name: 'bid queue',
      color: theme.bid.text,
      text: '',
    });
  }
  const shown = fitting(facts.spread, (end - start) / brush.smallCharWidth);
  brush.context.font = theme.smallFont;
  brush.context.fillStyle = theme.text;
  brush.context.fillText(shown, isSplit ? end - shown.length * brush.smallCharWidth : start, HEADING_BASELINE);
}

/** One line of headings: where it is, the name of its lane, and the text that shares the lane's room. */
interface HeadingLine {
  readonly y: number;
  readonly name: string;
  readonly color: string;
  readonly text: string;
}

/** Draws the headings of a side's columns. Returns from where to where beside them a text has room. */
function paintNames(
  brush: Brush,
  columns: Columns,
  half: SideColumns,
  choice: Pick<ColumnChoice, 'notional'>,
  { coin, fullSize, flowMs }: HeadingFacts,
  line: HeadingLine,
): readonly [start: number, end: number] {
  const { context, theme } = brush;
  const { y } = line;
  context.fillStyle = theme.surface;
  context.fillRect(0, y, columns.width, HEADING);
  context.fillStyle = theme.line;
  context.fillRect(0, y === 0 ? HEADING - 1 : y, columns.width, 1);
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
  if (half.lane !== undefined) return paintLaneHeading(brush, half.lane, half.laneMirrored, scale, line);
  const outer = outermost(half);
  return columns.layout === 'split' ? [PAD, columns.price.x - PAD] : [outer.x + outer.width + PAD, columns.width];
}

/** The unit of a coin's sizes: its name without the dex prefix. */
export function unitOf(coin: string): string {
  return coin.slice(coin.indexOf(':') + 1);
}

/**
 * Draws a lane's heading: its name where the bars begin, and the size of a full bar at the end of the longest, if there is room for
 * it beside the shortest form of the line's text. Returns from where to where that text has room.
 */
function paintLaneHeading(
  brush: Brush,
  lane: Column,
  mirrored: boolean,
  scale: string,
  { y, name, color, text }: HeadingLine,
): readonly [start: number, end: number] {
  const { context, theme } = brush;
  const room = laneRoom(lane);
  const inner = mirrored ? lane.x + lane.width : lane.x;
  const end = Math.round(mirrored ? inner - PAD - room : inner + PAD + room);
  const nameWidth = context.measureText(name).width;
  const scaleWidth = context.measureText(scale).width;
  const free = room - nameWidth;
  const baseline = y + HEADING_BASELINE;
  const isNamed = free >= 0;
  context.fillStyle = color;
  if (isNamed) context.fillText(name, mirrored ? inner - PAD - nameWidth : inner + PAD, baseline);
  const taken = isNamed ? nameWidth + 2 * PAD : PAD;
  const needed = text === '' ? 0 : fitting(text, 0).length * brush.smallCharWidth + PAD;
  const isScaled = PAD + needed + scaleWidth + SCALE_GAP <= free;
  const outer = isScaled ? SCALE_GAP + scaleWidth + PAD : 0;
  if (isScaled) {
    context.fillStyle = theme.dim;
    context.fillText(scale, mirrored ? end + SCALE_GAP : end - SCALE_GAP - scaleWidth, baseline);
    context.fillStyle = theme.line;
    context.fillRect(end, y + 6, 1, HEADING - 7);
  }
  if (mirrored) return [isScaled ? end + outer : lane.x + PAD, inner - taken];
  return [inner + taken, isScaled ? end - outer : lane.x + lane.width];
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
  const decimals = Math.max(decimalsOf(bid), decimalsOf(ask));
  const shown = (amount: string) => grouped(padded(amount, decimals));
  return `spread ${shown(frame.spread)} · ${frame.spreadBps} bps · mid ${shown(frame.mid)}`;
}
