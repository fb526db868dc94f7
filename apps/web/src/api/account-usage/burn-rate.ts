import { compare, divide, formatUnits, multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { daysOfMonth } from './days.ts';

const DAY_MS = 86_400_000;

export interface Elapsed {
  readonly elapsedMs: number;
  readonly lengthMs: number;
}

/** How much of the month of `today` has elapsed at `now`. A time outside of `today` is clamped to that day. */
export function elapsedOfMonth(today: string, now: number): Elapsed {
  const days = daysOfMonth(today);
  const before = days.indexOf(today) * DAY_MS;
  const intoDay = Math.min(DAY_MS, Math.max(0, now - Date.parse(today)));
  return { elapsedMs: before + intoDay, lengthMs: days.length * DAY_MS };
}

/**
 * The used share of the plan divided by the elapsed share of the month, rounded half up to hundredths. At 1.00 the plan lasts
 * exactly until the end of the month. Undefined without a plan, and at the very start of a month.
 */
export function burnRate(used: number, ceiling: number, { elapsedMs, lengthMs }: Elapsed): DecimalString | undefined {
  const product = (a: number, b: number) => multiply(formatUnits(a, 0), formatUnits(b, 0));
  return divide(product(used, lengthMs), product(ceiling, elapsedMs), 2);
}

/** Whether the plan runs out before the month ends. */
export const isTooFast = (rate: DecimalString) => compare(rate, '1') > 0;
