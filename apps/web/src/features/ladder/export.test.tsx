import { describe, expect, it } from 'vitest';
import { ladderFrame } from '../../test-support/ladder-frame.ts';
import { csvOf, jsonOf } from '../../ui/export/csv.ts';
import { ladderSnapshot } from './snapshot.ts';
import { LADDER_EXPORT, ladderExportRows, ladderFacts } from './title-line.tsx';

function snapshot(coin = 'BTC') {
  const frame = ladderFrame({
    coin,
    asks: [{ px: '101', sz: '1.50', cumulative: '1.50', count: 2 }],
    bids: [
      { px: '100', sz: '12345678901234567890.000001', cumulative: '12345678901234567890.000001', count: 1 },
      { px: '98', sz: '0.5', cumulative: '12345678901234567890.500001', count: 4_468 },
    ],
  });
  return ladderSnapshot(frame);
}

const csv = (coin?: string) => csvOf(LADDER_EXPORT, ladderExportRows(snapshot(coin)));

describe('the rows on the screen as a file', () => {
  it('[DEC-1, DEC-3] contains the exact texts and the stream position in JSON', () => {
    const shown = snapshot();
    const where = {
      coin: 'BTC',
      tick: '1',
      height: 985_148_232,
      seq: 88_102,
      epoch: '3f2a0000-0000-4000-8000-000000000000',
      time: '2026-05-05T17:39:13.024Z',
      time_ms: 1_778_002_753_024,
    };
    const long = '12345678901234567890.000001';
    expect(JSON.parse(jsonOf(LADDER_EXPORT, ladderExportRows(shown), ladderFacts(shown)))).toEqual({
      bestBid: '100',
      bestAsk: '101',
      spread: '1',
      mid: '100.5',
      rows: [
        { ...where, side: 'A', px: '101', sz: '1.50', cumulative: '1.50', orders: 2 },
        { ...where, side: 'B', px: '100', sz: long, cumulative: long, orders: 1 },
        { ...where, side: 'B', px: '98', sz: '0.5', cumulative: '12345678901234567890.500001', orders: 4_468 },
      ],
    });
  });

  it('[DEC-1] has one CSV line per row, without thousands separators or rounding', () => {
    const [heading, first, second] = csv().split('\r\n');
    expect(heading).toBe('coin,tick,height,seq,epoch,time,time_ms,side,px,sz,cumulative,orders');
    expect(first).toBe(
      'BTC,1,985148232,88102,3f2a0000-0000-4000-8000-000000000000,2026-05-05T17:39:13.024Z,1778002753024,A,101,1.50,1.50,2',
    );
    expect(second).toContain(',B,100,12345678901234567890.000001,');
  });

  it('has no rows and no market before there is a book', () => {
    expect(ladderExportRows(undefined)).toEqual([]);
    expect(ladderFacts(undefined)).toEqual({ bestBid: null, bestAsk: null, spread: null, mid: null });
  });
});
