import { z } from './zod.ts';

/** A decimal number as text, kept exactly as the exchange printed it, trailing zeros included. Never a float. */
export type DecimalString = `${number}`;

/** A plain decimal: optional minus, digits, optional fraction. No exponent, no plus, no bare dot. */
export const DECIMAL_PATTERN = /^-?\d+(?:\.\d+)?$/;

export function isDecimalString(value: unknown): value is DecimalString {
  return typeof value === 'string' && DECIMAL_PATTERN.test(value);
}

/** The value if it is a decimal string; undefined for null, `NaN` or anything else that is not one. */
export function decimalOf(value: unknown): DecimalString | undefined {
  return isDecimalString(value) ? value : undefined;
}

/** A wallet: `0x` and 40 hexadecimal digits, in any letter case on input, in lower case on output. */
export type Address = `0x${string}`;

const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** Whether a value is a wallet address, in any letter case. */
export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && ADDRESS_PATTERN.test(value);
}

/** `B` is bid (buy, long), `A` is ask (sell, short). */
export type Side = 'B' | 'A';

export const SIDES = ['B', 'A'] as const satisfies readonly Side[];

/** The market that a coin belongs to, derived from its name alone: `@107` and `PURR/USDC` are spot, `#12` is an outcome. */
export type CoinMarket = 'perp' | 'spot' | 'outcome';

export function coinMarket(coin: string): CoinMarket {
  if (coin.startsWith('@') || coin.includes('/')) return 'spot';
  if (coin.startsWith('#')) return 'outcome';
  return 'perp';
}

/** The builder dex of a coin in deployer-prefixed form (`xyz:GOLD` → `xyz`), or the empty string for the canonical dex. */
export function coinDex(coin: string): string {
  const colon = coin.indexOf(':');
  return colon < 0 ? '' : coin.slice(0, colon);
}

export const decimalString = z.templateLiteral([z.number()]).meta({
  description: 'decimal number as text, upstream precision kept',
  example: '81307.0',
});

export const reportedDecimal = z.string().meta({
  description:
    'decimal number as text, upstream precision kept; another text, such as NaN, where the exchange reports no number',
  example: '-0.00016571',
});

/** An amount of an account. The exchange reports null, no value or `NaN` for some rows, which are passed on as sent (D59). */
export const reportedAmount = reportedDecimal.nullish();

/** A price or size of a book: never below zero, not even as `-0.0`. */
export const amount = decimalString
  .refine((text) => !text.startsWith('-'), 'must not be negative')
  .meta({ description: 'decimal number from zero as text, upstream precision kept', example: '81307.0' });

export const NOT_AN_ADDRESS = 'must be a wallet address: 0x and 40 hexadecimal digits';

export const address = z
  .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)], NOT_AN_ADDRESS)
  .meta({ description: 'wallet address', example: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5' });

export const side = z.enum(SIDES).meta({ description: 'B bid, A ask' });

/** Milliseconds since the Unix epoch. */
export const millis = z.int().nonnegative().meta({ description: 'ms since the Unix epoch', example: 1778002753024 });

export const coinName = z.string().min(1).max(64).meta({ description: 'asset symbol', example: 'BTC' });
