import type { Side } from '@l4desk/protocol';
import { barSlot, indexAtSlot, sideOfIndex, slotOfIndex } from '../../../book-worker/axis.ts';
import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import { priceOfIndex } from '../../../book-worker/prices.ts';
import { grouped } from '../../../ui/format.ts';
import { Brush } from './brush.ts';
import { type ColumnChoice, type Columns, columnsFor, type TextWidths } from './columns.ts';
import type { Layout } from './lane.ts';
import { besideMid, flowSpan, HEADING, midOf, paintHeading, paintMidBar } from './paint-lines.ts';
import { type DrawnRow, depthLength, paintRow, type RowFacts, type RowSetting } from './paint-row.ts';
import { type RowText, rowKey, rowTexts } from './row-text.ts';
import { type BarScale, fullBar, isLargeBetween, largeLimit, largestShown } from './scale.ts';
import type { Band, LanePlace } from './scene-types.ts';
import type { CanvasTheme, LaneMark } from './theme.ts';

/** What is drawn besides the frame itself. */
export interface Picture {
  readonly frame: LadderFrame;
  readonly choice: ColumnChoice & { readonly bars: BarScale };
  readonly rowHeight: number;
  readonly marks: readonly LaneMark[];
  readonly hover: number | undefined;
  /** Price index of the keyboard's row while the grid has the focus. */
  readonly active: number | undefined;
  readonly selected: { readonly side: Side; readonly index: number } | undefined;
  readonly crosshair: number | undefined;
  /** Price indices with an alert. */
  readonly alerts: ReadonlySet<number>;
  readonly lane: LanePlace | undefined;
  readonly band: Band | undefined;
  readonly motion: boolean;
}

const NO_WIDTHS: TextWidths = { price: 0, size: 0, count: 3, cumulative: 0, notional: 0, flow: 0 };

/** A sign and two digits before the decimal point: initial room for the recent changes. */
const FLOW_CHARS = 4;

/** The large-order limit changes only when it moves by at least this factor. */
const LARGE_MOVES = 1.25;

/** Number of price texts kept before the cache is cleared. */
const PRICES_KEPT = 4_096;

