import { describe, expect, it } from 'vitest';
import { conditionsOf, filterOf, isFiltered, refusedOf, withoutReversedDays } from './choices.ts';
import { FACET_IDS } from './facets.ts';
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

describe('the conditions of the address', () => {
  const { choices } = read({ q: '412', from: '2026-11-01', coin: 'BTC,@107', ro: 'unreported', sort: 'oid' });
  const conditions = conditionsOf(choices, (coin) => (coin === '@107' ? 'HYPE/USDC' : coin));

  it('are one text each', () => {
    expect(conditions.map(({ text }) => text)).toEqual([
      'oid or cloid starts with 412',
      'Placed from 2026-11-01',
      'Coin: BTC or HYPE/USDC',
      'Reduce-only: not reported',
    ]);
    const days = read({ from: '2026-11-01', to: '2026-11-02' }).choices;
    expect(conditionsOf(days, String).map(({ text }) => text)).toEqual(['Placed from 2026-11-01 to 2026-11-02']);
  });

  it('are removed one by one, and nothing is filtered without them', () => {
    for (const { text, without } of conditions) {
      const left = conditionsOf({ ...choices, ...without }, String);
      expect(left).toHaveLength(conditions.length - 1);
      expect(left.map((each) => each.text)).not.toContain(text);
    }
    const none = conditions.reduce((now, { without }) => ({ ...now, ...without }), choices);
    expect(isFiltered(none)).toBe(false);
    const { facets, ...others } = filterOf(none);
    expect(others).toEqual({ search: '', placedFrom: undefined, placedBefore: undefined });
    expect(FACET_IDS.filter((facet) => facets[facet] !== undefined)).toEqual([]);
  });
});
