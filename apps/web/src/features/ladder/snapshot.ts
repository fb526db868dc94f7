import type { DecimalString } from '@l4desk/protocol';
import { slotOfIndex } from '../../book-worker/axis.ts';
import type { LadderFrame, LadderRow } from '../../book-worker/ladder-frame.ts';
import type { Position } from '../../book-worker/position.ts';
import { priceOfIndex } from '../../book-worker/prices.ts';

export interface SnapshotRow extends Pick<LadderRow, 'index' | 'side' | 'sz' | 'count' | 'own'> {
  readonly px: DecimalString;
  readonly cumulative: DecimalString;
  /** What moved lately, in words: `came 1.5, withdrawn 0`; empty if nothing did, or it was not requested. */
  readonly flow: string;
  readonly hasAlert: boolean;
}

export interface LadderSnapshot
  extends Position,
    Pick<LadderFrame, 'coin' | 'sizeDecimals' | 'spread' | 'spreadBps' | 'mid' | 'bid' | 'ask'> {
  readonly tick: DecimalString;
  /** The visible rows with orders, from the highest price down; at the same price the ask first. */
  readonly rows: readonly SnapshotRow[];
}

export function ladderSnapshot(frame: LadderFrame, alerted: ReadonlySet<number> = new Set()): LadderSnapshot {
  const { coin, grid, height, seq, epoch, blockTime, sizeDecimals, spread, spreadBps, mid, bid, ask } = frame;
  const isInSight = (index: number) => {
    const slot = slotOfIndex(frame.axis, index);
    return slot >= 0 && slot < frame.slots;
  };
  const rows = frame.rows
    .filter(({ index }) => isInSight(index))
    .map(({ index, side, sz, cumSz: cumulative, count, came, withdrawn, own }): SnapshotRow => {
      const flow = came === '' ? '' : `came ${came}, withdrawn ${withdrawn}`;
      const hasAlert = alerted.has(index);
      return { index, side, px: priceOfIndex(grid, index), sz, cumulative, count, flow, own, hasAlert };
    })
    // In a locked book a bid and an ask have the same price: the ask goes above.
    .sort((a, b) => b.index - a.index || (a.side < b.side ? -1 : 1));
  const position = { height, seq, epoch, blockTime };
  return { ...position, coin, tick: grid.tick, sizeDecimals, spread, spreadBps, mid, bid, ask, rows };
}
