import { describe, expect, it } from 'vitest';
import { address, coinDex, coinMarket, decimalString, isDecimalString } from './primitives.ts';

describe('decimalString', () => {
  it.each(['0', '0.0', '81307.0', '-0.00001250', '123456789012345678901234567890.5'])('[DEC-1] accepts %s', (text) => {
    expect(decimalString.parse(text)).toBe(text);
    expect(isDecimalString(text)).toBe(true);
  });

  it.each(['', ' 1', '1 ', '+1', '1.', '.5', '1e5', '0x10', 'Infinity', 'NaN', '1_000', '1,5'])(
    '[DEC-5] rejects %j',
    (text) => {
      expect(decimalString.safeParse(text).success).toBe(false);
      expect(isDecimalString(text)).toBe(false);
    },
  );

  it('[DEC-1] rejects a number', () => {
    expect(decimalString.safeParse(1.5).success).toBe(false);
    expect(isDecimalString(1.5)).toBe(false);
  });
});

describe('address', () => {
  it('accepts any letter case unchanged', () => {
    const mixed = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bd5';
    expect(address.parse(mixed)).toBe(mixed);
  });

  it.each(['', '0x', '5eaac7c475b1fad85701f02c4e9e796a53f94bd5', '0x5eaac7c475b1fad85701f02c4e9e796a53f94bdg', null])(
    'rejects %j',
    (value) => {
      expect(address.safeParse(value).success).toBe(false);
    },
  );
});

it.each([
  ['BTC', 'perp', ''],
  ['kPEPE', 'perp', ''],
  ['xyz:GOLD', 'perp', 'xyz'],
  ['@107', 'spot', ''],
  ['PURR/USDC', 'spot', ''],
  ['#12', 'outcome', ''],
] as const)('[SNAP-1, SNAP-15] coin names %s is %s of dex %j', (coin, market, dex) => {
  expect(coinMarket(coin)).toBe(market);
  expect(coinDex(coin)).toBe(dex);
});
