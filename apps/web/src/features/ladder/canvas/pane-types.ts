import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { Centring } from '../../../book-worker/axis.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { LadderSnapshot } from '../snapshot.ts';
import type { ColumnChoice } from './columns.ts';
import type { BarScale } from './scale.ts';
import type { LaneMark } from './theme.ts';

/** The person's choices for the pane. */
export interface PaneOptions {
  readonly tick: string | undefined;
  readonly mode: Centring;
  readonly rowHeight: number;
  readonly choice: ColumnChoice & { readonly bars: BarScale };
  readonly selected: LevelRef | undefined;
  /** How each mark of a frame is drawn, from 1. */
  readonly marks: readonly LaneMark[];
  /** The wallet whose orders are excluded from the numbers. */
  readonly without: Address | undefined;
  /** Only one wallet is shown: the lanes are not whole queues, so their orders cannot be pointed at. */
  readonly isAlone: boolean;
  /** The price that another ladder of the same coin points at. */
  readonly crosshair: DecimalString | undefined;
  readonly motion: boolean;
}

/** What a drag on the rows does: scrolls, or measures between two prices. */
export type PaneTool = 'scroll' | 'ruler';

/** What the UI around the canvas shows of the pane, updated at most a few times a second. */
export interface PaneView {
  readonly snapshot: LadderSnapshot | undefined;
  /** Rows that a best price is outside the visible range: positive above, negative below. */
  readonly rowsToTouch: RowsToTouch;
  readonly active: number | undefined;
}

/** Rows to the best prices: positive above, negative below, 0 if visible or absent. */
export interface RowsToTouch {
  readonly bid: number;
  readonly ask: number;
}

/** An order of a row's lane, by its place in the queue. */
export interface LaneOrder {
  readonly index: number;
  readonly side: Side;
  readonly place: number;
}

/** The order that the pointer or the keyboard is on, and the position of its row on the canvas, in CSS pixels. */
export interface LaneTarget {
  readonly serial: number;
  readonly level: LevelRef;
  readonly by: 'pointer' | 'keyboard';
  readonly y: number;
  readonly rowHeight: number;
  /** Start of the row's lane. */
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

/** A band in prices. */
export interface BandPrices {
  readonly kind: Band['kind'];
  readonly from: LevelRef;
  readonly to: LevelRef;
  /** Size that rests from the best price of a sweep's side up to its end. */
  readonly sz: DecimalString;
}

/** The visible prices: the first row's index, and the number of rows. */
export interface PaneWindow {
  readonly tick: DecimalString;
  readonly top: number;
  readonly slots: number;
}

export interface PaneEvents {
  /** A row was selected. The price is the one that was there when the button went down. */
  onSelect(level: LevelRef): void;
  /** An order of a lane was selected. */
  onOrder(level: LevelRef, oid: number): void;
  onView(view: PaneView): void;
  /** The price that the pointer or the keyboard is on; undefined for none. */
  onCrosshair(px: DecimalString | undefined): void;
  onTool(tool: PaneTool): void;
  onLane(lane: LaneTarget | undefined): void;
  onBand(band: BandPrices | undefined): void;
  /** A sweep was completed. */
  onSweep(sweep: BandPrices): void;
  /** The visible price range changed. */
  onWindow(window: PaneWindow): void;
}
