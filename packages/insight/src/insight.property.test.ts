import { L4Book } from '@l4desk/book';
import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { fuzzRuns, order, wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figures, ownerLens, owners, queuePlaces, queuePlacesOf, sweep, sweptOrders } from './index.ts';
import { listed } from './test-support/books.ts';
import { type Lists, placesByOwner, sweepOf, sweptOf } from './test-support/brute-force.ts';
import { figuresOf, lensOf, ownersNear } from './test-support/brute-lens.ts';

/** Ordinary prices and sizes: repeats and zeros are frequent. */
const plainAmount = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom('', '.0', '.5', '.25', '.125', '.10'))
  .map(([whole, fraction]) => `${whole}${fraction}` as DecimalString);

/** Amounts of any length, some in unusual notation. */
const anyAmount = fc.oneof(
  { weight: 4, arbitrary: plainAmount },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(), fc.stringMatching(/^\.[0-9]{1,25}$/))
      .map(([whole, fraction]) => `${whole}${fraction}` as DecimalString),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DecimalString[]>('007', '9007199254740993', `1${'0'.repeat(25)}` as DecimalString),
  },
);

const UPPER = wallet(0xabc).toUpperCase().replace('X', 'x') as Address;
const WALLETS = [wallet(1), wallet(2), wallet(3), wallet(0xabc), UPPER];

const value = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(60, '0'));
};

interface Drawn {
  readonly side: Side;
  readonly limitPx: DecimalString;
  readonly sz: DecimalString;
  readonly user: Address | null;
}

/** A book and the same orders as plain lists. Bids are cheaper than asks unless `crossed`. */
function booksOf(amounts: fc.Arbitrary<DecimalString>) {
  const drawn = fc.record<Drawn>({
    side: fc.constantFrom<Side[]>('B', 'A'),
    limitPx: amounts,
    sz: amounts,
    user: fc.constantFrom(...WALLETS, null),
  });
  return fc
    .record({ rows: fc.array(drawn, { maxLength: 40 }), crossed: fc.boolean(), split: amounts })
    .map(({ rows, crossed, split }) => {
      const side = (letter: Side, sign: 1 | -1): L4Order[] =>
        rows
          .map((row, index) => order({ ...row, oid: index + 1, timestamp: (index * 7_919) % 1_000 }))
          .map((row) => (crossed ? row : { ...row, side: sideOf(row.limitPx, split) }))
          .filter((row) => row.side === letter)
          .toSorted((a, b) => sign * compareValues(a.limitPx, b.limitPx));
      const levels = [side('B', -1), side('A', 1)] as const;
      const lists: Lists = { B: levels[0].map(listed), A: levels[1].map(listed) };
      return { book: L4Book.build('BTC', levels).book, lists };
    });
}

function sideOf(px: string, split: string): Side {
  return value(px) < value(split) ? 'B' : 'A';
}

function compareValues(a: string, b: string): number {
  if (value(a) === value(b)) return 0;
  return value(a) < value(b) ? -1 : 1;
}

describe.each([
  ['ordinary decimals', plainAmount],
  ['decimals of any length', anyAmount],
])('books of %s', (_, amounts) => {
  it('places equal a count over all orders', () => {
    fc.assert(
      fc.property(booksOf(amounts), ({ book, lists }) => {
        const places = placesByOwner(lists, () => true);
        for (const user of WALLETS) {
          expect(queuePlaces(book, user)).toEqual(places.get(user.toLowerCase()) ?? []);
        }
        const [first, second] = [wallet(0xabc), wallet(2)];
        expect(queuePlacesOf(book, [UPPER, second])).toEqual(
          new Map([first, second].map((user) => [user, places.get(user) ?? []])),
        );
      }),
      fuzzRuns(100),
    );
  });

  it('owners equal a sum over all orders, for any distance', () => {
    fc.assert(
      fc.property(booksOf(amounts), amounts, fc.boolean(), ({ book, lists }, distance, isWide) => {
        const withinBps = (isWide ? distance.replace(/^/, '1234') : distance) as DecimalString;
        expect(owners(book, withinBps)).toEqual(ownersNear(lists, withinBps));
      }),
      fuzzRuns(80),
    );
  });

  it('the owner lens equals sums over all orders, for any distance and any wall share', () => {
    fc.assert(
      fc.property(
        booksOf(amounts),
        amounts,
        fc.constantFrom<DecimalString[]>('0', '0.02', '0.3', '0.333', '1'),
        fc.nat(9),
        ({ book, lists }, distance, wallShare, limit) => {
          const withinBps = `12${distance}` as DecimalString;
          const question = { withinBps, wallShare, clock: 1_000_000, ...(limit === 0 ? {} : { limit }) };
          const placedAt = (oid: number) => book.order(oid)?.timestamp ?? Number.NaN;
          expect(ownerLens(book, question)).toEqual(lensOf(lists, placedAt, question));
        },
      ),
      fuzzRuns(80),
    );
  });

  it('figures equal sums over all orders, for any tick', () => {
    fc.assert(
      fc.property(
        booksOf(amounts),
        fc.constantFrom<DecimalString[]>('1', '0.5', '0.3', '007'),
        ({ book, lists }, tick) => {
          expect(figures(book)).toEqual(figuresOf(lists));
          expect(figures(book, tick)).toEqual(figuresOf(lists, tick));
        },
      ),
      fuzzRuns(80),
    );
  });

  it('sweeps equal a walk over all orders, for any amount', () => {
    fc.assert(
      fc.property(
        booksOf(amounts),
        fc.constantFrom('buy' as const, 'sell' as const),
        amounts,
        fc.nat(12),
        ({ book, lists }, side, amount, szDecimals) => {
          expect(sweep(book, side, { sz: amount })).toEqual(sweepOf(lists, side, { sz: amount }));
          expect(sweep(book, side, { to: amount })).toEqual(sweepOf(lists, side, { to: amount }));
          const swept = sweptOf(lists, side, { sz: amount });
          expect(sweptOrders(book, side, { sz: amount }, 100)).toEqual(swept);
          expect(sweptOrders(book, side, { sz: amount }, 2)).toEqual(swept.slice(0, 2));
          for (const ntl of [amount, `12${amount}` as DecimalString]) {
            const found = sweep(book, side, { ntl, szDecimals });
            expect(found).toEqual(sweepOf(lists, side, { ntl, szDecimals }));
            const parts = sweptOf(lists, side, { ntl, szDecimals });
            expect(sweptOrders(book, side, { ntl, szDecimals }, 100)).toEqual(parts);
          }
        },
      ),
      fuzzRuns(80),
    );
  });
});
