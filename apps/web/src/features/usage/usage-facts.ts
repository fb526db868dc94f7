import type { AccountUsage } from '@l4desk/client';
import { dayOf } from '@l4desk/protocol';
import { daysOf, type MonthUse, monthsOf, type UsageDay } from '../../api/account-usage/days.ts';

export interface UsageFacts extends Pick<AccountUsage, 'period' | 'aggregate' | 'by_api_key'> {
  readonly days: readonly UsageDay[];
  readonly months: readonly MonthUse[];
  readonly today: string;
}

/** `endsToday`: the window was requested as months back from today, so it ends on the service's own day. */
export function factsOf(response: AccountUsage, endsToday: boolean, respondedAt: number): UsageFacts {
  const { period, aggregate, by_api_key } = response;
  const today = endsToday ? period.to : dayOf(respondedAt);
  const days = daysOf(response);
  return { period, aggregate, by_api_key, days, months: monthsOf(days, today), today };
}
