import type { AccountUsage } from '@l4desk/client';
import { type Elapsed, elapsedOfMonth } from './burn-rate.ts';
import { daysOf, type MonthUse, monthsOf, type UsageDay } from './days.ts';
import { type Forecast, forecastOf } from './forecast.ts';

/** How the current month compares with the plan, and its forecast. Independent of the displayed window. */
export interface MonthFacts extends Pick<AccountUsage, 'aggregate'> {
  readonly days: readonly UsageDay[];
  readonly today: string;
  readonly month: MonthUse & { readonly elapsed: Elapsed };
  readonly forecast: Forecast;
}

/** The months that the forecast of the current month needs: the whole current month, and enough days before it. */
export const MONTH_BASIS = { duration: 3 } as const;

/** The facts of the current month, from a usage response for `MONTH_BASIS`. */
export function monthFactsOf(response: AccountUsage, respondedAt: number): MonthFacts | undefined {
  const today = response.period.to;
  const days = daysOf(response);
  const month = monthsOf(days, today).at(-1);
  if (month === undefined) return undefined;
  const elapsed = elapsedOfMonth(today, respondedAt);
  return { aggregate: response.aggregate, days, today, month: { ...month, elapsed }, forecast: forecastOf(days) };
}
