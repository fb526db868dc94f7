import type { Side } from '@l4desk/protocol';
import { dividerSlot, indexAtSlot, slotOfIndex } from '../../../live/axis.ts';
import type { LadderFrame } from '../../../live/frame/read-frame.ts';
import { priceOfIndex, type TickGrid } from '../../../live/prices.ts';
import { grouped, padded } from '../../../ui/format.ts';
import {
  type ColumnChoice,
  type Columns,
  columnsFor,
  PAD,
  PRICE_PAD,
  type SideColumns,
  type TextWidths,
} from './columns.ts';
import { laneShape } from './lane.ts';
import { type RowText, rowKey, rowTexts } from './row-text.ts';
import { type BarScale, barShare, fullBar, fullBarText } from './scale.ts';
import type { CanvasTheme, SideTheme } from './theme.ts';

/** Height of the column headings, in CSS pixels. */
export const HEADING = 22;

/** Room at a lane's outer end for the number of folded orders. */
const TAIL_LABEL = 34;

/** What is drawn besides the frame itself. */
export interface Scene {
  readonly frame: LadderFrame;
  readonly grid: TickGrid;
  readonly choice: ColumnChoice & { readonly bars: BarScale };
  readonly rowHeight: number;
  readonly hover: number | undefined;
  /** Price index of the keyboard's row while the grid has the focus. */
  readonly active: number | undefined;
  readonly selected: { readonly side: Side; readonly index: number } | undefined;
  /** Whether changed digits may light up. */
  readonly motion: boolean;
}

/** A row as it was drawn last: equal rows are not drawn again. */
interface DrawnRow {
  readonly text: RowText | undefined;
  readonly bright: boolean;
  readonly index: number | undefined;
  readonly lane: number;
  readonly flags: number;
}

