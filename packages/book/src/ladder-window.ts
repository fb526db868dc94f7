import { formatUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

/**
 * Rows of one side for drawing, filled in place by `L4Book.fill` and reused from frame to frame. Row 0 is the best row shown.
 * The number arrays are for drawing: whole multiples of `10^-szScale`, exact unless a size or sum exceeds 2^53, then the
 * nearest double. The texts are always exact.
 */
export class LadderWindow {
  readonly maxRows: number;
  /** Maximum number of orders per row whose size and owner are filled in, from the front of its queue. */
  readonly maxLane: number;
  /** Rows filled by the last `fill`; array entries after them are stale. */
  rowCount = 0;
  szScale = 0;
  readonly sz: Float64Array;
  /** Size of the row and of every better row of the side. */
  readonly cumSz: Float64Array;
  /** Orders in the row, including those beyond the lane. */
  readonly count: Int32Array;
  /**
   * The lane of row r is `laneSz` and `laneUser` from index `r * maxLane`, with `laneCount[r]` entries, levels from the best
   * price outward.
   */
  readonly laneCount: Int32Array;
  readonly laneSz: Float64Array;
  /** As received, in any letter case; null if a snapshot names no owner. */
  readonly laneUser: (string | null)[];
  private readonly px: DecimalString[] = [];
  private texts: readonly RowTexts[] | undefined;

  constructor(maxRows: number, maxLane: number) {
    this.maxRows = maxRows;
    this.maxLane = maxLane;
    this.sz = new Float64Array(maxRows);
    this.cumSz = new Float64Array(maxRows);
    this.count = new Int32Array(maxRows);
    this.laneCount = new Int32Array(maxRows);
    this.laneSz = new Float64Array(maxRows * maxLane);
    this.laneUser = Array.from({ length: maxRows * maxLane }, () => null);
  }

  /** The row's price: the level's price as printed, or the bucket's. */
  pxText(row: number): DecimalString {
    return this.shown(this.px, row);
  }

  szText(row: number): DecimalString {
    if (this.texts !== undefined) return this.shown(this.texts, row).sz;
    return formatUnits(this.shown(this.sz, row), this.szScale);
  }

  cumSzText(row: number): DecimalString {
    if (this.texts !== undefined) return this.shown(this.texts, row).cumSz;
    return formatUnits(this.shown(this.cumSz, row), this.szScale);
  }

  /** For engines: starts a fill. If `texts` are given, the numbers are approximate and the texts are exact. */
  begin(szScale: number, texts?: readonly RowTexts[]): void {
    this.rowCount = 0;
    this.szScale = szScale;
    this.texts = texts;
  }

  /** For engines: ends a row whose numbers are in the arrays. */
  endRow(px: DecimalString): void {
    this.px[this.rowCount] = px;
    this.rowCount += 1;
  }

  private shown<Value>(values: { readonly [row: number]: Value }, row: number): Value {
    if (!(row >= 0 && row < this.rowCount)) throw new RangeError(`row ${row} of ${this.rowCount}`);
    return values[row] as Value;
  }
}

/** The sums of a row as text. */
export interface RowTexts {
  readonly sz: DecimalString;
  readonly cumSz: DecimalString;
}
