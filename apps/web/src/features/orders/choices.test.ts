import { describe, expect, it } from 'vitest';
import { refusedOf, withoutReversedDays } from './choices.ts';
import { ordersSearch } from './search.ts';

const read = (search: object) => ({ choices: ordersSearch.read(search), invalid: ordersSearch.invalid(search) });

describe('the choices of the address', () => {
  it('names a column that cannot be sorted by in the notice', () => {
    const { choices, invalid } = read({ sort: '-nope' });
    expect(invalid).toEqual([]);
    expect(refusedOf(choices, { sort: undefined, hasRow: false, isComplete: false })).toEqual(['sort=-nope']);
  });

  it('names days in the wrong order, and filters by none', () => {
    const { choices } = read({ from: '2026-11-27', to: '2026-11-01', coin: 'BTC' });
    const found = { sort: undefined, hasRow: false, isComplete: false };
    expect(refusedOf(choices, found)).toEqual(['from=2026-11-27', 'to=2026-11-01']);
    expect(withoutReversedDays(choices)).toMatchObject({ from: undefined, to: undefined, coin: ['BTC'] });
    const day = read({ from: '2026-11-01', to: '2026-11-01' }).choices;
    expect(refusedOf(day, found)).toEqual([]);
    expect(withoutReversedDays(day)).toBe(day);
  });

  it('names an order that no response contains, once every call has responded', () => {
    const { choices } = read({ row: '0xaa/frontendOpenOrders/1/0', sort: 'oid' });
    const sort = { column: 'oid', descending: false };
    expect(refusedOf(choices, { sort, hasRow: false, isComplete: false })).toEqual([]);
    expect(refusedOf(choices, { sort, hasRow: true, isComplete: true })).toEqual([]);
    expect(refusedOf(choices, { sort, hasRow: false, isComplete: true })).toEqual(['row=0xaa/frontendOpenOrders/1/0']);
  });
});
