import { type Axis, resized, scrolled, showing } from '../../../book-worker/axis.ts';
import { type LadderFrame, readFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/ladder-feed.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { type LadderSnapshot, ladderSnapshot } from '../snapshot.ts';
import { FrameRequests } from './frame-requests.ts';
import { cursorStep, levelOfIndex, rowsToTouch } from './frame-rows.ts';
import { Hold } from './hold.ts';
import { laneOrdersFor } from './lane-hit.ts';
import type { Renderer } from './open-renderer.ts';
import { headingsHeight } from './paint-lines.ts';
import { PaneTools } from './pane-tools.ts';
import type { PaneEvents, PaneOptions, PaneWindow } from './pane-types.ts';
import { PanePointer } from './pointer.ts';
import { RowPointing } from './row-pointing.ts';
import type { CanvasTheme } from './theme.ts';
import { ViewPace } from './view-pace.ts';

/**
 * The canvas ladder: requests frames, draws them, and turns pointer, wheel and keys into scrolling and selecting.
 *
 * Loop "frame": a drawn frame requests the next one, which arrives when the book has changed; a hidden page requests none.
 */
export class LadderPane {
  readonly #live: LadderFeed;
  readonly #events: PaneEvents;
  readonly #renderer: Renderer;
  readonly #ending = new AbortController();
  readonly #requests: FrameRequests;
  readonly #pace: ViewPace;
  readonly #hold: Hold;
  readonly #tools: PaneTools;
  readonly #pointing: RowPointing;
  #options: PaneOptions;
  #generation = 0;
  #width = 0;
  #height = 0;
  #slots = 0;
  #laneOrders = 0;
  /** The axis for the next frame: that of the last frame, or where the person has scrolled it since. */
  #axis: Axis | undefined;
  #frame: LadderFrame | undefined;
  /** The panes' part of the frame; published when the frame is drawn, so that they always show the same block. */
  #panes: PanesFrame | undefined;
  #undrawn = false;
  /** The last frame sent to the renderer. */
  #drawn: LadderFrame | undefined;
  #recentre = false;
  #frameRequest = 0;
  #active: number | undefined;
  #windowTold = '';

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
    this.#requests = new FrameRequests(live);
    this.#pace = new ViewPace(() => this.#tellView());
    this.#tools = new PaneTools(
      live,
      {
        frame: () => this.#frame,
        options: () => this.#options,
        layout: () => renderer.layout,
        onChange: () => this.#redraw(),
      },
      events,
    );
    this.#pointing = new RowPointing({
      tools: this.#tools,
      frame: () => this.#frame,
      options: () => this.#options,
      active: () => this.#active,
      hold: () => this.#holdRows(),
      onLeave: () => {
        this.#ask();
        this.#redraw();
      },
      onHover: () => this.#redraw(),
      schedule: () => this.#schedule(),
      select: (level) => events.onSelect(level),
      scrollTo: (axis) => this.#scrollTo(axis),
      scroll: (rows) => this.scroll(rows),
    });
    this.#hold = new Hold(() => {
      // The row under the pointer is about to move away.
      this.#pointing.forget();
      this.#ask();
      this.#redraw();
    });
    renderer.post({ kind: 'marks', marks: options.marks });
    live.onFrame((buffer, panes) => this.#receive(buffer, panes));
    const { signal } = this.#ending;
    new PanePointer(canvas, this.#pointing).listen(signal);
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
  }

  close(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#frameRequest);
    this.#pace.close();
    this.#hold.close();
    this.#tools.forget();
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
    if (options.tick !== before.tick) this.#forgetRows();
    if (options.mode !== before.mode) this.recentre();
    const { notional, flow, lane } = before.choice;
    const { choice } = options;
    const isOther = choice.notional !== notional || choice.flow !== flow || choice.lane !== lane;
    if (isOther || options.without !== before.without) this.#ask();
    if (options.marks !== before.marks) this.#renderer.post({ kind: 'marks', marks: options.marks });
    if (options.rowHeight !== before.rowHeight || options.choice.layout !== before.choice.layout) this.#fit();
    this.#redraw();
  }

  /** Another coin is followed: clears the canvas. */
  coinChanged(): void {
    if (this.#generation === this.#live.generation) return;
    this.#generation = this.#live.generation;
    this.#frame = undefined;
    this.#panes = undefined;
    this.#forgetRows();
    this.#renderer.post({ kind: 'blank' });
    this.#requests.forget();
    this.#pace.now();
    this.#schedule();
  }

  resize(width: number, height: number, ratio: number): void {
    this.#width = width;
    this.#height = height;
    this.#laneOrders = laneOrdersFor(width);
    this.#renderer.post({ kind: 'size', width, height, ratio });
    this.#fit();
  }

  recentre(): void {
    this.#recentre = true;
    this.#ask();
  }

  scroll(rows: number): void {
    if (this.#axis !== undefined) this.#scrollTo(scrolled(this.#axis, rows));
  }

  /** Scrolls a price index to the middle. */
  show(index: number): void {
    if (this.#axis !== undefined) this.#scrollTo(showing(index, this.#slots));
  }

  /** Moves the keyboard's row to the next one with orders: -1 up, 1 down; a page key moves by the height of the pane. */
  moveActive(by: number): void {
    const frame = this.#frame;
    const rows = this.snapshot()?.rows.map(({ index }) => index) ?? [];
    if (frame === undefined || rows.length === 0) return;
    const from = this.#active ?? frame.ask?.index ?? frame.bid?.index ?? 0;
    const step = cursorStep(rows, from, this.#active !== undefined, by);
    if ('scroll' in step) this.scroll(step.scroll);
    if (this.#tools.tool === 'ruler') this.#tools.measureTo(step.row);
    else if (this.#tools.isSweeping) this.#tools.clearBand();
    this.#tools.leaveLane();
    this.#activate(step.row);
  }

  /** Moves through the orders of the keyboard's row: 1 to the back of the queue, -1 to its front. */
  moveInLane(by: number): void {
    const { bid, ask } = this.#frame?.touch ?? {};
    const index = this.#active ?? bid ?? ask;
    if (index !== undefined && this.#tools.moveInLane(index, by)) this.#activate(index);
  }

  /** Extends a sweep by one row from the best price with each press: 1 up, -1 down. */
  moveSweep(by: 1 | -1): void {
    const end = this.#tools.moveSweep(by);
    if (end !== undefined) this.#activate(end);
  }

  /** Takes the ruler or puts it away. */
  toggleRuler(): void {
    this.#tools.toggleRuler(this.#active);
  }

  /** Clears what the keyboard points at or measures; returns false if there was nothing. */
  escape(): boolean {
    return this.#tools.escape();
  }

  clearActive(): void {
    if (this.#active === undefined) return;
    this.#active = undefined;
    if (this.#tools.chosen !== undefined) this.#tools.leaveLane();
    this.#tools.crosshair(undefined);
    this.#ask();
    this.#redraw();
    this.#pace.now();
  }

  /** Opens the lane order that the keyboard is on, otherwise its row. */
  chooseActive(): void {
    const { chosen } = this.#tools;
    if (chosen !== undefined) return this.#events.onOrder(chosen.level, chosen.oid);
    const frame = this.#frame;
    if (frame === undefined || this.#active === undefined) return;
    this.#events.onSelect(levelOfIndex(frame, this.#active));
  }

  /** How many rows a page key scrolls. */
  get page(): number {
    return Math.max(1, this.#slots - 2);
  }

  /** The drawn rows as plain values, which remain valid after the frame's buffer has gone back to the worker. */
  snapshot(): LadderSnapshot | undefined {
    return this.#frame && ladderSnapshot(this.#frame, this.#frame.grid);
  }

  #scrollTo(axis: Axis): void {
    if (axis.top === this.#axis?.top) return;
    this.#axis = axis;
    this.#ask();
  }

  #fit(): void {
    const headings = headingsHeight(this.#options.choice.layout, this.#width);
    const slots = Math.max(1, Math.floor((this.#height - headings) / this.#options.rowHeight));
    if (slots === this.#slots) return;
    if (this.#axis !== undefined && this.#slots > 0) this.#axis = resized(this.#axis, this.#slots, slots);
    this.#slots = slots;
    this.#ask();
  }

  #forgetRows(): void {
    this.#axis = undefined;
    this.#active = undefined;
    this.#pointing.forget();
    this.#tools.forget();
    this.#recentre = true;
    this.#renderer.post({ kind: 'reset' });
    this.#ask();
  }

  /** The request changed: sends it again, unless a response to the old one is already in flight. */
  #ask(): void {
    this.#requests.change();
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
    this.#pointing.lookUp();
    if (this.#undrawn) this.#draw();
    if (this.#slots === 0 || this.#generation === 0) return;
    const { tick, mode, choice, without } = this.#options;
    this.#requests.ask(
      {
        generation: this.#generation,
        tick: (tick ?? null) as LevelRef['tick'] | null,
        axis: this.#axis ?? null,
        slots: this.#slots,
        mode,
        held: this.#held,
        recentre: this.#recentre,
        lane: choice.lane ? this.#laneOrders : 0,
        notional: choice.notional,
        flow: choice.flow,
        without,
      },
      this.#frame?.version ?? 0,
    );
  }

  #receive(buffer: ArrayBuffer, panes: PanesFrame | undefined): void {
    const frame = readFrame(buffer);
    if (!this.#requests.isResponse(frame, this.#generation)) return;
    const drawn = this.#frame;
    const moved = drawn !== undefined && this.#axis !== undefined && frame.axis.top !== drawn.axis.top;
    if (moved && this.#held && this.#requests.wasFree && !this.#recentre) {
      // A pointer arrived while this frame was computed: its rows must not move under it.
      this.#requests.giveBack(frame);
      this.#ask();
      return;
    }
    if (drawn !== undefined) this.#requests.giveBack(drawn);
    this.#frame = frame;
    this.#panes = panes;
    // What the person did meanwhile takes precedence; the next frame will follow it.
    if (!this.#requests.isChanged) {
      this.#axis = frame.axis;
      this.#recentre = false;
    }
    this.#undrawn = true;
    this.#pace.want();
    this.#schedule();
  }

  #draw(): void {
    this.#undrawn = false;
    const frame = this.#frame;
    if (frame === undefined) return;
    const { choice, rowHeight, motion, selected, crosshair } = this.#options;
    const buffer = this.#drawn === frame ? undefined : frame.buffer;
    this.#drawn = frame;
    this.#tools.follow(this.#panes);
    this.#renderer.post({
      kind: 'paint',
      buffer,
      choice: {
        choice,
        rowHeight,
        motion,
        selected,
        crosshair,
        hover: this.#pointing.hover,
        active: this.#active,
        ...this.#tools.marks,
      },
    });
    this.#live.showPanes(this.#panes);
    this.#tools.drawn();
    this.#tellWindow();
  }

  get #held(): boolean {
    return this.#hold.isOn && (this.#pointing.isOver || this.#active !== undefined);
  }

  /** A pointer moved or a key was pressed: the rows stay in place for a while. */
  #holdRows(): void {
    const wasHeld = this.#held;
    this.#hold.extend();
    if (!wasHeld) this.#ask();
  }

  #activate(index: number): void {
    this.#active = index;
    this.#tools.crosshair(index);
    this.#holdRows();
    this.#ask();
    this.#redraw();
    this.#pace.now();
  }

  #tellView(): void {
    this.#events.onView({ snapshot: this.snapshot(), rowsToTouch: rowsToTouch(this.#frame), active: this.#active });
  }

  /** The visible prices; undefined before there are any. */
  get window(): PaneWindow | undefined {
    return this.#frame && { tick: this.#frame.grid.tick, top: this.#frame.axis.top, slots: this.#frame.slots };
  }

  #tellWindow(): void {
    const { window } = this;
    const told = JSON.stringify(window);
    if (window === undefined || told === this.#windowTold) return;
    this.#windowTold = told;
    this.#events.onWindow(window);
  }

  #onVisibility(): void {
    if (document.hidden) {
      cancelAnimationFrame(this.#frameRequest);
      this.#frameRequest = 0;
      this.#requests.rest();
    } else {
      this.#ask();
    }
  }
}
