import type { DecimalString } from '@l4desk/protocol';
import { type Axis, placeAxis } from '../book-worker/axis.ts';
import { type FrameSide, packFrame } from '../book-worker/frame/pack-frame.ts';
import { type LadderFrame, readFrame } from '../book-worker/frame/read-frame.ts';
import { indexOfPrice, tickGrid } from '../book-worker/prices.ts';
import type { PaneOptions } from '../features/ladder/canvas/pane-types.ts';

/** Options for two sides with their queues, without flow. */
export const rowChoice: PaneOptions['choice'] = {
  layout: 'split',
  count: true,
  cumulative: true,
  notional: 'none',
  flow: false,
  lane: true,
  large: 'p99',
  bars: 'linear',
};

interface FrameRow {
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly cumulative: DecimalString;
  readonly count: number;
  readonly notional?: DecimalString;
  readonly came?: DecimalString;
  readonly withdrawn?: DecimalString;
  readonly own?: string;
}

interface FrameFacts {
  readonly serial?: number;
  readonly generation?: number;
  readonly version?: number;
  readonly coin?: string;
  readonly tick?: DecimalString;
  readonly slots?: number;
  readonly height?: number;
  readonly sizeDecimals?: number;
  readonly flowMs?: number;
  readonly axis?: Axis;
  /** From the best price outward. */
  readonly asks?: readonly FrameRow[];
  readonly bids?: readonly FrameRow[];
}

/** A frame with these rows, as the worker would pack it. */
export function ladderFrame(facts: FrameFacts = {}): LadderFrame {
  return readFrame(packedFrame(facts));
}

/** The same frame as bytes, as the worker sends it. */
export function packedFrame(facts: FrameFacts = {}): ArrayBuffer {
  const { tick = '1', slots = 20, asks = [], bids = [], coin = 'BTC' } = facts;
  const grid = tickGrid(tick);
  if (grid === undefined) throw new Error(`${tick} is no tick`);
  const indexOf = (row: FrameRow | undefined) => (row === undefined ? undefined : indexOfPrice(grid, row.px));
  const touch = { bid: indexOf(bids[0]), ask: indexOf(asks[0]) };
  const placement = { rows: slots, mode: 'auto', held: false, recentre: false } as const;
  const axis = facts.axis ?? placeAxis(undefined, touch, placement) ?? { top: 100, detached: false };
  const side = (rows: readonly FrameRow[]): FrameSide => {
    const row = (at: number) => {
      const found = rows[at];
      if (found === undefined) throw new Error(`no row ${at}`);
      return found;
    };
    return {
      length: rows.length,
      index: (at) => indexOf(row(at)) ?? 0,
      size: (at) => Number.parseInt(row(at).sz, 10),
      cumulative: (at) => Number.parseInt(row(at).cumulative, 10),
      count: (at) => row(at).count,
      laneLength: () => 1,
      laneSize: () => 1,
      laneMark: () => 0,
      text: (at, name) => ({ notional: '', came: '', withdrawn: '', own: '', ...row(at), size: row(at).sz })[name],
    };
  };
  const both = asks.length > 0 && bids.length > 0;
  return packFrame({
    serial: facts.serial ?? 1,
    generation: facts.generation ?? 1,
    version: facts.version ?? 1,
    height: facts.height ?? 985_148_232,
    seq: 88_102,
    blockTime: 1_778_002_753_024,
    axis,
    slots,
    bestAsk: touch.ask,
    bestBid: touch.bid,
    sizeDecimals: facts.sizeDecimals ?? 1,
    frozen: false,
    grid,
    flowMs: facts.flowMs,
    texts: {
      coin,
      epoch: '3f2a0000-0000-4000-8000-000000000000',
      bid: bids[0]?.px ?? '',
      ask: asks[0]?.px ?? '',
      spread: both ? '1' : '',
      spreadBps: both ? '0.12' : '',
      mid: both ? '100.5' : '',
    },
    asks: side(asks),
    bids: side(bids),
  });
}
