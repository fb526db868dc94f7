import { divide, formatUnits, multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { daysOfMonth } from './days.ts';

const DAY_MS = 86_400_000;

/** How much of a calendar month (UTC) has gone by. */
export interface Elapsed {
  readonly elapsedMs: number;
  readonly lengthMs: number;
}

/** How much of the month of `today` has gone by at `now`; a moment of another day counts as its nearest one. */
export function elapsedOfMonth(today: string, now: number): Elapsed {
  const days = daysOfMonth(today);
  const before = days.indexOf(today) * DAY_MS;
  const intoDay = Math.min(DAY_MS, Math.max(0, now - Date.parse(today)));
  return { elapsedMs: before + intoDay, lengthMs: days.length * DAY_MS };
}

/**
 * Share of the plan that is used, over the share of the month that has gone by, rounded half up to hundredths: at 1.00 the
 * plan lasts exactly to the end of the month. Undefined without a plan, and in the first moment of a month.
 */
export function burnRate(used: number, ceiling: number, { elapsedMs, lengthMs }: Elapsed): DecimalString | undefined {
  const product = (a: number, b: number) => multiply(formatUnits(a, 0), formatUnits(b, 0));
  return divide(product(used, lengthMs), product(ceiling, elapsedMs), 2);
}
