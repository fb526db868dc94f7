import { describe, expect, it } from 'vitest';
import { type FundingEntry, fundingHistory, fundingHistoryRequest, servedFundingHistory } from './fundingHistory.ts';
import { decodeRequest } from './request.ts';

function entry(time: number): FundingEntry {
  return { coin: 'BTC', fundingRate: '0.0000125', premium: '-0.00016571', time };
}

describe('the request', () => {
  const decode = (fields: object) => decodeRequest(fundingHistoryRequest, { type: 'fundingHistory', ...fields });

  it('[FUND-1] has type, coin, startTime and an optional endTime; a builder market has its prefix', () => {
    for (const coin of ['BTC', 'xyz:GOLD']) {
      const request = { type: 'fundingHistory', coin, startTime: 0 };
      expect(decode({ coin, startTime: 0 })).toEqual({ kind: 'request', request });
      expect(decode({ coin, startTime: 0, endTime: 9 })).toEqual({
        kind: 'request',
        request: { ...request, endTime: 9 },
      });
    }
    expect(decode({ startTime: 0 })).toEqual({ kind: 'refused', path: 'coin', problem: 'is missing' });
    expect(decode({ coin: '', startTime: 0 })).toEqual({ kind: 'refused', path: 'coin', problem: 'must not be empty' });
    expect(decode({ coin: 'BTC' })).toEqual({ kind: 'refused', path: 'startTime', problem: 'is missing' });
  });

  it('treats an endTime of null as missing', () => {
    const withNull = decode({ coin: 'BTC', startTime: 1, endTime: null });
    expect(JSON.stringify(withNull)).toBe(JSON.stringify(decode({ coin: 'BTC', startTime: 1 })));
  });

  it('accepts a window of one moment, and rejects one that ends before it starts', () => {
    expect(decode({ coin: 'BTC', startTime: 5, endTime: 5 })).toMatchObject({ kind: 'request' });
    expect(decode({ coin: 'BTC', startTime: 5, endTime: 4 })).toEqual({
      kind: 'refused',
      path: 'endTime',
      problem: 'must not be before startTime',
    });
  });

  it.each([
    ['startTime', 1.5, 'must be a whole number'],
    ['startTime', '5', 'must be a number'],
    ['startTime', -1, 'must be at least 0'],
    ['startTime', null, 'must be a number'],
    ['endTime', '5', 'must be a number'],
    ['endTime', 2 ** 60, `must be at most ${Number.MAX_SAFE_INTEGER}`],
    ['coin', 'X'.repeat(65), 'must be at most 64 characters long'],
  ])('[INFO-17, DEC-4] rejects a %s of %j', (field, value, problem) => {
    expect(decode({ coin: 'BTC', startTime: 1, [field]: value })).toEqual({ kind: 'refused', path: field, problem });
  });
});

describe('an entry', () => {
  it('[FUND-12] may have a premium that is not a number', () => {
    const recorded = { coin: 'STRAX', fundingRate: '0.0', premium: 'NaN', time: 1710471600208 };
    expect(fundingHistory.parse([recorded])).toEqual([recorded]);
    expect(fundingHistory.safeParse([{ ...recorded, premium: null }]).success).toBe(false);
  });
});

describe('servedFundingHistory', () => {
  it('[INFO-3] returns the same array for up to 500 entries, oldest first', () => {
    const entries = Array.from({ length: 500 }, (_, index) => entry(index * 3_600_000 + 48));
    expect(servedFundingHistory(entries)).toBe(entries);
  });

  it('keeps the oldest 500 of more entries, so that startTime pages through the rest', () => {
    const entries = Array.from({ length: 1_038 }, (_, index) => entry(index));
    const pages: FundingEntry[] = [];
    for (let startTime = 0; ; ) {
      const page = servedFundingHistory(entries.filter(({ time }) => time >= startTime));
      pages.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      expect(page.length).toBeLessThanOrEqual(500);
      startTime = last.time + 1;
    }
    expect(pages).toEqual(entries);
  });

  it('sorts entries that arrived in another order', () => {
    for (const times of [
      [3, 1, 2],
      [1, 3, 2],
      [2, 1, 3],
    ])
      expect(servedFundingHistory(times.map(entry)).map(({ time }) => time)).toEqual([1, 2, 3]);
  });
});
