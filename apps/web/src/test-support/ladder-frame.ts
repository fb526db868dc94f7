import type { DecimalString, Side } from '@l4desk/protocol';
import { type Axis, placeAxis } from '../book-worker/axis.ts';
import type { LadderFrame, LadderRequest, LadderRow, OwnPlace } from '../book-worker/ladder-frame.ts';
import { indexOfPrice, tickGrid } from '../book-worker/prices.ts';
import type { SceneOptions } from '../features/ladder/canvas/scene-types.ts';

/** Options for two sides with their queues, without flow. */
export const rowChoice: SceneOptions['choice'] = {
  layout: 'split',
  count: true,
  cumulative: true,
  notional: 'none',
  flow: false,
  lane: true,
  large: 'p99',
  bars: 'linear',
};

/** The request of an untouched ladder. */
export const LADDER_REQUEST: LadderRequest = {
  tick: undefined,
  axis: undefined,
  slots: 60,
  mode: 'auto',
  held: false,
  recentre: false,
  now: 0,
  lane: 4,
  notional: 'none',
  flow: false,
  without: undefined,
};

interface FrameRow {
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly cumulative: DecimalString;
  readonly count: number;
  readonly notional?: DecimalString;
  readonly came?: DecimalString;
  readonly withdrawn?: DecimalString;
  readonly own?: OwnPlace | undefined;
}

interface FrameFacts {
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

/** A frame with these rows, each with one order in its lane. */
export function ladderFrame(facts: FrameFacts = {}): LadderFrame {
  const { tick = '1', slots = 20, asks = [], bids = [], coin = 'BTC' } = facts;
  const grid = tickGrid(tick);
  if (grid === undefined) throw new Error(`${tick} is no tick`);
  const indexOf = (row: FrameRow | undefined) => (row === undefined ? undefined : indexOfPrice(grid, row.px));
  const touch = { bid: indexOf(bids[0]), ask: indexOf(asks[0]) };
  const placement = { rows: slots, mode: 'auto', held: false, recentre: false, now: 0 } as const;
  const axis = facts.axis ?? placeAxis(undefined, touch, placement) ?? { top: 100, bar: 90, detached: false };
  const rowsOf = (side: Side, rows: readonly FrameRow[], before: number) =>
    rows.map((row, at): LadderRow => {
      const { sz, cumulative, count, notional = '', came = '', withdrawn = '', own } = row;
      const [size, sum] = [Number.parseInt(sz, 10), Number.parseInt(cumulative, 10)];
      const texts = { sz, cumSz: cumulative, notional, came, withdrawn };
      const lane = { laneStart: before + at, laneLength: 1 };
      return { side, index: indexOf(row) ?? 0, size, cumulative: sum, count, ...texts, own, ...lane };
    });
  const rows = [...rowsOf('A', asks, 0), ...rowsOf('B', bids, asks.length)];
  const both = asks.length > 0 && bids.length > 0;
  return {
    coin,
    grid,
    height: facts.height ?? 985_148_232,
    seq: 88_102,
    epoch: '3f2a0000-0000-4000-8000-000000000000',
    blockTime: 1_778_002_753_024,
    axis,
    slots,
    touch,
    sizeDecimals: facts.sizeDecimals ?? 1,
    bid: bids[0]?.px,
    ask: asks[0]?.px,
    spread: both ? '1' : '',
    spreadBps: both ? '0.12' : '',
    mid: both ? '100.5' : '',
    direction: undefined,
    flowMs: facts.flowMs,
    rows,
    lanes: new Float64Array(rows.length).fill(1),
    marks: new Uint8Array(rows.length),
  };
}
