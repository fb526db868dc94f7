import { type AccountUsage } from '@l4desk/client';
import { daysBetween, firstOfMonth, monthOfDay } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';

/** Credits used over a range of days. */
export interface CreditsUsed {
  readonly premium: number;
  readonly free: number;
  readonly credits: number;
}

export interface UsageDay extends CreditsUsed {
  readonly date: string;
  /** The total of the calendar month up to and including this day; undefined if the month started before the window. */
  readonly month: CreditsUsed | undefined;
}

export const NO_CREDITS: CreditsUsed = { premium: 0, free: 0, credits: 0 };

export function addCredits(a: CreditsUsed, b: CreditsUsed): CreditsUsed {
  return { premium: a.premium + b.premium, free: a.free + b.free, credits: a.credits + b.credits };
}

/** The days of a response, each with the running total of its month. */
export function daysOf({ by_day: byDay }: Pick<AccountUsage, 'by_day'>): readonly UsageDay[] {
  let month: CreditsUsed | undefined;
  return byDay.map(({ date, premium_credits: premium, free_credits: free }) => {
    const used = { premium, free, credits: premium + free };
    if (date === firstOfMonth(date)) month = NO_CREDITS;
    month &&= addCredits(month, used);
    return { date, ...used, month };
  });
}

/** The part of a calendar month that is in the window. */
export interface MonthUse extends CreditsUsed {
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** All of the month; from its first day up to today; or a part that cannot be compared with the plan. */
  readonly extent: 'whole' | 'so far' | 'part';
}

/** The calendar months of the window, oldest first. */
export function monthsOf(days: readonly UsageDay[], today: string): readonly MonthUse[] {
  return [...groupBy(days, ({ date }) => monthOfDay(date))].map(([month, listed]) => {
    const from = listed[0]?.date ?? '';
    const to = listed.at(-1)?.date ?? '';
    const starts = from === firstOfMonth(from);
    const extent =
      starts && to === lastOfMonth(to) && to < today ? 'whole' : starts && to === today ? 'so far' : 'part';
    return { month, from, to, extent, ...listed.reduce(addCredits, NO_CREDITS) };
  });
}

export function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map((part) => Number.parseInt(part, 10));
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.toISOString().slice(0, 10);
}

export function daysOfMonth(day: string): readonly string[] {
  return daysBetween(firstOfMonth(day), lastOfMonth(day));
}
