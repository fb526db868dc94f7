import {
  type Axis,
  barSlot,
  indicesIn,
  movesOnAfter,
  resized,
  scrolled,
  showing,
  slotOfIndex,
} from '../../../book-worker/axis.ts';
import type { LadderFrame } from '../../../book-worker/ladder-frame.ts';
import { indexHolding, indexOfPrice } from '../../../book-worker/prices.ts';
import type { CanvasBook } from '../../../book-worker/worker/canvases.ts';
import { ladderSnapshot } from '../snapshot.ts';
import { cursorStep, levelOfIndex, rowsToTouch } from './frame-rows.ts';
import { Hold } from './hold.ts';
import { SceneInput } from './input.ts';
import { type Layout, laneOrdersFor } from './lane.ts';
import { HEADING, headingsHeight } from './paint-lines.ts';
import { Painter } from './painter.ts';
import { SceneTools } from './scene-tools.ts';
import type { FromScene, OpenScene, SceneCommand, SceneOptions, SceneParts, ToScene } from './scene-types.ts';

/** Shortest time between two views: the accessible table is updated at this pace. */
const VIEW_MS = 400;

/** For how long a change waits for an animation frame. On a loaded machine the browser may run none in a worker for seconds. */
const LATEST_FRAME_MS = 100;

/** The time now, in ms since the Unix epoch, as exact as that of an event on the page. */
const exactNow = () => performance.timeOrigin + performance.now();

/**
 * A ladder, painted where the book is: reads its rows, draws them, and turns pointer, wheel and keys into scrolling and selecting.
 *
 * Loop "frame": a change requests one animation frame, which reads and draws whatever has changed by then. If it is late, a timer
 * draws instead. Nothing changes while the page is hidden.
 */
export class LadderScene implements SceneParts {
  readonly #canvas: HTMLCanvasElement | OffscreenCanvas;
  readonly book: CanvasBook;
  readonly post: (event: FromScene) => void;
  readonly #painter: Painter;
  readonly #tools: SceneTools;
  readonly #input: SceneInput;
  readonly #hold: Hold;
  options: SceneOptions;
  #width = 0;
  #height = 0;
  #slots = 0;
  /** The axis for the next frame: that of the last one, or where the person has scrolled it since. */
  #axis: Axis | undefined;
  frame: LadderFrame | undefined;
  /** When the frame was first drawn, and what was on the screen until then. */
  #drawnAt = 0;
  #before: LadderFrame | undefined;
  /** The rows have to be read again, or drawn again. */
  #isStale = true;
  #isUndrawn = false;
  #recentre = false;
  #isStill = false;
  active: number | undefined;
  #animationFrame = 0;
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  #fadeTimer: ReturnType<typeof setTimeout> | undefined;
  /** Set while the rows are on their way after the market, which may rest meanwhile. */
  #moveTimer: ReturnType<typeof setTimeout> | undefined;
  #viewTimer: ReturnType<typeof setTimeout> | undefined;
  #viewAt = Number.NEGATIVE_INFINITY;
  #postedWindow = '';

