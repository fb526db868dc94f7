import type { AccountUsage } from '@l4desk/client';
import { dayOf } from '@l4desk/protocol';
import { type Elapsed, elapsedOfMonth } from './burn-rate.ts';
import { daysOf, type MonthUse, monthsOf, type UsageDay } from './days.ts';
import { type Forecast, forecastOf } from './forecast.ts';

/** An answer of the usage endpoint and what follows from it; every panel reads this and nothing else. */
export interface UsageFacts extends Pick<AccountUsage, 'period' | 'aggregate' | 'by_api_key'> {
  readonly days: readonly UsageDay[];
  readonly months: readonly MonthUse[];
  /** The UTC day at the answer. */
  readonly today: string;
  /** The latest month of the window that can be held against the plan. */
  readonly planMonth: PlanMonth | undefined;
  readonly forecast: Forecast;
}

export interface PlanMonth extends MonthUse {
  readonly elapsed: Elapsed;
}

/** `endsToday`: the window was asked for as months back from today, so that its end is the service's own day. */
export function factsOf(answer: AccountUsage, endsToday: boolean, answeredAt: number): UsageFacts {
  const { period, aggregate, by_api_key } = answer;
  const today = endsToday ? period.to : dayOf(answeredAt);
  const days = daysOf(answer);
  const months = monthsOf(days, today);
  const month = months.findLast(({ extent }) => extent !== 'part');
  return {
    period,
    aggregate,
    by_api_key,
    days,
    months,
    today,
    planMonth: month && { ...month, elapsed: elapsedOf(month, answeredAt) },
    forecast: forecastOf(days, today),
  };
}

function elapsedOf({ extent, to }: MonthUse, now: number): Elapsed {
  const { elapsedMs, lengthMs } = elapsedOfMonth(to, now);
  return { elapsedMs: extent === 'whole' ? lengthMs : elapsedMs, lengthMs };
}