/** Draws ladders on one canvas: one pass a frame, only rows that changed. */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #theme: CanvasTheme;
  #width = 0;
  #ratio = 1;
  #charWidth = 7;
  #smallCharWidth = 6;
  #texts: ReadonlyMap<number, RowText> = new Map();
  #prices = new Map<number, string>();
  #pricesTick = '';
  #widths: TextWidths = { price: 0, size: 0, count: 0, cumulative: 0 };
  #widthsKey = '';
  #columns: Columns | undefined;
  #columnsKey = '';
  #fullSize = 0;
  #fullDepth = 0;
  #stripes = new Map<string, CanvasPattern>();
  /** What all rows depend on; when it changes every row is drawn again. */
  #pageKey = '';
  #drawn: (DrawnRow | undefined)[] = [];
  #divider = '';

  constructor(canvas: HTMLCanvasElement, theme: CanvasTheme) {
    const context = canvas.getContext('2d', { alpha: false, desynchronized: false });
    if (context === null) throw new Error('this browser draws no canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#theme = theme;
  }

  get columns(): Columns | undefined {
    return this.#columns;
  }

  setTheme(theme: CanvasTheme): void {
    this.#theme = theme;
    this.#stripes.clear();
    this.#measure();
    this.forget();
  }

  /** Sizes the canvas to whole device pixels. */
  resize(width: number, height: number, ratio: number): void {
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
    this.#width = width;
    this.#ratio = ratio;
    this.#stripes.clear();
    this.#measure();
    this.clear();
  }

  /** Another coin or tick: nothing drawn before says anything about what comes. */
  reset(): void {
    this.#texts = new Map();
    this.#fullSize = 0;
    this.#fullDepth = 0;
    this.#widthsKey = '';
    this.forget();
  }

  /** Draws everything anew next time. */
  forget(): void {
    this.#pageKey = '';
    this.#columnsKey = '';
  }

  /** Leaves nothing but the surface: a canvas that was sized anew is black otherwise. */
  clear(): void {
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.fillStyle = this.#theme.surface;
    this.#context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.forget();
  }

  /** Draws a frame. Answers when a brighter digit has to fade, or undefined. `now` in the page's own ms. */
  paint(scene: Scene, now: number): number | undefined {
    const { frame } = scene;
    this.#texts = rowTexts(frame, this.#texts, now, scene.motion);
    this.#scaleTo(frame);
    this.#widen(scene);
    const columns = this.#layOut(scene);
    this.#context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    this.#context.textBaseline = 'alphabetic';
    const pageKey = `${this.#columnsKey}|${scene.rowHeight}|${frame.slots}|${scene.choice.bars}|${this.#fullSize}|${this.#fullDepth}`;
    if (pageKey !== this.#pageKey) {
      this.#pageKey = pageKey;
      this.#drawn = [];
      this.#divider = '';
      this.#paintHeading(columns, frame);
    }
    return this.#paintRows(scene, columns, now);
  }

  #paintRows(scene: Scene, columns: Columns, now: number): number | undefined {
    const { frame, rowHeight } = scene;
    const rowAt = new Map<number, number>();
    for (let row = 0; row < frame.rowCount; row += 1) rowAt.set(slotOfIndex(frame.axis, frame.index(row)), row);
    const divider = dividerSlot(frame.axis);
    let due: number | undefined;
    for (let slot = 0; slot < frame.slots; slot += 1) {
      const y = HEADING + slot * rowHeight;
      if (slot === divider) {
        this.#paintDivider(scene, columns, slot, y);
        continue;
      }
      const row = rowAt.get(slot);
      const text = row === undefined ? undefined : this.#texts.get(rowKey(frame, row));
      const bright = text !== undefined && text.brightUntil > now;
      if (bright && (due === undefined || text.brightUntil < due)) due = text.brightUntil;
      const index = indexAtSlot(frame.axis, slot);
      const next: DrawnRow = {
        text,
        bright,
        index,
        lane: row === undefined ? 0 : laneDigest(frame, row),
        flags: flagsOf(scene, slot, index, row === undefined ? undefined : frame.side(row)),
      };
      const before = this.#drawn[slot];
      if (before !== undefined && sameRow(before, next)) continue;
      this.#drawn[slot] = next;
      this.#paintRow(scene, columns, y, row, next);
    }
    return due;
  }

  #paintRow(scene: Scene, columns: Columns, y: number, row: number | undefined, drawn: DrawnRow): void {
    const { frame, rowHeight } = scene;
    const context = this.#context;
    const theme = this.#theme;
    const isSelected = (drawn.flags & SELECTED) !== 0;
    context.fillStyle = isSelected ? theme.selected : (drawn.flags & HOVERED) !== 0 ? theme.hover : theme.surface;
    context.fillRect(0, y, columns.width, rowHeight);
    if (drawn.index === undefined) return;
    const baseline = this.#baseline(y, rowHeight);
    context.font = theme.numberFont;
    if (row === undefined || drawn.text === undefined) {
      this.#number(this.#price(scene.grid, drawn.index), columns.price, baseline, theme.dim, -1, PRICE_PAD);
    } else {
      const side = frame.side(row);
      const sideTheme = side === 'A' ? theme.ask : theme.bid;
      const half = side === 'A' ? columns.asks : columns.bids;
      this.#paintDepth(half, sideTheme, frame.cumulative(row), y, rowHeight);
      if (half.lane !== undefined) this.#paintLane(scene, half, sideTheme, row, y, baseline);
      context.font = theme.numberFont;
      this.#number(drawn.text.size, half.size, baseline, theme.text, drawn.bright ? drawn.text.sizeChanged : -1);
      if (half.count) this.#number(drawn.text.countText, half.count, baseline, theme.dim);
      if (half.cumulative) this.#number(drawn.text.cumulative, half.cumulative, baseline, theme.dim);
      this.#number(this.#price(scene.grid, drawn.index), columns.price, baseline, sideTheme.text, -1, PRICE_PAD);
      if (columns.layout === 'single') {
        context.font = theme.smallFont;
        context.fillText(side, PAD, baseline);
      }
    }
    if ((drawn.flags & ACTIVE) !== 0) {
      context.strokeStyle = theme.accent;
      context.lineWidth = 1;
      context.strokeRect(0.5, y + 0.5, columns.width - 1, rowHeight - 1);
    } else if (isSelected) {
      context.fillStyle = theme.accent;
      context.fillRect(0, y, 2, rowHeight);
    }
  }

  /** The whole depth up to this row, behind its numbers, from the price outward. */
  #paintDepth(half: SideColumns, theme: SideTheme, cumulative: number, y: number, rowHeight: number): void {
    const outer = half.cumulative ?? half.count ?? half.size;
    const from = half.mirrored ? half.size.x + half.size.width : half.size.x;
    const room = half.mirrored ? from - outer.x : outer.x + outer.width - from;
    const length = Math.round(room * Math.min(1, cumulative / this.#fullDepth));
    this.#context.fillStyle = theme.depth;
    this.#context.fillRect(half.mirrored ? from - length : from, y, length, rowHeight);
  }

  #paintLane(scene: Scene, half: SideColumns, theme: SideTheme, row: number, y: number, baseline: number): void {
    const { lane } = half;
    if (lane === undefined) return;
    const { frame, rowHeight } = scene;
    const context = this.#context;
    const size = frame.size(row);
    const room = lane.width - PAD - TAIL_LABEL;
    const length = Math.max(2, room * barShare(size, this.#fullSize, scene.choice.bars));
    const count = frame.count(row);
    const queue = { sizes: frame.lanes, start: frame.laneStart(row), sent: frame.laneLength(row), count, total: size };
    const shape = laneShape(queue, length);
    const origin = half.mirrored ? lane.x + lane.width - PAD : lane.x + PAD;
    const height = rowHeight - 8;
    const bar = (from: number, width: number) => {
      const x = this.#snap(half.mirrored ? origin - from - width : origin + from);
      const end = this.#snap(half.mirrored ? origin - from : origin + from + width);
      context.fillRect(x, y + 4, Math.max(1 / this.#ratio, end - x), height);
    };
    context.fillStyle = theme.striped ? this.#striped(theme.mark) : theme.mark;
    for (const { from, width } of shape.segments) bar(from, width);
    if (shape.tail === undefined) return;
    context.fillStyle = theme.tail;
    bar(shape.tail.from, shape.tail.width);
    const label = `+${grouped(String(shape.tail.orders))}`;
    const end = shape.tail.from + shape.tail.width + 4;
    context.font = this.#theme.smallFont;
    context.fillStyle = this.#theme.dim;
    context.fillText(
      label,
      half.mirrored ? origin - end - label.length * this.#smallCharWidth : origin + end,
      baseline,
    );
  }

  #paintDivider(scene: Scene, columns: Columns, slot: number, y: number): void {
    const { frame, rowHeight } = scene;
    const text = spreadText(frame);
    const key = `${slot}|${text}`;
    if (this.#divider === key && this.#drawn[slot] === undefined) return;
    this.#divider = key;
    this.#drawn[slot] = undefined;
    const context = this.#context;
    context.fillStyle = this.#theme.surface;
    context.fillRect(0, y, columns.width, rowHeight);
    context.font = this.#theme.smallFont;
    const width = text.length * this.#smallCharWidth;
    const middle = columns.price.x + columns.price.width / 2;
    const x = Math.max(PAD, Math.round(middle - width / 2));
    context.fillStyle = this.#theme.line;
    const line = Math.round(y + rowHeight / 2);
    context.fillRect(0, line, Math.max(0, x - PAD), 1);
    context.fillRect(x + width + PAD, line, Math.max(0, columns.width - x - width - PAD), 1);
    context.fillStyle = this.#theme.text;
    context.fillText(text, x, this.#baseline(y, rowHeight));
  }

  #paintHeading(columns: Columns, frame: LadderFrame): void {
    const context = this.#context;
    const theme = this.#theme;
    context.fillStyle = theme.surface;
    context.fillRect(0, 0, columns.width, this.#canvas.height / this.#ratio);
    context.fillStyle = theme.line;
    context.fillRect(0, HEADING - 1, columns.width, 1);
    context.font = theme.headingFont;
    const baseline = 15;
    const heading = (text: string, right: number, color: string) => {
      context.fillStyle = color;
      context.fillText(text, right - context.measureText(text).width, baseline);
    };
    heading('price', columns.price.x + columns.price.width - PRICE_PAD, theme.dim);
    const halves = columns.layout === 'single' ? [columns.asks] : [columns.bids, columns.asks];
    for (const half of halves) {
      heading('size', half.size.x + half.size.width - PAD, theme.dim);
      if (half.count) heading('n', half.count.x + half.count.width - PAD, theme.dim);
      if (half.cumulative) heading('cum', half.cumulative.x + half.cumulative.width - PAD, theme.dim);
      if (half.lane) this.#paintLaneHeading(half, columns, frame.coin, baseline);
    }
  }

  /** Names the side, and says what a bar across the whole lane is worth. */
  #paintLaneHeading(half: SideColumns, columns: Columns, coin: string, baseline: number): void {
    const { lane } = half;
    if (lane === undefined) return;
    const context = this.#context;
    const theme = this.#theme;
    const isSplit = columns.layout === 'split';
    const name = isSplit ? (half.mirrored ? 'bid queue' : 'ask queue') : 'queue';
    const scale = `${fullBarText(this.#fullSize)} ${coin}`;
    const scaleAt = PAD + Math.max(0, lane.width - PAD - TAIL_LABEL);
    const nameWidth = context.measureText(name).width;
    const scaleWidth = context.measureText(scale).width;
    context.fillStyle = isSplit ? (half.mirrored ? theme.bid.text : theme.ask.text) : theme.dim;
    context.fillText(name, half.mirrored ? lane.x + lane.width - PAD - nameWidth : lane.x + PAD, baseline);
    if (nameWidth + scaleWidth + 2 * PAD > scaleAt - PAD) return;
    context.fillStyle = theme.dim;
    const end = half.mirrored ? lane.x + lane.width - scaleAt : lane.x + scaleAt;
    context.fillText(scale, half.mirrored ? end + 4 : end - scaleWidth - 4, baseline);
    context.fillStyle = theme.line;
    context.fillRect(Math.round(end), 6, 1, HEADING - 7);
  }

  /** A number, right-aligned; digits from `changed` on are brighter. */
  #number(
    text: string,
    column: { readonly x: number; readonly width: number },
    baseline: number,
    color: string,
    changed = -1,
    pad = PAD,
  ): void {
    const context = this.#context;
    const x = column.x + column.width - pad - text.length * this.#charWidth;
    context.fillStyle = color;
    if (changed < 0 || changed >= text.length) {
      context.fillText(text, x, baseline);
      return;
    }
    if (changed > 0) context.fillText(text.slice(0, changed), x, baseline);
    context.fillStyle = this.#theme.strong;
    context.fillText(text.slice(changed), x + changed * this.#charWidth, baseline);
  }

  #price(grid: TickGrid, index: number): string {
    if (this.#pricesTick !== grid.tick || this.#prices.size > 4_096) {
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

  #scaleTo(frame: LadderFrame): void {
    let size = 0;
    let depth = 0;
    for (let row = 0; row < frame.rowCount; row += 1) {
      size = Math.max(size, frame.size(row));
      depth = Math.max(depth, frame.cumulative(row));
    }
    this.#fullSize = fullBar(size, this.#fullSize);
    this.#fullDepth = fullBar(depth, this.#fullDepth);
  }

  /** Columns only ever grow while coin and tick stay: they do not breathe with the numbers. */
  #widen({ frame, grid }: Scene): void {
    const key = `${frame.generation}|${frame.tick}`;
    if (key !== this.#widthsKey) this.#widths = { price: 0, size: 0, count: 3, cumulative: 0 };
    this.#widthsKey = key;
    let { price, size, count, cumulative } = this.#widths;
    for (const slot of [0, frame.slots - 1]) {
      const index = indexAtSlot(frame.axis, slot);
      if (index !== undefined) price = Math.max(price, this.#price(grid, index).length);
    }
    for (const text of this.#texts.values()) {
      size = Math.max(size, text.size.length);
      count = Math.max(count, text.countText.length);
      cumulative = Math.max(cumulative, text.cumulative.length);
    }
    const now = this.#widths;
    if (price === now.price && size === now.size && count === now.count && cumulative === now.cumulative) return;
    this.#widths = { price, size, count, cumulative };
  }

  #layOut({ choice, frame }: Scene): Columns {
    const { price, size, count, cumulative } = this.#widths;
    const key = [
      this.#width,
      this.#charWidth,
      price,
      size,
      count,
      cumulative,
      choice.layout,
      choice.count,
      choice.cumulative,
      choice.lane,
      frame.coin,
    ].join();
    if (this.#columns === undefined || key !== this.#columnsKey) {
      this.#columnsKey = key;
      this.#columns = columnsFor(this.#width, this.#charWidth, this.#widths, choice);
    }
    return this.#columns;
  }

  #measure(): void {
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const advance = (font: string) => {
      context.font = font;
      context.letterSpacing = '0px';
      return context.measureText('0000000000').width / 10;
    };
    this.#charWidth = advance(this.#theme.numberFont);
    this.#smallCharWidth = advance(this.#theme.smallFont);
  }

  #striped(color: string): CanvasPattern | string {
    const known = this.#stripes.get(color);
    if (known !== undefined) return known;
    const tile = document.createElement('canvas');
    const step = Math.max(2, Math.round(2 * this.#ratio));
    tile.width = 2 * step;
    tile.height = 2 * step;
    const context = tile.getContext('2d');
    if (context === null) return color;
    context.fillStyle = color;
    context.fillRect(0, 0, 2 * step, step);
    const pattern = this.#context.createPattern(tile, 'repeat');
    if (pattern === null) return color;
    pattern.setTransform(new DOMMatrix().scale(1 / this.#ratio));
    this.#stripes.set(color, pattern);
    return pattern;
  }

  #baseline(y: number, rowHeight: number): number {
    return Math.round(y + rowHeight / 2 + 4);
  }

  #snap(x: number): number {
    return Math.round(x * this.#ratio) / this.#ratio;
  }
}

const HOVERED = 1;
const SELECTED = 2;
const ACTIVE = 4;

function flagsOf(scene: Scene, slot: number, index: number | undefined, side: Side | undefined): number {
  if (index === undefined) return 0;
  const { selected } = scene;
  // A price that changed sides is another level: what was chosen is empty now.
  const isSelected = selected?.index === index && (side === undefined || side === selected.side);
  return (scene.hover === slot ? HOVERED : 0) | (isSelected ? SELECTED : 0) | (scene.active === index ? ACTIVE : 0);
}

function sameRow(a: DrawnRow, b: DrawnRow): boolean {
  return a.text === b.text && a.bright === b.bright && a.index === b.index && a.lane === b.lane && a.flags === b.flags;
}

/** Changes whenever the drawn queue does: sizes weighed by their places. */
function laneDigest(frame: LadderFrame, row: number): number {
  const start = frame.laneStart(row);
  const length = frame.laneLength(row);
  let digest = frame.cumulative(row) + 1;
  for (let place = 0; place < length; place += 1) digest = digest * 1.000_1 + (frame.lanes[start + place] ?? 0);
  return digest;
}

/** What stands between the sides: `spread 1.0 · 0.12 bps · mid 81,307.5`. */
function spreadText({ bid, ask, spread, spreadBps, mid }: LadderFrame): string {
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
