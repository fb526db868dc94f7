import type { AccountUsage } from '@l4desk/client';
import { dayOf } from '@l4desk/protocol';
import { type Elapsed, elapsedOfMonth } from './burn-rate.ts';
import { daysOf, type MonthUse, monthsOf, type UsageDay } from './days.ts';
import { type Forecast, forecastOf } from './forecast.ts';

/** What the window that the page shows says: the credits of its days, months and keys. */
export interface UsageFacts extends Pick<AccountUsage, 'period' | 'aggregate' | 'by_api_key'> {
  readonly days: readonly UsageDay[];
  readonly months: readonly MonthUse[];
  /** The UTC day at the answer. */
  readonly today: string;
}

/** How the current month stands against the plan, and where it is going; the same whatever window is shown. */
export interface MonthFacts extends Pick<AccountUsage, 'aggregate'> {
  /** The days up to today that this rests on. */
  readonly days: readonly UsageDay[];
  readonly today: string;
  readonly month: MonthUse & { readonly elapsed: Elapsed };
  readonly forecast: Forecast;
}

/** Months back from today that say where the current one is going: they hold all of it, and enough days before it. */
export const MONTH_BASIS = { duration: 3 } as const;

/** `endsToday`: the window was asked for as months back from today, so that its end is the service's own day. */
export function factsOf(answer: AccountUsage, endsToday: boolean, answeredAt: number): UsageFacts {
  const { period, aggregate, by_api_key } = answer;
  const today = endsToday ? period.to : dayOf(answeredAt);
  const days = daysOf(answer);
  return { period, aggregate, by_api_key, days, months: monthsOf(days, today), today };
}

/** The current month, from an answer to `MONTH_BASIS`. */
export function monthFactsOf(answer: AccountUsage, answeredAt: number): MonthFacts | undefined {
  const today = answer.period.to;
  const days = daysOf(answer);
  const month = monthsOf(days, today).at(-1);
  if (month === undefined) return undefined;
  const elapsed = elapsedOfMonth(today, answeredAt);
  return { aggregate: answer.aggregate, days, today, month: { ...month, elapsed }, forecast: forecastOf(days) };
}
