import type { CanvasBook } from '../../../book-worker/worker/canvases.ts';
import { type Dot, PriceColumns } from '../../../book-worker/worker/draw-price/price-columns.ts';
import {
  CELL_WIDTH,
  cellSizes,
  factsOf,
  midOf,
  ownY,
  type PriceView,
  priceView,
  readoutAt,
  xOf,
  yOf,
} from '../../../book-worker/worker/draw-price/price-view.ts';
import type { WalletColour } from '../../../wallets/wallet.ts';
import type { CanvasTheme } from '../canvas/theme.ts';
import type { FromPrice, PointedAt, ToPrice } from './price-messages.ts';

/** Shortest time between two paintings after blocks. */
const PAINT_MS = 250;

/** More dots than these, the largest, would hide the map. */
const DOTS_MAX = 120;
const RADIUS = { least: 1, more: 5 } as const;

/** How strong the largest cells are: the numbers of prints and the mid stay readable over them. */
const HEAT_MAX = 215;
const HEAT_MIN = 14;

/** How opaque the lines of watched orders are: up to `OWN_FEW` orders, and of a great many. */
const OWN_ALPHA = { few: 0.7, many: 0.2 } as const;
const OWN_FEW = 12;

/** The share of the cells that are as strong as the largest. */
const CLIPPED_SHARE = 0.02;

type Point = { readonly x: number; readonly y: number };

/** Paints the price pane in the worker, as the page at the other end of the port says. */
export function paintPrice(port: MessagePort, book: CanvasBook): void {
  let scene: PriceScene | undefined;
  port.addEventListener('message', ({ data }: MessageEvent<ToPrice>) => {
    if (data.kind === 'open') scene = new PriceScene(data, book, (event) => port.postMessage(event));
    else scene?.receive(data);
  });
  port.start();
}

/**
 * The kept minutes as a map of prices over time.
 *
 * Loop "paint": a block that is shown schedules one reading and painting, at least 250 ms after the last one; while there is more
 * to read of what was kept before, the next reading follows, at once if it may. The worker hears of no block while the page is hidden.
 */
class PriceScene {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  readonly #book: CanvasBook;
  readonly #post: (event: FromPrice) => void;
  readonly #kept: PriceColumns;
  #heat: OffscreenCanvas | undefined;
  #theme: CanvasTheme;
  #size = { width: 0, height: 0, ratio: 1 };
  #spanMs = 0;
  #hues: readonly WalletColour[] = [];
  #view: PriceView | undefined;
  /** What is pointed at: a position, or a block and a price that were reached by keyboard. */
  #cursor: Point | { readonly time: number; readonly units: number } | undefined;
  /** The time at which the span begins that is being chosen; null if it was dragged from where nothing is shown. */
  #spanFrom: number | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;
  #lastFacts = '';
  #lastReadout = '';

  constructor(
    { canvas, theme }: Extract<ToPrice, { readonly kind: 'open' }>,
    book: CanvasBook,
    post: (event: FromPrice) => void,
  ) {
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('The price pane got no context of its canvas.');
    this.#canvas = canvas;
    this.#context = context;
    this.#theme = theme;
    this.#book = book;
    this.#kept = new PriceColumns(book.marks);
    this.#post = post;
    book.listen((isOther) => {
      if (isOther) this.#kept.forget();
      this.#schedule(isOther ? 0 : this.#paintedAt + PAINT_MS - performance.now());
    });
    this.#schedule(0);
  }

