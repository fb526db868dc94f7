import type { DecimalString, Side } from '@l4desk/protocol';
import { slotOfIndex } from '../../book-worker/axis.ts';
import { type OwnPlace, readOwnPlace } from '../../book-worker/frame/own-place.ts';
import type { LadderFrame } from '../../book-worker/frame/read-frame.ts';
import { priceOfIndex, type TickGrid } from '../../book-worker/prices.ts';

/** A row with orders, exact. */
export interface SnapshotRow {
  readonly index: number;
  readonly side: Side;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly cumulative: DecimalString;
  readonly count: number;
  /** What moved lately, in words: `came 1.5, withdrawn 0`; empty if nothing did, or it was not requested. */
  readonly flow: string;
  /** The place of a watched wallet's foremost order. */
  readonly own: OwnPlace | undefined;
}

/** What one drawn frame shows, row by row, for the accessible grid and for export. */
export interface LadderSnapshot {
  readonly coin: string;
  readonly tick: DecimalString;
  readonly height: number;
  readonly seq: number;
  readonly epoch: string;
  readonly blockTime: number;
  readonly sizeDecimals: number;
  readonly spread: string;
  readonly spreadBps: string;
  readonly mid: string;
  readonly bestBid: DecimalString | undefined;
  readonly bestAsk: DecimalString | undefined;
  /** The visible rows with orders, from the highest price down; at the same price the ask first. */
  readonly rows: readonly SnapshotRow[];
}

export function ladderSnapshot(frame: LadderFrame, grid: TickGrid): LadderSnapshot {
  const rows: SnapshotRow[] = [];
  for (let row = 0; row < frame.rowCount; row += 1) {
    const index = frame.index(row);
    const slot = slotOfIndex(frame.axis, index);
    if (slot < 0 || slot >= frame.slots) continue;
    rows.push({
      index,
      side: frame.side(row),
      px: priceOfIndex(grid, index),
      sz: frame.sizeText(row),
      cumulative: frame.cumulativeText(row),
      count: frame.count(row),
      flow: flowWords(frame.rowText(row, 'came'), frame.rowText(row, 'withdrawn')),
      own: readOwnPlace(frame.rowText(row, 'own')),
    });
  }
  // In a locked book a bid and an ask have the same price: the ask goes above.
  rows.sort((a, b) => b.index - a.index || (a.side < b.side ? -1 : 1));
  const { tick, height, seq, blockTime, sizeDecimals, bid, ask } = frame;
  return {
    coin: frame.text('coin'),
    tick,
    height,
    seq,
    epoch: frame.text('epoch'),
    blockTime,
    sizeDecimals,
    spread: frame.text('spread'),
    spreadBps: frame.text('spreadBps'),
    mid: frame.text('mid'),
    bestBid: bid?.px,
    bestAsk: ask?.px,
    rows,
  };
}

/** What moved at a row lately, in words; empty if nothing did. */
function flowWords(came: string, withdrawn: string): string {
  return came === '' ? '' : `came ${came}, withdrawn ${withdrawn}`;
}
