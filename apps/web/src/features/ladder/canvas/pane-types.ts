import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { Centring } from '../../../book-worker/axis.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { LadderSnapshot } from '../snapshot.ts';
import type { ColumnChoice } from './columns.ts';
import type { BarScale } from './scale.ts';
import type { LaneMark } from './theme.ts';

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
  /** One wallet is shown alone: the lanes are not the whole queues, and nobody can be pointed at in them. */
  readonly isAlone: boolean;
  /** The price that another ladder of the same coin points at. */
  readonly crosshair: DecimalString | undefined;
  readonly motion: boolean;
}

/** What a drag on the rows does: scrolls, or measures between two prices. */
export type PaneTool = 'scroll' | 'ruler';

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

/** An order of a row's lane, by its place in the queue. */
export interface LaneOrder {
  readonly index: number;
  readonly side: Side;
  readonly place: number;
}

/** The order that the pointer or the keyboard is at, and where on the canvas its row is, in CSS pixels. */
export interface LaneTarget {
  readonly serial: number;
  readonly level: LevelRef;
  readonly by: 'pointer' | 'keyboard';
  readonly y: number;
  readonly rowHeight: number;
  /** Where the row's lane begins. */
  readonly x: number;
  /** The rows of the best prices: what must not be covered. */
  readonly touch: { readonly top: number; readonly bottom: number } | undefined;
}

/** Rows from one price to another that are marked: measured, or swept from the best price. */
export interface Band {
  readonly kind: 'ruler' | 'sweep';
  /** Of a sweep, the side it takes from. */
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** The same in prices. */
export interface BandPrices {
  readonly kind: Band['kind'];
  readonly from: LevelRef;
  readonly to: LevelRef;
  /** What rests from the best price of a sweep's side up to its end. */
  readonly sz: DecimalString;
}

/** Which prices are in sight: the first row's index, and how many rows there are. */
export interface PaneWindow {
  readonly tick: DecimalString;
  readonly top: number;
  readonly slots: number;
}

export interface PaneEvents {
  /** A row was chosen. The price is the one that stood there when the button went down (WEB-4). */
  onSelect(level: LevelRef): void;
  /** An order of a lane was chosen. */
  onOrder(level: LevelRef, oid: number): void;
  onView(view: PaneView): void;
  /** The price that the pointer or the keyboard is at; undefined when there is none any more. */
  onCrosshair(px: DecimalString | undefined): void;
  onTool(tool: PaneTool): void;
  onLane(lane: LaneTarget | undefined): void;
  onBand(band: BandPrices | undefined): void;
  /** A sweep was drawn to its end. */
  onSweep(sweep: BandPrices): void;
  /** Other prices are in sight. */
  onWindow(window: PaneWindow): void;
}
