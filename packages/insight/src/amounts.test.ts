import { expect, it } from 'vitest';
import { leanOf, quotient, signedQuotient, unitQuotient } from './amounts.ts';

/** Whole numbers of every length, on both sides of what can be divided safely as a number, and halves that round up. */
const AMOUNTS = [0, 1, 2, 3, 7, 64, 127, 999_999, 1_000_001, 2 ** 31 - 1, 4_503_599_627, 2 ** 40 + 1, 2 ** 52 - 1];

it('shares and leans are the same for numbers as for bigints, to the last digit', () => {
  for (const part of AMOUNTS) {
    for (const whole of AMOUNTS.filter((amount) => amount > 0)) {
      for (const decimals of [0, 3, 6]) {
        const exact = quotient(BigInt(part), BigInt(whole), decimals);
        expect(unitQuotient(part, whole, decimals)).toBe(exact);
        expect(unitQuotient(BigInt(part), whole, decimals)).toBe(exact);
      }
      const lean = signedQuotient(BigInt(part) - BigInt(whole), BigInt(part) + BigInt(whole), 6);
      expect(leanOf(part, whole)).toBe(lean);
      expect(leanOf(BigInt(part), BigInt(whole))).toBe(lean);
    }
  }
  expect(leanOf(0, 0)).toBeNull();
  expect(leanOf(1, 1)).toBe('0.000000');
  expect(unitQuotient(1, 8, 2)).toBe('0.13');
  expect(leanOf(7, 9)).toBe('-0.125000');
});
