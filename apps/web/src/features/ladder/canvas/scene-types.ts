import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { Axis, Centring } from '../../../book-worker/axis.ts';
import type { LadderFrame } from '../../../book-worker/ladder-frame.ts';
import type { LaneOrder } from '../../../book-worker/panes/level.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { CanvasBook } from '../../../book-worker/worker/canvases.ts';
import type { LadderSnapshot } from '../snapshot.ts';
import type { ColumnChoice, Columns } from './columns.ts';
import type { Layout } from './lane.ts';
import type { BarScale } from './scale.ts';
import type { LaneMark } from './theme.ts';
import type { CanvasMessage, OpenCanvas } from './worker-canvas.ts';

export interface SceneOptions {
  readonly tick: string | undefined;
  readonly mode: Centring;
  readonly rowHeight: number;
  readonly choice: ColumnChoice & { readonly bars: BarScale };
  readonly selected: LevelRef | undefined;
  readonly marks: readonly LaneMark[];
  readonly without: Address | undefined;
  /** Only one wallet is shown: the lanes are not whole queues, so their orders cannot be pointed at. */
  readonly isAlone: boolean;
  readonly crosshair: DecimalString | undefined;
  readonly alerts: readonly PriceAlert[];
  readonly motion: boolean;
}

/** A price at which a watch rule fires, and from which side the mid reaches it. */
export interface PriceAlert {
  readonly px: DecimalString;
  readonly reaches: 'above' | 'below';
}

/** A scene as its input and its tools see it. */
export interface SceneParts {
  readonly book: CanvasBook;
  readonly options: SceneOptions;
  /** Undefined while nothing is drawn. */
  readonly frame: LadderFrame | undefined;
  readonly layout: Layout | undefined;
  /** The keyboard's row. */
  readonly active: number | undefined;
  /** What was on the screen at a time; undefined while nothing was. */
  frameAt(at: number): LadderFrame | undefined;
  extendHold(): void;
  scrollTo(axis: Axis): void;
  /** The rows have to be read again, or only drawn again. */
  reread(): void;
  redraw(): void;
  post(event: FromScene): void;
}

/** What a drag on the rows does: scrolls, or measures between two prices. */
export type SceneTool = 'scroll' | 'ruler';

/** What the UI around the canvas shows of a ladder, updated at most a few times a second. */
export interface SceneView {
  readonly snapshot: LadderSnapshot | undefined;
  /** Rows that a best price is outside the visible range: positive above, negative below. */
  readonly rowsToTouch: RowsToTouch;
  readonly active: number | undefined;
  readonly columns: Columns | undefined;
  /** The row of the bar with the mid; undefined while it is out of view. */
  readonly bar: number | undefined;
}

/** Rows to the best prices: positive above, negative below, 0 if visible or absent. */
export interface RowsToTouch {
  readonly bid: number;
  readonly ask: number;
}

export interface LanePlace {
  readonly index: number;
  readonly side: Side;
  readonly place: number;
}

/** The order that the pointer or the keyboard is on, and the position of its row on the canvas, in CSS pixels. */
export interface LaneTarget extends LaneOrder {
  /** Increases with every order that is pointed at. */
  readonly serial: number;
  readonly level: LevelRef;
  readonly by: 'pointer' | 'keyboard';
  readonly sizeDecimals: number;
  /** In whole seconds; undefined if unknown. */
  readonly ageMs: number | undefined;
  readonly y: number;
  readonly rowHeight: number;
  readonly x: number;
  /** The rows of the best prices, which must not be covered. */
  readonly touch: { readonly top: number; readonly bottom: number } | undefined;
}

/** A marked range of rows: measured, or swept from the best price. */
export interface Band {
  readonly kind: 'ruler' | 'sweep';
  /** For a sweep, the side it takes from. */
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

export interface BandPrices {
  readonly kind: Band['kind'];
  readonly from: LevelRef;
  readonly to: LevelRef;
  /** Size that rests from the best price of a sweep's side up to its end. */
  readonly sz: DecimalString;
}

export interface SceneWindow {
  readonly tick: DecimalString;
  readonly top: number;
  readonly slots: number;
}

export type ToScene =
  | SceneCommand
  | ScenePointer
  | CanvasMessage
  | { readonly kind: 'options'; readonly options: SceneOptions }
  /** The wheel turned, by pixels or by rows; positive shows lower prices. */
  | { readonly kind: 'wheel'; readonly by: number; readonly isRows: boolean }
  /** The context menu of what was at a position at a time. */
  | { readonly kind: 'menu'; readonly x: number; readonly y: number; readonly at: number };

export type OpenScene = OpenCanvas<{ readonly options: SceneOptions }>;

export type SceneCommand =
  | { readonly kind: 'recentre' | 'toggleRuler' | 'escape' | 'clearActive' | 'chooseActive' | 'menuAtActive' }
  /** Takes the ruler, starting at this price. */
  | { readonly kind: 'measureFrom'; readonly level: LevelRef }
  /** Whether the market moves no rows, because the legend points at them. */
  | { readonly kind: 'still'; readonly isStill: boolean }
  /** Positive shows higher prices. */
  | { readonly kind: 'scroll'; readonly rows: number }
  | { readonly kind: 'scrollPages'; readonly by: 1 | -1 }
  /** Scrolls a price index to the middle. */
  | { readonly kind: 'show'; readonly index: number }
  /** Moves the keyboard's row to the next one with orders: -1 up, 1 down. */
  | { readonly kind: 'moveActive'; readonly by: number }
  /** Moves through the orders of the keyboard's row: 1 to the back of the queue, -1 to its front. */
  | { readonly kind: 'moveInLane'; readonly by: number }
  /** Extends a sweep by one row from the best price: 1 up, -1 down. */
  | { readonly kind: 'moveSweep'; readonly by: 1 | -1 };

/** What a mouse, pen or finger does on the canvas. Positions are in CSS pixels from its corner. */
export interface ScenePointer {
  readonly kind: 'pointer';
  readonly type: 'move' | 'down' | 'up' | 'leave';
  readonly x: number;
  readonly y: number;
  readonly pointerId: number;
  readonly pointerType: string;
  /** When it happened, in ms since the Unix epoch: a press acts on what was on the screen then. */
  readonly at: number;
}

export type FromScene =
  /** A row was selected. The price is the one that was there when the button went down. */
  | { readonly kind: 'select'; readonly level: LevelRef }
  | { readonly kind: 'order'; readonly level: LevelRef; readonly oid: number }
  | { readonly kind: 'view'; readonly view: SceneView }
  | { readonly kind: 'crosshair'; readonly px: DecimalString | undefined }
  | { readonly kind: 'tool'; readonly tool: SceneTool }
  /** The price whose context menu is wanted, and where, in CSS pixels. */
  | { readonly kind: 'menu'; readonly level: LevelRef; readonly x: number; readonly y: number }
  | { readonly kind: 'lane'; readonly lane: LaneTarget | undefined }
  | { readonly kind: 'band'; readonly band: BandPrices | undefined }
  /** A sweep was completed. */
  | { readonly kind: 'sweep'; readonly sweep: BandPrices }
  | { readonly kind: 'window'; readonly window: SceneWindow };
