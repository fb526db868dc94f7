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
  it('[INFO-31] may have a premium that is not a number', () => {
    const recorded = { coin: 'STRAX', fundingRate: '0.0', premium: 'NaN', time: 1710471600208 };
    expect(fundingHistory.parse([recorded])).toEqual([recorded]);
    expect(fundingHistory.safeParse([{ ...recorded, fundingRate: null, premium: null }]).success).toBe(true);
    expect(fundingHistory.safeParse([{ ...recorded, premium: 1 }]).success).toBe(false);
  });
});

describe('servedFundingHistory', () => {
  const ALL = { startTime: 0 };

  it('[INFO-3] returns the same array for up to 500 entries, oldest first', () => {
    const entries = Array.from({ length: 500 }, (_, index) => entry(index * 3_600_000 + 48));
    expect(servedFundingHistory(entries, ALL)).toBe(entries);
  });

  it('[FUND-15] drops entries outside the window, then sorts, then keeps the oldest 500', () => {
    const entries = Array.from({ length: 1_038 }, (_, index) => entry(1_037 - index));
    const served = servedFundingHistory(entries, { startTime: 100, endTime: 900 });
    expect(served).toEqual(Array.from({ length: 500 }, (_, index) => entry(100 + index)));
    expect(servedFundingHistory(entries, { startTime: 900, endTime: 901 })).toEqual([entry(900), entry(901)]);
  });

  it('is undefined for an entry without a time, which can be in no window', () => {
    expect(servedFundingHistory([entry(1), null], ALL)).toBeUndefined();
  });
});