  receive(message: ToPrice): void {
    switch (message.kind) {
      case 'open':
        return;
      case 'theme':
        this.#theme = message.theme;
        return this.#paint();
      case 'size': {
        const { width, height, ratio } = message;
        this.#size = { width, height, ratio };
        this.#canvas.width = Math.max(1, Math.round(width * ratio));
        this.#canvas.height = Math.max(1, Math.round(height * ratio));
        return this.#paint();
      }
      case 'look':
        this.#spanMs = message.spanMs;
        this.#hues = message.hues;
        return this.#paint();
      case 'point':
        this.#cursor = message.at;
        if (message.at === undefined) this.#spanFrom = undefined;
        return this.#postReadout();
      case 'span':
        if (message.at !== undefined) this.#cursor = message.at;
        this.#spanFrom = this.#readout()?.time ?? (message.at === undefined ? undefined : null);
        return this.#postReadout();
      case 'move':
        return this.#move(message.columns, message.rows);
      case 'choose':
        if (message.at !== undefined) this.#cursor = message.at;
        this.#choose();
        this.#spanFrom = undefined;
        return this.#postReadout();
      case 'close':
        clearTimeout(this.#timer);
        return this.#book.end();
    }
  }

  #choose(): void {
    const readout = this.#readout();
    if (readout === undefined || this.#spanFrom === null) return;
    const { height, span, isKept } = readout;
    if (span === undefined || span.height === height)
      return this.#post({ kind: 'chosen', height, since: undefined, isKept });
    this.#post({
      kind: 'chosen',
      height: Math.max(height, span.height),
      since: Math.min(height, span.height),
      isKept: isKept && span.isKept,
    });
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => this.#run(), Math.max(0, afterMs));
  }

  #run(): void {
    this.#timer = undefined;
    const shown = this.#book.shown();
    const moreAfterMs = shown && this.#kept.read(shown, performance.now());
    const isDue = performance.now() - this.#paintedAt >= PAINT_MS;
    if (isDue || moreAfterMs !== 0) this.#paint();
    if (moreAfterMs !== undefined) this.#schedule(Math.min(moreAfterMs, PAINT_MS));
  }

  #paint(): void {
    const { width, height, ratio } = this.#size;
    if (width === 0 || height === 0) return;
    this.#paintedAt = performance.now();
    const context = this.#context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = this.#theme.surface;
    context.fillRect(0, 0, width, height);
    const view = priceView(this.#kept.columns, { width, height, spanMs: this.#spanMs });
    this.#view = view;
    if (view !== undefined) {
      this.#paintHeat(view);
      this.#paintUnkept(view);
      this.#paintOwn(view);
      this.#paintMid(view);
      this.#paintDots(view);
      this.#paintShown(view);
    }
    const facts = view && { ...factsOf(view, this.#kept), keptFrom: this.#keptFrom() };
    const text = JSON.stringify(facts) ?? '';
    if (text !== this.#lastFacts) this.#post({ kind: 'facts', facts });
    this.#lastFacts = text;
    this.#postReadout();
  }

  #paintHeat(view: PriceView): void {
    const { cells, rows, rowHeight } = view;
    const image = new ImageData(heatPixels(view, this.#theme.bid.mark, this.#theme.ask.mark), cells.length, rows);
    this.#heat ??= new OffscreenCanvas(1, 1);
    this.#heat.width = cells.length;
    this.#heat.height = rows;
    this.#heat.getContext('2d')?.putImageData(image, 0, 0);
    const context = this.#context;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#heat, 0, 0, cells.length * CELL_WIDTH, rows * rowHeight);
  }

  /** The time of the oldest block that the book can be shown at. */
  #keptFrom(): number | undefined {
    const line = this.#book.shown()?.past.line;
    return line === undefined || line.first < 0 ? undefined : line.markAt(line.first).time;
  }

  /** What is older than the book can be shown is paler. */
  #paintUnkept(view: PriceView): void {
    const context = this.#context;
    context.globalAlpha = 0.4;
    context.fillStyle = this.#theme.surface;
    context.fillRect(0, 0, xOf(view, this.#keptFrom() ?? view.from), this.#size.height);
    context.globalAlpha = 1;
  }

  /** A thin line at the price of each order of a watched wallet, its letter at the end; many are paler, so that the map stays readable. */
  #paintOwn(view: PriceView): void {
    const context = this.#context;
    const orders = Math.max(0, ...view.cells.map((column) => column?.own.length ?? 0));
    context.globalAlpha = Math.min(OWN_ALPHA.few, Math.max(OWN_ALPHA.many, OWN_ALPHA.few * (OWN_FEW / orders)));
    for (const [cell, column] of view.cells.entries()) {
      for (const { px, mark } of column?.own ?? []) {
        const hue = this.#hues[mark - 1];
        if (column === undefined || hue === undefined) continue;
        context.fillStyle = this.#theme.wallets[hue];
        context.fillRect(cell * CELL_WIDTH, Math.floor(ownY(view, column, px)), CELL_WIDTH, 1);
      }
    }
    context.globalAlpha = 1;
  }

  #paintMid(view: PriceView): void {
    const context = this.#context;
    context.beginPath();
    let isOn = false;
    for (const [cell, mids] of view.mids.entries()) {
      if (mids !== undefined) {
        // All that the mid was in the time of a cell is drawn.
        const { first, high, low, last } = mids;
        const [start = 0, ...rest] = [first, high, low, last].map((column) =>
          yOf(view, midOf(column, view.scale) ?? 0),
        );
        const x = (cell + 0.5) * CELL_WIDTH;
        if (isOn) context.lineTo(x, start);
        else context.moveTo(cell * CELL_WIDTH, start);
        for (const y of rest) context.lineTo(x, y);
      }
      isOn = mids !== undefined;
    }
    // A dark rim, or a light one, sets the line apart from the map.
    for (const [color, lineWidth] of [
      [this.#theme.surface, 3.5],
      [this.#theme.strong, 1.5],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = lineWidth;
      context.stroke();
    }
  }

  /** Buys are filled; where sides differ by lightness only, sells are rings. */
  #paintDots(view: PriceView): void {
    const context = this.#context;
    const { surface, bid, ask } = this.#theme;
    const shown = this.#kept.dots.filter(({ time }) => time >= view.from && time <= view.to);
    // Numbers are sorted much faster than dots.
    const sizes = Float64Array.from(shown, ({ sz }) => sz).sort();
    const least = sizes.at(-DOTS_MAX) ?? 0;
    const largest = shown
      .filter(({ sz }) => sz >= least)
      .toSorted((a, b) => b.sz - a.sz)
      .slice(0, DOTS_MAX);
    const [first] = largest;
    if (first === undefined) return;
    for (const dot of largest) {
      const radius = RADIUS.least + RADIUS.more * Math.sqrt(dot.sz / first.sz);
      const { x, y } = this.#placeOf(view, dot);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      const isRing = ask.striped && !dot.isBuy;
      context.fillStyle = isRing ? surface : (dot.isBuy ? bid : ask).text;
      context.fill();
      context.lineWidth = 1;
      context.strokeStyle = isRing ? ask.text : surface;
      context.stroke();
    }
  }

  #placeOf(view: PriceView, { time, px }: Dot): Point {
    return { x: xOf(view, time), y: yOf(view, px * 10 ** view.scale) };
  }

  /** The position of a held block. */
  #paintShown(view: PriceView): void {
    const shown = this.#book.shown();
    if (shown?.frozen !== true) return;
    this.#context.fillStyle = this.#theme.accent;
    const x = Math.min(xOf(view, shown.position.blockTime), view.cells.length * CELL_WIDTH - 2);
    this.#context.fillRect(Math.round(x), 0, 2, this.#size.height);
  }

  #target(view: PriceView): readonly [cell: number, row: number] | undefined {
    const cursor = this.#cursor;
    if (cursor === undefined) return undefined;
    if ('x' in cursor)
      // A drag goes on outside the map.
      return [
        clamped(Math.floor(cursor.x / CELL_WIDTH), view.cells.length),
        clamped(Math.floor(cursor.y / view.rowHeight), view.rows),
      ];
    return [cellOfTime(view, cursor.time), view.top - Math.floor(cursor.units / view.step)];
  }

  #readout(): PointedAt | undefined {
    const view = this.#view;
    const target = view && this.#target(view);
    const readout = view && target && readoutAt(view, ...target, (number) => this.#kept.ownerOf(number));
    const column = view?.cells[target?.[0] ?? -1];
    if (view === undefined || readout === undefined || column === undefined) return undefined;
    const first = this.#book.shown()?.past.line.first ?? -1;
    const isKept = ({ place }: { readonly place: number }) => first >= 0 && place >= first;
    const from = typeof this.#spanFrom === 'number' ? cellOfTime(view, this.#spanFrom) : undefined;
    const start = view.cells[from ?? -1];
    const span =
      from === undefined || start === undefined
        ? undefined
        : { x: (from + 0.5) * CELL_WIDTH, height: start.height, time: start.time, isKept: isKept(start) };
    return { ...readout, isKept: isKept(column), span };
  }

  #postReadout(): void {
    const readout = this.#readout();
    const text = JSON.stringify(readout) ?? '';
    if (text !== this.#lastReadout) this.#post({ kind: 'readout', readout });
    this.#lastReadout = text;
  }

  #move(columns: number, rows: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const { cells, top, step } = view;
    const newest = cells.findLastIndex((column) => column !== undefined);
    const [cell, row] = this.#target(view) ?? [newest, Math.floor(view.rows / 2)];
    const from = cells[cell];
    // The next cell in which another block is shown.
    let next = cell;
    const by = Math.sign(columns);
    for (let left = Math.abs(columns); left > 0; left -= 1) {
      const before = cells[next];
      let at = next + by;
      while (at >= 0 && at < cells.length && (cells[at] === undefined || cells[at] === before)) at += by;
      if (at < 0 || at >= cells.length) break;
      next = at;
    }
    const column = cells[next] ?? from;
    if (column === undefined) return;
    const there = clamped(row - rows, view.rows);
    this.#cursor = { time: column.time, units: (top - there) * step };
    this.#postReadout();
  }
}

