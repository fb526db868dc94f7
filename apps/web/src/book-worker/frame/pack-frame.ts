import type { Axis } from '../axis.ts';
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

/** Rows of one side to pack, from the best outward: amounts for drawing, and their exact texts. */
export interface FrameSide {
  readonly length: number;
  index(row: number): number;
  size(row: number): number;
  cumulative(row: number): number;
  count(row: number): number;
  laneLength(row: number): number;
  laneSize(row: number, place: number): number;
  /** The mark of the order's owner, 1 to 255; 0 for none. */
  laneMark(row: number, place: number): number;
  text(row: number, name: RowTextName): string;
}

export interface FrameContent {
  readonly serial: number;
  readonly generation: number;
  readonly version: number;
  readonly height: number;
  readonly seq: number;
  readonly blockTime: number;
  readonly axis: Axis;
  readonly slots: number;
  readonly bestAsk: number | undefined;
  readonly bestBid: number | undefined;
  readonly sizeDecimals: number;
  readonly frozen: boolean;
  /** How much is known of the time whose changes the rows carry; undefined if they carry none. */
  readonly flowMs: number | undefined;
  readonly texts: Readonly<Record<Exclude<FrameText, 'tick'>, string>>;
  readonly grid: TickGrid;
  readonly asks: FrameSide;
  readonly bids: FrameSide;
}

const encoder = new TextEncoder();

/** Packs a frame into `spare` if it is large enough, otherwise into a new buffer with room to grow. */
export function packFrame(content: FrameContent, spare?: ArrayBuffer): ArrayBuffer {
  const sides = [content.asks, content.bids];
  const rowCount = content.asks.length + content.bids.length;
  const text = joinTexts({ ...content.texts, tick: content.grid.tick }, sides);
  const laneSizes = laneSizesOf(content.asks) + laneSizesOf(content.bids);
  const doubles = HEADER_LENGTH + rowCount * ROW_LENGTH + laneSizes;
  // A character takes at most three bytes.
  const needed = doubles * Float64Array.BYTES_PER_ELEMENT + laneSizes + text.length * 3;
  const buffer = spare !== undefined && spare.byteLength >= needed ? spare : new ArrayBuffer(needed + (needed >> 2));
  const numbers = new Float64Array(buffer, 0, doubles);
  const marks = new Uint8Array(buffer, numbers.byteLength, laneSizes);
  const { written } = encoder.encodeInto(text, new Uint8Array(buffer, numbers.byteLength + laneSizes));
  numbers[HEADER.serial] = content.serial;
  numbers[HEADER.generation] = content.generation;
  numbers[HEADER.version] = content.version;
  numbers[HEADER.height] = content.height;
  numbers[HEADER.seq] = content.seq;
  numbers[HEADER.blockTime] = content.blockTime;
  numbers[HEADER.axisTop] = content.axis.top;
  numbers[HEADER.axisDetached] = content.axis.detached ? 1 : 0;
  numbers[HEADER.slots] = content.slots;
  numbers[HEADER.askRows] = content.asks.length;
  numbers[HEADER.bidRows] = content.bids.length;
  numbers[HEADER.bestAsk] = content.bestAsk ?? Number.NaN;
  numbers[HEADER.bestBid] = content.bestBid ?? Number.NaN;
  numbers[HEADER.sizeDecimals] = content.sizeDecimals;
  numbers[HEADER.laneSizes] = laneSizes;
  numbers[HEADER.textBytes] = written;
  numbers[HEADER.frozen] = content.frozen ? 1 : 0;
  numbers[HEADER.flowMs] = content.flowMs ?? Number.NaN;
  numbers[HEADER.tickUnits] = content.grid.units;
  numbers[HEADER.tickDecimals] = content.grid.decimals;
  packRows(numbers, marks, sides, HEADER_LENGTH + rowCount * ROW_LENGTH);
  return buffer;
}

function packRows(numbers: Float64Array, marks: Uint8Array, sides: readonly FrameSide[], lanesFrom: number): void {
  let at = HEADER_LENGTH;
  let lane = 0;
  for (const side of sides) {
    for (let row = 0; row < side.length; row += 1) {
      const length = side.laneLength(row);
      numbers[at + ROW.index] = side.index(row);
      numbers[at + ROW.size] = side.size(row);
      numbers[at + ROW.cumulative] = side.cumulative(row);
      numbers[at + ROW.count] = side.count(row);
      numbers[at + ROW.lane] = lane;
      numbers[at + ROW.laneLength] = length;
      for (let place = 0; place < length; place += 1) {
        numbers[lanesFrom + lane + place] = side.laneSize(row, place);
        marks[lane + place] = side.laneMark(row, place);
      }
      lane += length;
      at += ROW_LENGTH;
    }
  }
}

function laneSizesOf(side: FrameSide): number {
  let sizes = 0;
  for (let row = 0; row < side.length; row += 1) sizes += side.laneLength(row);
  return sizes;
}

function joinTexts(texts: Readonly<Record<FrameText, string>>, sides: readonly FrameSide[]): string {
  const parts: string[] = TEXTS.map((name) => texts[name]);
  for (const side of sides) {
    for (let row = 0; row < side.length; row += 1) {
      for (const name of ROW_TEXTS) parts.push(side.text(row, name));
    }
  }
  return parts.join(TEXT_SEPARATOR);
}
