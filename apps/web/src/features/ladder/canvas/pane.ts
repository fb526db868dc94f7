import type { Address } from '@l4desk/protocol';
import {
  type Axis,
  type Centring,
  indexAtSlot,
  resized,
  rowsOutOfSight,
  scrolled,
  sideOfIndex,
} from '../../../book-worker/axis.ts';
import { type LadderFrame, readFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/live.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { priceOfIndex, type TickGrid, tickGrid } from '../../../book-worker/prices.ts';
import { type LadderSnapshot, ladderSnapshot } from '../snapshot.ts';
import type { ColumnChoice } from './columns.ts';
import type { Renderer } from './open-renderer.ts';
import { HEADING } from './paint-lines.ts';
import { PanePointer, type PointerTarget } from './pointer.ts';
import type { BarScale } from './scale.ts';
import type { CanvasTheme, LaneMark } from './theme.ts';

/** What the person chose for the pane. */
export interface PaneOptions {
  readonly tick: string | undefined;
  readonly mode: Centring;
  readonly rowHeight: number;
  readonly choice: ColumnChoice & { readonly bars: BarScale };
  readonly selected: LevelRef | undefined;
  /** How each mark of a frame is drawn, from 1. */
  readonly marks: readonly LaneMark[];
  /** The wallet whose orders are left out of the numbers. */
  readonly without: Address | undefined;
  readonly motion: boolean;
}

/** What the chrome around the canvas shows of the pane, a few times a second at most. */
export interface PaneView {
  readonly snapshot: LadderSnapshot | undefined;
  /** Rows that a best price is out of sight: positive above, negative below. */
  readonly rowsToTouch: RowsToTouch;
  readonly active: number | undefined;
}

/** Rows to the best prices: positive above, negative below, 0 in sight or not there. */
export interface RowsToTouch {
  readonly bid: number;
  readonly ask: number;
}

export interface PaneEvents {
  /** A row was chosen. The price is the one that stood there when the button went down (WEB-4). */
  onSelect(level: LevelRef): void;
  onView(view: PaneView): void;
}

/** Time between two views: the accessible twin follows at this pace. */
const VIEW_MS = 400;
/** A view that is due waits this long for a frame to come behind. */
const FRAME_WAIT_MS = 100;
/** A pointer or a keyboard cursor that does not move holds the rows no longer than this. */
export const HOLD_MS = 10_000;
/** The most orders a row's queue lane shows, however wide it is. */
const LANE_ORDERS_MAX = 256;

/**
 * The canvas ladder: asks for frames, draws them, and turns pointer, wheel and keys into scrolling and choosing.
 *
 * Loop "frame": a drawn frame asks for the next one, which comes when the book has changed; a hidden page asks for none.
 */
export class LadderPane {
  readonly #live: LadderFeed;
  readonly #events: PaneEvents;
  readonly #renderer: Renderer;
  readonly #ending = new AbortController();
  #options: PaneOptions;
  #generation = 0;
  #height = 0;
  #slots = 0;
  #laneOrders = 0;
  /** The axis the next frame starts from: that of the last frame, or where the person scrolled it since. */
  #axis: Axis | undefined;
  #frame: LadderFrame | undefined;
  #grid: TickGrid | undefined;
  /** What the panes show of the frame; handed to them when it is drawn, so that they are never of another block. */
  #panes: PanesFrame | undefined;
  #undrawn = false;
  /** The frame that the renderer has. */
  #drawn: LadderFrame | undefined;
  #serial = 0;
  /** What the question under way is about: `now` is answered at once, `next` when something changes. */
  #asked: 'no' | 'now' | 'next' = 'no';
  #askedHeld = false;
  /** The question changed since it was asked. */
  #changed = true;
  #recentre = false;
  #spare: ArrayBuffer | undefined;
  #frameRequest = 0;
  #viewTimer: ReturnType<typeof setTimeout> | undefined;
  #viewAt = 0;
  #hover: number | undefined;
  #pointing = false;
  #active: number | undefined;
  /** Ends a hold that nobody needs any more; undefined once it has, and while there is none. */
  #holdTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    canvas: HTMLCanvasElement,
    renderer: Renderer,
    live: LadderFeed,
    options: PaneOptions,
    events: PaneEvents,
  ) {
    this.#live = live;
    this.#events = events;
    this.#options = options;
    this.#renderer = renderer;
    renderer.post({ kind: 'marks', marks: options.marks });
    live.onFrame((buffer, panes) => this.#receive(buffer, panes));
    const { signal } = this.#ending;
    const pointer = new PanePointer(canvas, this.#pointerTarget());
    pointer.listen(signal);
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
  }

  close(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#frameRequest);
    clearTimeout(this.#viewTimer);
    clearTimeout(this.#holdTimer);
    this.#live.onFrame(() => {});
    this.#live.showPanes(undefined);
    this.#live.rest();
    this.#renderer.close();
  }

  setTheme(theme: CanvasTheme): void {
    this.#renderer.post({ kind: 'theme', theme });
  }

  setOptions(options: PaneOptions): void {
    const before = this.#options;
    this.#options = options;
    if (options.tick !== before.tick) {
      this.#forgetRows();
    }
    if (options.mode !== before.mode) this.recentre();
    const { notional, flow } = before.choice;
    const isOther = options.choice.notional !== notional || options.choice.flow !== flow;
    if (isOther || options.without !== before.without) this.#ask();
    if (options.marks !== before.marks) this.#renderer.post({ kind: 'marks', marks: options.marks });
    if (options.rowHeight !== before.rowHeight) this.#fit();
    this.#redraw();
  }

  /** Another coin is followed: nothing on the canvas belongs to it. */
  coinChanged(): void {
    if (this.#generation === this.#live.generation) return;
    this.#generation = this.#live.generation;
    this.#frame = undefined;
    this.#panes = undefined;
    this.#forgetRows();
    this.#renderer.post({ kind: 'blank' });
    this.#asked = 'no';
    this.#tellView();
    this.#schedule();
  }

  resize(width: number, height: number, ratio: number): void {
    this.#height = height;
    // A segment and its gap take three pixels at least.
    this.#laneOrders = Math.min(LANE_ORDERS_MAX, Math.ceil(width / 3));
    this.#renderer.post({ kind: 'size', width, height, ratio });
    this.#fit();
  }

  recentre(): void {
    this.#recentre = true;
    this.#ask();
  }

  scroll(rows: number): void {
    if (this.#axis === undefined || rows === 0) return;
    this.#axis = scrolled(this.#axis, rows);
    this.#ask();
  }

  /** Moves the keyboard's row to the next one with orders: -1 up, 1 down; a page goes as far as the pane is high. */
  moveActive(by: number): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    const rows = this.snapshot()?.rows.map(({ index }) => index) ?? [];
    if (rows.length === 0) return;
    const from = this.#active ?? frame.ask?.index ?? frame.bid?.index ?? 0;
    const at = rows.findIndex((index) => index <= from);
    const exact = rows[at] === from;
    const start = at < 0 ? rows.length : at;
    const target = this.#active === undefined ? start : by > 0 && !exact ? start : start + by;
    if (target < 0 || target >= rows.length) {
      this.scroll(target < 0 ? Math.max(1, -by) : -Math.max(1, by));
      this.#active = rows[target < 0 ? 0 : rows.length - 1];
    } else {
      this.#active = rows[target];
    }
    this.#hold();
    this.#ask();
    this.#redraw();
    this.#tellView();
  }

  clearActive(): void {
    if (this.#active === undefined) return;
    this.#active = undefined;
    this.#ask();
    this.#redraw();
    this.#tellView();
  }

  chooseActive(): void {
    if (this.#active === undefined) return;
    const level = this.#levelOf(this.#active);
    if (level !== undefined) this.#events.onSelect(level);
  }

  /** How many rows a page key scrolls. */
  get page(): number {
    return Math.max(1, this.#slots - 2);
  }

  /** The drawn rows as plain values: they stay when the frame's buffer has gone back to the worker. */
  snapshot(): LadderSnapshot | undefined {
    const frame = this.#frame;
    const grid = frame && this.#gridOf(frame);
    return grid && ladderSnapshot(frame, grid);
  }

  /** Not made when the frame comes: its texts are left to whoever draws them until something here is asked for. */
  #gridOf({ tick }: LadderFrame): TickGrid | undefined {
    if (this.#grid?.tick !== tick) this.#grid = tickGrid(tick);
    return this.#grid;
  }

  #fit(): void {
    const slots = Math.max(1, Math.floor((this.#height - HEADING) / this.#options.rowHeight));
    if (slots === this.#slots) return;
    if (this.#axis !== undefined && this.#slots > 0) this.#axis = resized(this.#axis, this.#slots, slots);
    this.#slots = slots;
    this.#ask();
  }

  #forgetRows(): void {
    this.#axis = undefined;
    this.#active = undefined;
    this.#hover = undefined;
    this.#recentre = true;
    this.#renderer.post({ kind: 'reset' });
    this.#ask();
  }

  /** Something about the question changed: ask anew, unless an answer to the old one is on its way already. */
  #ask(): void {
    this.#changed = true;
    this.#schedule();
  }

  #redraw(): void {
    this.#undrawn = this.#frame !== undefined;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#frameRequest !== 0 || document.hidden) return;
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0;
      this.#step();
    });
  }

  #step(): void {
    if (this.#undrawn) this.#draw();
    if (this.#slots === 0 || this.#generation === 0) return;
    if (this.#asked === 'now' || (this.#asked === 'next' && !this.#changed)) return;
    this.#serial += 1;
    const after = this.#changed ? 0 : (this.#frame?.version ?? 0);
    this.#asked = after === 0 ? 'now' : 'next';
    this.#askedHeld = this.#held;
    this.#live.ask(
      {
        serial: this.#serial,
        generation: this.#generation,
        after,
        tick: (this.#options.tick ?? null) as LevelRef['tick'] | null,
        axis: this.#axis ?? null,
        slots: this.#slots,
        mode: this.#options.mode,
        held: this.#held,
        recentre: this.#recentre,
        lane: this.#options.choice.lane ? this.#laneOrders : 0,
        notional: this.#options.choice.notional,
        flow: this.#options.choice.flow,
        without: this.#options.without,
      },
      this.#spare,
    );
    this.#spare = undefined;
    this.#changed = false;
  }

  #receive(buffer: ArrayBuffer, panes: PanesFrame | undefined): void {
    const frame = readFrame(buffer);
    if (frame.generation !== this.#generation || frame.serial !== this.#serial) {
      this.#spare = buffer;
      return;
    }
    this.#asked = 'no';
    const drawn = this.#frame;
    const moved = drawn !== undefined && this.#axis !== undefined && !sameAxis(frame.axis, drawn.axis);
    if (moved && this.#held && !this.#askedHeld && !this.#recentre) {
      // A pointer came while this was counted: its rows must not move under it (WEB-3).
      this.#spare = buffer;
      this.#ask();
      return;
    }
    if (drawn !== undefined) this.#spare = drawn.buffer;
    this.#frame = frame;
    this.#panes = panes;
    // What the person did meanwhile stands; the next frame follows it.
    if (!this.#changed) {
      this.#axis = frame.axis;
      this.#recentre = false;
    }
    this.#undrawn = true;
    this.#wantView();
    this.#schedule();
  }

  #draw(): void {
    this.#undrawn = false;
    const frame = this.#frame;
    if (frame === undefined) return;
    const { choice, rowHeight, motion, selected } = this.#options;
    const buffer = this.#drawn === frame ? undefined : frame.buffer;
    this.#drawn = frame;
    const scene = { choice, rowHeight, motion, selected, hover: this.#hover, active: this.#active };
    this.#renderer.post({ kind: 'paint', buffer, choice: scene });
    this.#live.showPanes(this.#panes);
    this.#tellViewBehindFrame();
  }

  get #held(): boolean {
    return this.#holdTimer !== undefined && (this.#pointing || this.#active !== undefined);
  }

  /** A pointer moved or a key was pressed: the rows stay where they are, for a while. */
  #hold(): void {
    const wasHeld = this.#held;
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => {
      this.#holdTimer = undefined;
      // What the pointer was on moves away from under it.
      this.#hover = undefined;
      this.#ask();
      this.#redraw();
    }, HOLD_MS);
    if (!wasHeld) this.#ask();
  }

  #wantView(): void {
    if (this.#viewTimer !== undefined) return;
    const due = this.#viewAt + VIEW_MS + FRAME_WAIT_MS - performance.now();
    this.#viewTimer = setTimeout(() => this.#tellView(), Math.max(0, due));
  }

  /** Right behind a drawn frame there is the most time until the next one: the view goes there if it is due. */
  #tellViewBehindFrame(): void {
    if (this.#viewTimer === undefined || performance.now() < this.#viewAt + VIEW_MS) return;
    clearTimeout(this.#viewTimer);
    this.#viewTimer = setTimeout(() => this.#tellView());
  }

  #tellView(): void {
    clearTimeout(this.#viewTimer);
    this.#viewTimer = undefined;
    this.#viewAt = performance.now();
    const frame = this.#frame;
    const view: PaneView = {
      snapshot: this.snapshot(),
      rowsToTouch: { bid: rowsTo(frame, frame?.touch.bid), ask: rowsTo(frame, frame?.touch.ask) },
      active: this.#active,
    };
    this.#events.onView(view);
  }

  #slotAt(y: number): number | undefined {
    const slot = Math.floor((y - HEADING) / this.#options.rowHeight);
    return slot >= 0 && slot < this.#slots ? slot : undefined;
  }

  #levelOf(index: number | undefined): LevelRef | undefined {
    const frame = this.#frame;
    const grid = frame && this.#gridOf(frame);
    if (frame === undefined || grid === undefined || index === undefined) return undefined;
    const row = rowOfIndex(frame, index);
    const side = row === undefined ? sideOfIndex(frame.touch, index) : frame.side(row);
    return { side, px: priceOfIndex(grid, index), tick: grid.tick };
  }

  #levelAt(y: number): LevelRef | undefined {
    const slot = this.#slotAt(y);
    if (slot === undefined || this.#frame === undefined) return undefined;
    return this.#levelOf(indexAtSlot(this.#frame.axis, slot));
  }

  #pointerTarget(): PointerTarget {
    return {
      rowHeight: () => this.#options.rowHeight,
      axis: () => this.#frame?.axis,
      levelAt: (y) => this.#levelAt(y),
      onPoint: (y) => this.#point(y === undefined ? undefined : this.#slotAt(y)),
      onLeave: () => {
        this.#pointing = false;
        this.#hover = undefined;
        this.#ask();
        this.#redraw();
      },
      onChoose: (level) => this.#events.onSelect(level),
      onDrag: (from, rows) => {
        const target = scrolled(from, rows);
        if (target.top === this.#axis?.top) return;
        this.#axis = { ...target, detached: true };
        this.#ask();
      },
      onWheel: (rows) => this.scroll(rows),
    };
  }

  #point(slot: number | undefined): void {
    this.#pointing = true;
    this.#hold();
    if (slot === this.#hover) return;
    this.#hover = slot;
    this.#redraw();
  }

  #onVisibility(): void {
    if (document.hidden) {
      cancelAnimationFrame(this.#frameRequest);
      this.#frameRequest = 0;
      this.#asked = 'no';
      this.#live.rest();
      // An answer that is already on its way belongs to the past.
      this.#serial += 1;
    } else {
      this.#ask();
    }
  }
}

function sameAxis(a: Axis, b: Axis): boolean {
  return a.top === b.top;
}

function rowsTo(frame: LadderFrame | undefined, index: number | undefined): number {
  return frame === undefined || index === undefined ? 0 : rowsOutOfSight(frame.axis, frame.slots, index);
}

function rowOfIndex(frame: LadderFrame, index: number): number | undefined {
  for (let row = 0; row < frame.rowCount; row += 1) if (frame.index(row) === index) return row;
  return undefined;
}