/** The cells of the map as red, green, blue and alpha, row after row. */
export function heatPixels(view: PriceView, bidColour: string, askColour: string): Uint8ClampedArray<ArrayBuffer> {
  const { bids, asks } = cellSizes(view);
  const words = new Uint32Array(bids.length);
  const strongest = clippedLargest(bids, asks);
  const [bid, ask] = [wordOf(bidColour), wordOf(askColour)];
  for (let index = 0; index < words.length; index += 1) {
    const [bidSize, askSize] = [bids[index] as number, asks[index] as number];
    const size = Math.max(bidSize, askSize);
    if (size === 0) continue;
    const share = Math.min(1, size / strongest);
    const alpha = Math.round(HEAT_MIN + share * (HEAT_MAX - HEAT_MIN));
    words[index] = (bidSize >= askSize ? bid : ask) | (alpha << 24);
  }
  return new Uint8ClampedArray(words.buffer);
}

const clamped = (at: number, count: number) => Math.max(0, Math.min(count - 1, at));

/** The last cell that shows the newest column up to a time. */
function cellOfTime({ cells }: PriceView, time: number): number {
  const cell = cells.findLastIndex((column) => column !== undefined && column.time <= time);
  const shown = cells[cell];
  return shown === undefined ? 0 : cells.indexOf(shown);
}

/** The size from which cells are drawn at full strength, estimated from every 7th cell. */
function clippedLargest(bids: Float32Array, asks: Float32Array): number {
  const some = new Float32Array(Math.ceil(bids.length / 7) * 2);
  let count = 0;
  for (const sizes of [bids, asks]) {
    for (let at = 0; at < sizes.length; at += 7) {
      const size = sizes[at] as number;
      if (size > 0) some[count++] = size;
    }
  }
  const sorted = some.subarray(0, count).sort();
  return sorted[Math.floor(count * (1 - CLIPPED_SHARE))] ?? 1;
}

/** Blue, green and red of `#rrggbb` from the highest byte on, as browsers keep pixels; grey of any other text. */
function wordOf(color: string): number {
  const rgb = /^#[\da-f]{6}$/i.test(color) ? Number.parseInt(color.slice(1), 16) : 0x80_80_80;
  return ((rgb & 0xff) << 16) | (rgb & 0xff_00) | (rgb >> 16);
}
