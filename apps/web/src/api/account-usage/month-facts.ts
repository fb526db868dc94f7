import type { AccountUsage } from '@l4desk/client';
import { type Elapsed, elapsedOfMonth } from './burn-rate.ts';
import { daysOf, type MonthUse, monthsOf, type UsageDay } from './days.ts';
import { type Forecast, forecastOf } from './forecast.ts';

/** How the current month compares with the plan, and where it is going; the same whatever window is shown. */
export interface MonthFacts extends Pick<AccountUsage, 'aggregate'> {
  /** The days up to today that this rests on. */
  readonly days: readonly UsageDay[];
  readonly today: string;
  readonly month: MonthUse & { readonly elapsed: Elapsed };
  readonly forecast: Forecast;
}

/** Months back from today that say where the current one is going: they hold all of it, and enough days before it. */
export const MONTH_BASIS = { duration: 3 } as const;

/** The current month, from a response to `MONTH_BASIS`. */
export function monthFactsOf(response: AccountUsage, respondedAt: number): MonthFacts | undefined {
  const today = response.period.to;
  const days = daysOf(response);
  const month = monthsOf(days, today).at(-1);
  if (month === undefined) return undefined;
  const elapsed = elapsedOfMonth(today, respondedAt);
  return { aggregate: response.aggregate, days, today, month: { ...month, elapsed }, forecast: forecastOf(days) };
}
