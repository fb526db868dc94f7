import { z } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  pageSearch,
  searchDay,
  searchDecimal,
  searchFlag,
  searchList,
  searchText,
  searchTextOf,
  searchWallet,
  searchWhole,
} from './page-search.ts';

const A = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bd5';
const search = pageSearch({
  q: searchText,
  side: z.enum(['B', 'A']),
  dust: searchFlag,
  top: searchWhole(1, 50),
  over: searchDecimal,
  from: searchDay,
  wallets: searchList(searchWallet),
});

describe('the query string of a page', () => {
  it('is parsed into values, and rejected parameters are listed as written', () => {
    const given = { q: 'x', side: 'C', dust: '1', top: '51', over: '0.10', from: '2026-02-30', wallets: `${A},${A}` };
    expect(search.read(given)).toEqual({ q: 'x', dust: true, over: '0.10', wallets: [A.toLowerCase()] });
    expect(search.invalid(given)).toEqual(['side=C', 'top=51', 'from=2026-02-30']);
  });

  it('keeps parameters it cannot parse, and drops those of other pages', () => {
    expect(search.schema.parse({ side: 'C', other: '1', q: '' })).toEqual({ side: 'C' });
  });

  it('accepts any text without throwing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('q', 'side', 'dust', 'top', 'over', 'from', 'wallets'), fc.string()),
        (given) => {
          const read = search.read(given);
          const invalid = search.invalid(given).map((text) => text.slice(0, text.indexOf('=')));
          for (const [name, text] of Object.entries(given)) {
            expect(text === '' || name in read !== invalid.includes(name)).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['a b', 'a b'],
    [true, '1'],
    [false, undefined],
    [0, '0'],
    [[], undefined],
    [['a', 'b'], 'a,b'],
    [['partly filled, then canceled', 'filled'], 'partly filled%2C then canceled,filled'],
    [['50%', '%2C', ''], '50%25,%252C,%'],
  ])('%j is written as %j', (value, text) => {
    expect(searchTextOf(value)).toBe(text);
  });

  it('round-trips any text as a list item', () => {
    const item = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(',', '%', '2', '5', 'C') }));
    fc.assert(
      fc.property(fc.uniqueArray(item, { minLength: 1, maxLength: 5 }), (items) => {
        expect(searchList(z.string()).parse(searchTextOf(items) ?? '')).toEqual(items);
      }),
    );
  });
});