/** Draws ladders on one canvas: one pass per frame, only rows that changed. */
export class Painter {
  readonly #brush: Brush;
  readonly #prices = new Map<number, string>();
  #pricesTick = '';
  #texts: ReadonlyMap<number, RowText> = new Map();
  #widths = NO_WIDTHS;
  #widthsOf = '';
  #columns: Columns | undefined;
  #columnsOf = '';
  #fullSize = 0;
  #fullDepth = 0;
  /** Kept while it changes little, because every lane depends on it. */
  #largeFrom = Number.POSITIVE_INFINITY;
  /** The settings that all rows depend on; when they change, everything is drawn again. */
  #page = '';
  #heading = '';
  #drawn: (DrawnRow | undefined)[] = [];
  #layout: Layout | undefined;
  #bar = '';

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, theme: CanvasTheme) {
    this.#brush = new Brush(canvas, theme);
    this.#brush.clear();
  }

  get layout(): Layout | undefined {
    return this.#layout;
  }

  setTheme(theme: CanvasTheme): void {
    this.#brush.setTheme(theme);
    this.clear();
  }

  resize(width: number, height: number, ratio: number): void {
    this.#brush.resize(width, height, ratio);
    // A resized canvas is black.
    this.clear();
  }

  /** The browser lost and restored the context: it has its default state and is blank. */
  restore(): void {
    this.#brush.measure();
    this.clear();
  }

  reset(): void {
    this.#texts = new Map();
    this.#fullSize = 0;
    this.#fullDepth = 0;
    this.#widthsOf = '';
    this.#page = '';
  }

  /** Clears the canvas to the surface; the next frame is drawn completely. */
  clear(): void {
    this.#brush.clear();
    this.#page = '';
  }

  /** Draws a frame. Returns when a brighter digit has to fade, or undefined. `now` in the page's own ms. */
  paint(picture: Picture, now: number): number | undefined {
    const { frame, choice, rowHeight } = picture;
    this.#texts = rowTexts(frame, this.#texts, now, picture.motion);
    this.#scaleTo(picture);
    this.#widen(picture);
    const columns = this.#layOut(picture);
    const { flowMs } = frame;
    const page = `${this.#columnsOf}|${marksKey(picture.marks)}|${rowHeight}|${frame.slots}|${choice.bars}`;
    if (page !== this.#page) {
      this.#page = page;
      this.#drawn = [];
      this.#heading = '';
      this.#bar = '';
      this.#brush.clear();
    }
    this.#layout = { columns, fullSize: this.#fullSize };
    const heading = `${this.#fullSize}|${flowSpan(flowMs)}`;
    if (heading !== this.#heading) {
      this.#heading = heading;
      paintHeading(this.#brush, columns, choice, { coin: frame.coin, fullSize: this.#fullSize, flowMs });
    }
    const { bars } = choice;
    return this.#paintRows(
      picture,
      {
        frame,
        columns,
        rowHeight,
        bars,
        marks: picture.marks,
        largeFrom: this.#largeFrom,
        fullSize: this.#fullSize,
        fullDepth: this.#fullDepth,
      },
      now,
    );
  }

  #paintRows(picture: Picture, setting: RowSetting, now: number): number | undefined {
    const { frame, rowHeight } = picture;
    // Of a price with two rows the bid, which is the last one.
    const rowAt = new Map(frame.rows.map((row) => [slotOfIndex(frame.axis, row.index), row]));
    const depthAt = depths(frame, rowAt);
    const bar = barSlot(frame.axis);
    if (bar < 0 || bar >= frame.slots) this.#bar = '';
    let due: number | undefined;
    for (let slot = 0; slot < frame.slots; slot += 1) {
      if (slot === bar) {
        this.#drawn[slot] = undefined;
        this.#paintBar(frame, setting.columns, HEADING + slot * rowHeight, rowHeight);
        continue;
      }
      const facts = this.#rowAt(picture, slot, rowAt.get(slot), now, depthAt[slot] ?? 0, setting);
      if (facts.content?.bright === true) due = Math.min(due ?? Infinity, facts.content.text.brightUntil);
      this.#drawn[slot] = paintRow(this.#brush, setting, facts, this.#drawn[slot]);
    }
    return due;
  }

  #paintBar(frame: LadderFrame, columns: Columns, y: number, height: number): void {
    const bar = { y, height, mid: midOf(frame), direction: frame.direction, spread: besideMid(frame) };
    const key = JSON.stringify(bar);
    if (key === this.#bar) return;
    this.#bar = key;
    paintMidBar(this.#brush, columns, bar);
  }

  #rowAt(
    picture: Picture,
    slot: number,
    row: LadderRow | undefined,
    now: number,
    depth: number,
    setting: RowSetting,
  ): RowFacts {
    const { frame, hover, active, selected, lane } = picture;
    const index = indexAtSlot(frame.axis, slot);
    const side = row?.side ?? sideOfIndex(frame.touch, index ?? 0);
    const { bid, ask } = frame.touch;
    const text = row && this.#texts.get(rowKey(row));
    return {
      index,
      side,
      y: HEADING + slot * picture.rowHeight,
      price: index === undefined ? '' : this.#price(frame.grid, index),
      depth: depthLength(setting, side, depth),
      content: row && text && { row, text, bright: text.brightUntil > now },
      best: row !== undefined && index === (side === 'A' ? ask : bid),
      isBestAsk: index !== undefined && index === ask,
      isBestBid: index !== undefined && index === bid,
      hovered: hover === slot,
      // A price that changed sides is another level, so it is no longer the selected one.
      selected: selected?.index === index && selected !== undefined && (row === undefined || side === selected.side),
      active: index !== undefined && active === index,
      crossed: index !== undefined && picture.crosshair === index,
      alerted: index !== undefined && picture.alerts.has(index),
      banded: index !== undefined && isWithin(picture.band, index),
      place: lane?.index === index && lane?.side === side ? lane?.place : undefined,
    };
  }

  #price(grid: LadderFrame['grid'], index: number): string {
    if (this.#pricesTick !== grid.tick || this.#prices.size > PRICES_KEPT) {
      this.#prices.clear();
      this.#pricesTick = grid.tick;
    }
    let text = this.#prices.get(index);
    if (text === undefined) {
      text = grouped(priceOfIndex(grid, index));
      this.#prices.set(index, text);
    }
    return text;
  }

  #scaleTo({ frame, choice }: Picture): void {
    const depth = Math.max(0, ...frame.rows.map(({ cumulative }) => cumulative));
    this.#fullSize = fullBar(largestShown(frame.rows.map(({ size }) => size)), this.#fullSize);
    const isNear =
      choice.large === 'p99' &&
      isLargeBetween(frame.lanes, this.#largeFrom / LARGE_MOVES, this.#largeFrom * LARGE_MOVES);
    if (!isNear) this.#largeFrom = largeLimit(choice.large, frame.lanes);
    this.#fullDepth = fullBar(depth, this.#fullDepth);
  }

  /** Columns only grow while coin and tick stay the same, so that they do not move with the numbers. */
  #widen({ frame }: Picture): void {
    const { grid } = frame;
    const of = `${frame.coin}|${grid.tick}`;
    if (of !== this.#widthsOf) this.#widths = NO_WIDTHS;
    this.#widthsOf = of;
    let { price, size, count, cumulative, notional, flow } = this.#widths;
    flow = Math.max(flow, frame.sizeDecimals + FLOW_CHARS);
    for (const slot of [0, frame.slots - 1]) {
      const index = indexAtSlot(frame.axis, slot);
      if (index !== undefined) price = Math.max(price, this.#price(grid, index).length);
    }
    for (const text of this.#texts.values()) {
      size = Math.max(size, text.size.length);
      count = Math.max(count, text.count.length);
      cumulative = Math.max(cumulative, text.cumulative.length);
      notional = Math.max(notional, text.notional.length);
      flow = Math.max(flow, text.came.length, text.withdrawn.length);
    }
    this.#widths = { price, size, count, cumulative, notional, flow };
  }

  #layOut({ choice, frame }: Picture): Columns {
    const { width, charWidth } = this.#brush;
    const of = JSON.stringify([width, charWidth, this.#widths, choice, frame.coin]);
    if (this.#columns === undefined || of !== this.#columnsOf) {
      this.#columnsOf = of;
      this.#columns = columnsFor(width, charWidth, this.#widths, choice);
    }
    return this.#columns;
  }
}

function isWithin(band: Band | undefined, index: number): boolean {
  return band !== undefined && index >= Math.min(band.from, band.to) && index <= Math.max(band.from, band.to);
}

const marksKey = (marks: readonly LaneMark[]) =>
  marks.map(({ hue, pattern, letter, name }) => `${hue}${pattern}${letter}${name}`).join();

/**
 * The depth between the market and each visible row: a row without orders has the depth of the last row with orders. If the
 * market is not visible, the first row's own orders are subtracted. Between the best prices the depth is zero.
 */
function depths(frame: LadderFrame, rowAt: ReadonlyMap<number, LadderRow>): readonly number[] {
  const depth = Array.from({ length: frame.slots }, () => 0);
  const before = (row: LadderRow | undefined) => (row === undefined ? 0 : row.cumulative - row.size);
  let asks = before(frame.rows.find(({ side }) => side === 'A'));
  let bids = before(frame.rows.find(({ side }) => side === 'B'));
  const { ask = Number.POSITIVE_INFINITY, bid = Number.NEGATIVE_INFINITY } = frame.touch;
  for (let slot = frame.slots - 1; slot >= 0; slot -= 1) {
    const row = rowAt.get(slot);
    if (row?.side === 'A') asks = row.cumulative;
    if ((indexAtSlot(frame.axis, slot) ?? -1) >= ask) depth[slot] = asks;
  }
  for (let slot = 0; slot < frame.slots; slot += 1) {
    const row = rowAt.get(slot);
    if (row?.side === 'B') bids = row.cumulative;
    if ((indexAtSlot(frame.axis, slot) ?? Number.POSITIVE_INFINITY) <= bid) depth[slot] = bids;
  }
  return depth;
}
