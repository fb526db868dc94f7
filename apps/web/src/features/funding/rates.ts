import { compound, divide, formatUnits, multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { HOUR_MS, intervalsPerYear, YEAR_MS } from './interval.ts';
import type { Unit } from './search.ts';

/** Decimals of a compounded fraction; as percent it has two fewer. */
export const COMPOUND_DECIMALS = 12;
/** Decimals of a fraction that has to be rounded: a span that is not a whole number of intervals. */
const UNEVEN_DECIMALS = 18;

const whole = (value: number) => formatUnits(value, 0);

/**
 * Converts a rate of one interval to another unit. Exact if the span is a whole number of intervals; compounded with
 * `COMPOUND_DECIMALS` correct decimals. Undefined if no interval was measured, or if compounding loses everything.
 */
export function rateIn(unit: Unit, rate: DecimalString, interval: number | undefined): DecimalString | undefined {
  if (unit === 'interval') return rate;
  if (interval === undefined) return undefined;
  if (unit === 'compound') return compound(rate, intervalsPerYear(interval), COMPOUND_DECIMALS);
  const span = unit === '8h' ? 8 * HOUR_MS : YEAR_MS;
  const total = multiply(rate, whole(span));
  return span % interval === 0
    ? multiply(rate, whole(span / interval))
    : divide(total, whole(interval), UNEVEN_DECIMALS);
}

/** What rates are shown in if the address does not say: a year makes coins with different intervals comparable. */
export const UNIT_DEFAULT: Unit = 'simple';

/** The names of a unit on its control, on axes and in headings. */
export const UNIT_TEXTS: Readonly<
  Record<Unit, { readonly text: string; readonly axis: string; readonly hint: string }>
> = {
  interval: { text: 'Interval', axis: '% per interval', hint: 'The rate as the exchange applied it' },
  '8h': { text: '8 h', axis: '% per 8 h', hint: 'Multiplied by the number of intervals in 8 hours' },
  simple: {
    text: 'APR',
    axis: '% per year (APR)',
    hint: 'Multiplied by the number of intervals in 365 days',
  },
  compound: {
    text: 'APY',
    axis: '% per year, compounded (APY)',
    hint: `(1 + rate)^n − 1 with n intervals in 365 days; ${COMPOUND_DECIMALS - 2} correct digits of percent`,
  },
};
