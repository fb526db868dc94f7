import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { tickGrid } from '../prices.ts';
import { type FrameContent, type FrameSide, packFrame } from './pack-frame.ts';
import { readFrame } from './read-frame.ts';

interface Row {
  readonly index: number;
  readonly size: number;
  readonly cumulative: number;
  readonly count: number;
  readonly lane: readonly number[];
  readonly marks: readonly number[];
  readonly sizeText: string;
  readonly cumulativeText: string;
  readonly notional: string;
  readonly came: string;
  readonly withdrawn: string;
  readonly own: string;
}

const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
const decimal = fc.tuple(fc.nat(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}`);

const rows = fc.array(
  fc.record({
    index: fc.nat(),
    size: amount,
    cumulative: amount,
    count: fc.nat({ max: 5_000 }),
    lane: fc.array(amount, { maxLength: 8 }),
    marks: fc.array(fc.nat({ max: 255 }), { minLength: 8, maxLength: 8 }),
    sizeText: decimal,
    cumulativeText: decimal,
    notional: decimal,
    came: decimal,
    withdrawn: decimal,
    own: decimal,
  }),
  { maxLength: 30 },
);

function side(items: readonly Row[]): FrameSide {
  const row = (at: number) => must(items[at], `row ${at}`);
  return {
    length: items.length,
    index: (at) => row(at).index,
    size: (at) => row(at).size,
    cumulative: (at) => row(at).cumulative,
    count: (at) => row(at).count,
    laneLength: (at) => row(at).lane.length,
    laneSize: (at, place) => must(row(at).lane[place], `order ${place}`),
    laneMark: (at, place) => must(row(at).marks[place], `mark ${place}`),
    text: (at, name) => ({ ...row(at), size: row(at).sizeText, cumulative: row(at).cumulativeText })[name],
  };
}

function content(asks: readonly Row[], bids: readonly Row[], change: Partial<FrameContent> = {}): FrameContent {
  return {
    serial: 7,
    generation: 3,
    version: 99,
    height: 985_148_232,
    seq: 88_102,
    blockTime: 1_778_002_753_024,
    axis: { top: 81_320, detached: true },
    slots: 40,
    bestAsk: 81_308,
    bestBid: undefined,
    sizeDecimals: 5,
    frozen: true,
    flowMs: 2_400,
    grid: must(tickGrid('0.5'), 'grid'),
    texts: {
      coin: 'xyz:GÖLD',
      epoch: '3f2a0000-0000-4000-8000-000000000000',
      bid: '',
      ask: '81308.0',
      spread: '',
      spreadBps: '',
      mid: '',
    },
    asks: side(asks),
    bids: side(bids),
    ...change,
  };
}

describe('a frame', () => {
  it('reads back as it was packed, from a new buffer or a reused one', () => {
    fc.assert(
      fc.property(rows, rows, fc.integer({ min: 0, max: 20_000 }), (asks, bids, spareBytes) => {
        const spare = new ArrayBuffer(spareBytes);
        const frame = readFrame(packFrame(content(asks, bids), spare));
        const all = [...asks, ...bids];
        expect(frame.rowCount).toBe(all.length);
        all.forEach((row, at) => {
          expect(frame.side(at)).toBe(at < asks.length ? 'A' : 'B');
          expect(frame.index(at)).toBe(row.index);
          expect(frame.size(at)).toBe(row.size);
          expect(frame.cumulative(at)).toBe(row.cumulative);
          expect(frame.count(at)).toBe(row.count);
          expect(frame.sizeText(at)).toBe(row.sizeText);
          expect(frame.cumulativeText(at)).toBe(row.cumulativeText);
          for (const name of ['notional', 'came', 'withdrawn', 'own'] as const) {
            expect(frame.rowText(at, name)).toBe(row[name]);
          }
          const start = frame.laneStart(at);
          const end = start + frame.laneLength(at);
          expect(Array.from(frame.lanes.subarray(start, end))).toEqual(row.lane);
          expect(Array.from(frame.marks.subarray(start, end))).toEqual(row.marks.slice(0, row.lane.length));
        });
      }),
    );
  });

  it('carries the coin, the tick and the stream position it belongs to', () => {
    const frame = readFrame(packFrame(content([], [])));
    expect(frame).toMatchObject({
      serial: 7,
      generation: 3,
      version: 99,
      tick: '0.5' satisfies DecimalString,
      grid: { tick: '0.5', units: 5, decimals: 1 },
      height: 985_148_232,
      seq: 88_102,
      blockTime: 1_778_002_753_024,
      frozen: true,
      flowMs: 2_400,
      axis: { top: 81_320, detached: true },
      slots: 40,
      sizeDecimals: 5,
      ask: { px: '81308.0', index: 81_308 },
      bid: undefined,
    });
    expect([frame.text('coin'), frame.text('epoch')]).toEqual(['xyz:GÖLD', '3f2a0000-0000-4000-8000-000000000000']);
  });

  it('reuses a spare buffer that is large enough, otherwise creates one with room to grow', () => {
    const spare = new ArrayBuffer(4_096);
    expect(packFrame(content([], []), spare)).toBe(spare);
    const grown = packFrame(content([], []), new ArrayBuffer(8));
    expect(grown.byteLength).toBeGreaterThan(8);
    expect(packFrame(content([], []), grown)).toBe(grown);
  });
});
