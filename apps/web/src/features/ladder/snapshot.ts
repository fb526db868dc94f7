import type { DecimalString, Side } from '@l4desk/protocol';
import { slotOfIndex } from '../../book-worker/axis.ts';
import type { LadderFrame, OwnPlace } from '../../book-worker/ladder-frame.ts';
import { priceOfIndex } from '../../book-worker/prices.ts';

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

export function ladderSnapshot(frame: LadderFrame): LadderSnapshot {
  const { coin, grid, height, seq, epoch, blockTime, sizeDecimals, spread, spreadBps, mid, bid, ask } = frame;
  const isInSight = (index: number) => {
    const slot = slotOfIndex(frame.axis, index);
    return slot >= 0 && slot < frame.slots;
  };
  const rows = frame.rows
    .filter(({ index }) => isInSight(index))
    .map(({ index, side, sz, cumSz, count, came, withdrawn, own }) => {
      return {
        index,
        side,
        px: priceOfIndex(grid, index),
        sz,
        cumulative: cumSz,
        count,
        flow: flowWords(came, withdrawn),
        own,
      };
    })
    // In a locked book a bid and an ask have the same price: the ask goes above.
    .sort((a, b) => b.index - a.index || (a.side < b.side ? -1 : 1));
  const { tick } = grid;
  return {
    coin,
    tick,
    height,
    seq,
    epoch,
    blockTime,
    sizeDecimals,
    spread,
    spreadBps,
    mid,
    bestBid: bid,
    bestAsk: ask,
    rows,
  };
}

/** What moved at a row lately, in words; empty if nothing did. */
function flowWords(came: string, withdrawn: string): string {
  return came === '' ? '' : `came ${came}, withdrawn ${withdrawn}`;
}
