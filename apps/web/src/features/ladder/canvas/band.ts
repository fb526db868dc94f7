import type { LadderFrame } from '../../../book-worker/ladder-frame.ts';
import { levelOfIndex } from './frame-rows.ts';
import type { Band, BandPrices } from './scene-types.ts';

/** Converts a band to prices, with the size that a sweep of it would take. */
export function bandPrices(frame: LadderFrame, { kind, side, from, to }: Band): BandPrices {
  const level = (index: number) => ({ ...levelOfIndex(frame, index), side });
  return { kind, from: level(from), to: level(to), sz: kind === 'sweep' ? restingUpTo(frame, side, to) : '0' };
}

/**
 * The size that rests on a side from its best price up to a row: the cumulative size at the last row with orders that is not
 * beyond it.
 */
function restingUpTo(frame: LadderFrame, side: Band['side'], to: number): BandPrices['sz'] {
  let sz: BandPrices['sz'] = '0';
  for (const row of frame.rows) {
    if (row.side !== side) continue;
    if (side === 'A' ? row.index > to : row.index < to) break;
    sz = row.cumSz;
  }
  return sz;
}

/** The band of a sweep up to a row. It starts at the best price of its side and never crosses it. */
export function sweepBand({ touch }: LadderFrame, side: Band['side'], to: number): Band | undefined {
  const from = side === 'A' ? touch.ask : touch.bid;
  if (from === undefined) return undefined;
  return { kind: 'sweep', side, from, to: side === 'A' ? Math.max(from, to) : Math.min(from, to) };
}

/**
 * The next band of a keyboard sweep after `last`: one row with orders further up or down. Up from the best ask buys, down from
 * the best bid sells; back at the best price it turns to the other side.
 */
export function nextSweep(frame: LadderFrame, last: Band | undefined, by: 1 | -1): Band | undefined {
  const outward = by === 1 ? 'A' : 'B';
  const sweep = last?.kind === 'sweep' ? last : undefined;
  const isTurning = sweep?.side !== outward && sweep?.from === sweep?.to;
  if (sweep === undefined || isTurning) return sweepBand(frame, outward, touchOf(frame, outward));
  return sweepBand(frame, sweep.side, step(frame, sweep, by));
}

const touchOf = ({ touch }: LadderFrame, side: Band['side']) => (side === 'A' ? touch.ask : touch.bid) ?? 0;

/** The next row with orders on the band's side, up or down; if none is visible, the next price. */
function step(frame: LadderFrame, { side, to }: Band, by: 1 | -1): number {
  let found: number | undefined;
  for (const { index, side: of } of frame.rows) {
    if (of !== side || (index - to) * by <= 0) continue;
    if (found === undefined || (found - index) * by > 0) found = index;
  }
  return found ?? to + by;
}