  constructor(
    {
      canvas,
      theme,
      options,
    }: Pick<OpenScene, 'theme' | 'options'> & { readonly canvas: HTMLCanvasElement | OffscreenCanvas },
    book: CanvasBook,
    post: (event: FromScene) => void,
  ) {
    this.#canvas = canvas;
    this.book = book;
    this.post = post;
    this.options = options;
    this.#painter = new Painter(canvas, theme);
    this.#tools = new SceneTools(this);
    this.#input = new SceneInput(this, this.#tools);
    this.#hold = new Hold(() => {
      // The row under the pointer is about to move away.
      this.#input.forget();
      this.reread();
    });
    // The browser may drop the context, for example when memory is low.
    canvas.addEventListener('contextrestored', this.#restore);
    book.listen((isOther) => {
      if (isOther) this.#blank();
      this.reread();
    });
  }

  get layout(): Layout | undefined {
    return this.#painter.layout;
  }

  frameAt(at: number): LadderFrame | undefined {
    return at < this.#drawnAt ? (this.#before ?? this.frame) : this.frame;
  }

  extendHold(): void {
    this.#hold.extend();
  }

  receive(message: ToScene): void {
    switch (message.kind) {
      case 'theme':
        this.#painter.setTheme(message.theme);
        return this.#draw();
      case 'options':
        return this.#setOptions(message.options);
      case 'size':
        return this.#resize(message);
      case 'pointer':
        return this.#input.receive(message);
      case 'wheel':
        return this.#input.turn(message);
      case 'menu': {
        const level = this.#input.levelForMenu(message);
        if (level !== undefined) this.post({ ...message, level });
        return;
      }
      case 'close':
        return this.close();
      default:
        return this.#run(message);
    }
  }

  close(): void {
    this.book.end();
    this.#canvas.removeEventListener('contextrestored', this.#restore);
    cancelAnimationFrame(this.#animationFrame);
    clearTimeout(this.#lateTimer);
    clearTimeout(this.#fadeTimer);
    clearTimeout(this.#moveTimer);
    clearTimeout(this.#viewTimer);
    this.#hold.close();
  }

  #run(command: SceneCommand): void {
    switch (command.kind) {
      case 'recentre':
        this.#recentre = true;
        return this.reread();
      case 'still':
        this.#isStill = command.isStill;
        return this.reread();
      case 'scroll':
        return this.#scroll(command.rows);
      case 'scrollPages':
        return this.#scroll(command.by * Math.max(1, this.#slots - 2));
      case 'show':
        if (this.#axis !== undefined) this.scrollTo(showing(this.#axis, command.index, this.#slots));
        return;
      case 'moveActive':
        return this.#moveActive(command.by);
      case 'moveInLane': {
        const { bid, ask } = this.frame?.touch ?? {};
        const index = this.active ?? bid ?? ask;
        if (index !== undefined && this.#tools.moveInLane(index, command.by)) this.#activate(index);
        return;
      }
      case 'moveSweep': {
        const end = this.#tools.moveSweep(command.by);
        if (end !== undefined) this.#activate(end);
        return;
      }
      case 'toggleRuler':
        return this.#tools.toggleRuler(this.active);
      case 'escape':
        this.#tools.escape();
        return;
      case 'clearActive':
        return this.#clearActive();
      case 'menuAtActive':
        return this.#menuAtActive();
      case 'measureFrom': {
        const start = this.#tools.measureFrom(command.level);
        if (start !== undefined) this.#activate(start);
        return;
      }
      case 'chooseActive':
        return this.#chooseActive();
    }
  }

  #setOptions(options: SceneOptions): void {
    const before = this.options;
    this.options = options;
    if (options.tick !== before.tick) this.#forgetRows();
    if (options.mode !== before.mode) this.#recentre = true;
    if (options.rowHeight !== before.rowHeight || options.choice.layout !== before.choice.layout) this.#fit();
    this.reread();
  }

  #resize({ width, height, ratio }: Extract<ToScene, { readonly kind: 'size' }>): void {
    this.#width = width;
    this.#height = height;
    this.#painter.resize(width, height, ratio);
    this.#fit();
    // A resized canvas is blank until it is drawn.
    if (this.#isStale) this.#read();
    if (this.frame === undefined) return;
    this.#draw();
    this.#tellView();
  }

  #fit(): void {
    const headings = headingsHeight(this.options.choice.layout, this.#width);
    const slots = Math.max(1, Math.floor((this.#height - headings) / this.options.rowHeight));
    if (slots === this.#slots) return;
    if (this.#axis !== undefined && this.#slots > 0) this.#axis = resized(this.#axis, this.#slots, slots);
    this.#slots = slots;
    this.reread();
  }

  #scroll(rows: number): void {
    if (this.#axis !== undefined) this.scrollTo(scrolled(this.#axis, rows));
  }

  scrollTo(axis: Axis): void {
    if (axis.top === this.#axis?.top) return;
    this.#axis = axis;
    this.reread();
  }

  #moveActive(by: number): void {
    const frame = this.frame;
    const rows = frame === undefined ? [] : ladderSnapshot(frame).rows.map(({ index }) => index);
    if (frame === undefined || rows.length === 0) return;
    const from = this.active ?? frame.touch.ask ?? frame.touch.bid ?? 0;
    const step = cursorStep(rows, from, this.active !== undefined, by);
    if ('scroll' in step) this.#scroll(step.scroll);
    if (this.#tools.tool === 'ruler') this.#tools.measureTo(step.row);
    else if (this.#tools.isSweeping) this.#tools.clearBand();
    this.#tools.leaveLane();
    this.#activate(step.row);
  }

  #activate(index: number): void {
    this.active = index;
    this.#tools.crosshair(index);
    this.#hold.extend();
    this.reread();
    this.#tellView();
  }

  #clearActive(): void {
    if (this.active === undefined) return;
    this.active = undefined;
    if (this.#tools.chosen !== undefined) this.#tools.leaveLane();
    this.#tools.crosshair(undefined);
    this.reread();
    this.#tellView();
  }

  /** Opens the lane order that the keyboard is on, otherwise its row. */
  #chooseActive(): void {
    const { chosen } = this.#tools;
    if (chosen !== undefined) return this.post({ kind: 'order', ...chosen });
    const frame = this.frame;
    if (frame === undefined || this.active === undefined) return;
    this.post({ kind: 'select', level: levelOfIndex(frame, this.active) });
  }

  #menuAtActive(): void {
    const frame = this.frame;
    if (frame === undefined || this.active === undefined) return;
    const { rowHeight } = this.options;
    const y = HEADING + (slotOfIndex(frame.axis, this.active) + 1) * rowHeight;
    const level = this.#tools.chosen?.level ?? levelOfIndex(frame, this.active);
    this.post({ kind: 'menu', level, x: rowHeight, y });
  }

  #blank(): void {
    this.frame = undefined;
    this.#before = undefined;
    this.#forgetRows();
    this.#painter.clear();
    this.#tellView();
  }

  #forgetRows(): void {
    this.#axis = undefined;
    this.active = undefined;
    this.#input.forget();
    this.#tools.forget();
    this.#recentre = true;
    this.#painter.reset();
  }

  get #held(): boolean {
    return this.#isStill || (this.#hold.isOn && (this.#input.isOver || this.active !== undefined));
  }

  reread(): void {
    this.#isStale = true;
    this.#schedule();
  }

  redraw(): void {
    this.#isUndrawn = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#animationFrame !== 0) return;
    this.#animationFrame = requestAnimationFrame(() => this.#runFrame());
    this.#lateTimer = setTimeout(() => this.#runFrame(), LATEST_FRAME_MS);
  }

  #runFrame(): void {
    cancelAnimationFrame(this.#animationFrame);
    clearTimeout(this.#lateTimer);
    this.#animationFrame = 0;
    if (this.#isStale) this.#read();
    this.#input.lookUp();
    if (this.#isUndrawn && this.frame !== undefined) this.#draw();
  }

  #read(): void {
    if (this.#slots === 0) return;
    this.#isStale = false;
    const { tick, mode, choice, without } = this.options;
    const now = performance.now();
    const frame = this.book.rows({
      tick,
      axis: this.#axis,
      slots: this.#slots,
      mode,
      held: this.#held,
      recentre: this.#recentre,
      now,
      lane: choice.lane ? laneOrdersFor(this.#width) : 0,
      notional: choice.notional,
      flow: choice.flow,
      without,
    });
    if (frame === undefined) return;
    this.#before = this.frame;
    this.#drawnAt = exactNow();
    this.frame = frame;
    this.#axis = frame.axis;
    this.#recentre = false;
    this.#isUndrawn = true;
    clearTimeout(this.#moveTimer);
    const wait = movesOnAfter(frame.axis, now);
    if (wait !== undefined) this.#moveTimer = setTimeout(() => this.reread(), wait);
    this.#viewTimer ??= setTimeout(() => this.#tellView(), Math.max(0, this.#viewAt + VIEW_MS - performance.now()));
  }

  /** Loop "fade": schedules another drawing only while a digit is brighter than normal. */
  #draw(): void {
    this.#isUndrawn = false;
    const frame = this.frame;
    if (frame === undefined) return;
    clearTimeout(this.#fadeTimer);
    this.#tools.follow();
    const { choice, rowHeight, motion, marks, selected: level, crosshair: px } = this.options;
    const index = level && indexOfPrice(frame.grid, level.px);
    const now = performance.now();
    const due = this.#painter.paint(
      {
        frame,
        choice,
        rowHeight,
        motion,
        marks,
        selected: level === undefined || index === undefined ? undefined : { side: level.side, index },
        crosshair: px === undefined ? undefined : indexHolding(frame.grid, 'B', px),
        alerts: this.#alerted(frame),
        hover: this.#input.hover,
        active: this.active,
        ...this.#tools.marks,
      },
      now,
    );
    if (due !== undefined) this.#fadeTimer = setTimeout(() => this.redraw(), Math.max(0, due - now));
    this.#tools.drawn();
    this.#tellWindow(frame);
  }

  #alerted({ grid }: LadderFrame): ReadonlySet<number> {
    const indices = this.options.alerts.map(({ px, reaches }) =>
      indexHolding(grid, reaches === 'above' ? 'A' : 'B', px),
    );
    return new Set(indices.filter((index) => index !== undefined));
  }

  readonly #restore = () => {
    this.#painter.restore();
    this.#draw();
  };

  #tellView(): void {
    clearTimeout(this.#viewTimer);
    this.#viewTimer = undefined;
    this.#viewAt = performance.now();
    const frame = this.frame;
    const snapshot = frame && ladderSnapshot(frame, this.#alerted(frame));
    const slot = frame === undefined ? -1 : barSlot(frame.axis);
    const bar = slot >= 0 && slot < this.#slots ? slot : undefined;
    const { columns } = this.layout ?? {};
    this.post({
      kind: 'view',
      view: { snapshot, rowsToTouch: rowsToTouch(frame), active: this.active, columns, bar },
    });
  }

  #tellWindow({ grid, axis, slots }: LadderFrame): void {
    const { highest, lowest } = indicesIn(axis, slots);
    const window = { tick: grid.tick, top: highest, slots: highest - lowest + 1 };
    const text = JSON.stringify(window);
    if (text === this.#postedWindow) return;
    this.#postedWindow = text;
    this.post({ kind: 'window', window });
  }
}
