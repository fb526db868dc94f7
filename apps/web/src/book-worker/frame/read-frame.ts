import { formatUnits } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { Axis, Touch } from '../axis.ts';
import type { TickGrid } from '../prices.ts';
import {
  type FrameText,
  HEADER,
  HEADER_LENGTH,
  ROW,
  ROW_LENGTH,
  ROW_TEXTS,
  type RowTextName,
  TEXT_SEPARATOR,
  TEXTS,
} from './layout.ts';

/** A packed frame, read in place. Rows are asks, then bids, each from the best outward. */
export interface LadderFrame {
  readonly buffer: ArrayBuffer;
  readonly serial: number;
  readonly generation: number;
  readonly version: number;
  readonly tick: DecimalString;
  /** The grid its rows are counted in; read without decoding a text. */
  readonly grid: TickGrid;
  readonly height: number;
  readonly seq: number;
  readonly blockTime: number;
  readonly frozen: boolean;
  /** How much is known of the time whose changes the rows carry, in ms; undefined if they carry none. */
  readonly flowMs: number | undefined;
  readonly axis: Axis;
  /** Rows of the pane, filled and empty. */
  readonly slots: number;
  readonly sizeDecimals: number;
  readonly bid: TouchPrice | undefined;
  readonly ask: TouchPrice | undefined;
  /** Price indices of the best prices. */
  readonly touch: Touch;
  /** Exact; spread and mid are empty while a side is. */
  text(name: FrameText): string;
  readonly rowCount: number;
  readonly askRows: number;
  side(row: number): Side;
  index(row: number): number;
  /** For drawing only. */
  size(row: number): number;
  /** For drawing only. */
  cumulative(row: number): number;
  count(row: number): number;
  /** Sizes of the first orders of the row's queue, front first, for drawing only: `lanes[start … start + length - 1]`. */
  laneStart(row: number): number;
  laneLength(row: number): number;
  readonly lanes: Float64Array;
  /** The mark of each of these orders, 0 for none, at the same indices as their sizes. */
  readonly marks: Uint8Array;
  /** Exact; empty if its column was not requested. */
  rowText(row: number, name: RowTextName): string;
  sizeText(row: number): DecimalString;
  cumulativeText(row: number): DecimalString;
}

const decoder = new TextDecoder();

function gridOf(units: number, decimals: number): TickGrid {
  return { tick: formatUnits(units, decimals, decimals), decimals, units };
}

interface TouchPrice {
  readonly px: DecimalString;
  readonly index: number;
}

/**
 * Reads what `packFrame` wrote, in place. Texts are decoded only when the first one is read: the renderer decodes them for every
 * frame, the page only when its grid refreshes. The reader owns the buffer until it hands it back.
 */
export function readFrame(buffer: ArrayBuffer): LadderFrame {
  const header = new Float64Array(buffer, 0, HEADER_LENGTH);
  const at = (place: keyof typeof HEADER) => header[HEADER[place]] ?? Number.NaN;
  const askRows = at('askRows');
  const rowCount = askRows + at('bidRows');
  const rows = new Float64Array(buffer, header.byteLength, rowCount * ROW_LENGTH);
  const lanes = new Float64Array(buffer, rows.byteOffset + rows.byteLength, at('laneSizes'));
  const marks = new Uint8Array(buffer, lanes.byteOffset + lanes.byteLength, lanes.length);
  const bytes = new Uint8Array(buffer, marks.byteOffset + marks.byteLength, at('textBytes'));
  let texts: readonly string[] | undefined;
  let grid: TickGrid | undefined;
  const textAt = (place: number) => {
    texts ??= decoder.decode(bytes).split(TEXT_SEPARATOR);
    return texts[place];
  };
  const text = (name: FrameText) => textAt(TEXTS.indexOf(name)) ?? '';
  const rowText = (row: number, name: RowTextName) =>
    textAt(TEXTS.length + row * ROW_TEXTS.length + ROW_TEXTS.indexOf(name)) ?? '';
  const number = (row: number, place: number) => rows[row * ROW_LENGTH + place] ?? 0;
  return {
    buffer,
    serial: at('serial'),
    generation: at('generation'),
    version: at('version'),
    get tick() {
      return text('tick') as DecimalString;
    },
    get grid() {
      grid ??= gridOf(at('tickUnits'), at('tickDecimals'));
      return grid;
    },
    height: at('height'),
    seq: at('seq'),
    blockTime: at('blockTime'),
    frozen: at('frozen') === 1,
    flowMs: known(at('flowMs')),
    axis: { top: at('axisTop'), detached: at('axisDetached') === 1 },
    slots: at('slots'),
    sizeDecimals: at('sizeDecimals'),
    get bid() {
      return touchPrice(text('bid'), at('bestBid'));
    },
    get ask() {
      return touchPrice(text('ask'), at('bestAsk'));
    },
    touch: { bid: known(at('bestBid')), ask: known(at('bestAsk')) },
    text,
    rowCount,
    askRows,
    side: (row) => (row < askRows ? 'A' : 'B'),
    index: (row) => number(row, ROW.index),
    size: (row) => number(row, ROW.size),
    cumulative: (row) => number(row, ROW.cumulative),
    count: (row) => number(row, ROW.count),
    laneStart: (row) => number(row, ROW.lane),
    laneLength: (row) => number(row, ROW.laneLength),
    lanes,
    marks,
    rowText,
    sizeText: (row) => rowText(row, 'size') as DecimalString,
    cumulativeText: (row) => rowText(row, 'cumulative') as DecimalString,
  };
}

const known = (number: number) => (Number.isNaN(number) ? undefined : number);

function touchPrice(px: string, index: number): TouchPrice | undefined {
  return px === '' ? undefined : { px: px as DecimalString, index };
}
