import { compare } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedBy, unitsOf } from './sorted-rows.ts';

it('[DEC-6] sorts amounts by their exact values, at any length and sign; what has none comes last in both directions', () => {
  const amount = fc
    .tuple(
      fc.oneof(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 36, size: 'max' }),
    )
    .map(([whole, fraction]) => `${whole}.${fraction.join('')}` as DecimalString);
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 30 }), fc.boolean(), (amounts, descending) => {
      const sorted = sortedBy([undefined, ...amounts, undefined], unitsOf, descending);
      const known = amounts.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
      expect(sorted).toEqual([...known, undefined, undefined]);
    }),
  );
});
