import type { DecimalString, FundingEntry } from '@l4desk/protocol';
import { HOUR_MS } from '../interval.ts';

export const START = Date.UTC(2026, 4, 5);

export const decimalOf = (text: string) => text as DecimalString;

/** One entry per hour, some ms late. */
export function hourly(rates: readonly string[], premium = '0.0001'): readonly FundingEntry[] {
  return rates.map((rate, at) => ({
    coin: 'BTC',
    fundingRate: decimalOf(rate),
    premium: decimalOf(premium),
    time: START + at * HOUR_MS + ((at * 37) % 700),
  }));
}

/** A period of this many hours. */
export function periodOfHours(count: number) {
  return { from: START, to: START + count * HOUR_MS };
}
