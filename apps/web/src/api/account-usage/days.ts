import { type AccountUsage } from '@l4desk/client';
import { daysBetween, firstOfMonth, monthOfDay } from '@l4desk/protocol';

/** One UTC day of the window. */
export interface UsageDay {
  readonly date: string;
  readonly premium: number;
  readonly free: number;
  /** Both together. */
  readonly credits: number;
  /** Of the day's calendar month up to and with this day; undefined where the month began before the window. */
  readonly month: MonthSoFar | undefined;
}

interface MonthSoFar {
  readonly premium: number;
  readonly free: number;
  readonly credits: number;
}

const NOTHING: MonthSoFar = { premium: 0, free: 0, credits: 0 };

/** The days of a response, each with the running total of its month. */
export function daysOf({ by_day: byDay }: Pick<AccountUsage, 'by_day'>): readonly UsageDay[] {
  let month: MonthSoFar | undefined;
  return byDay.map(({ date, premium_credits: premium, free_credits: free }) => {
    if (date === firstOfMonth(date)) month = NOTHING;
    if (month !== undefined) {
      month = {
        premium: month.premium + premium,
        free: month.free + free,
        credits: month.credits + premium + free,
      };
    }
    return { date, premium, free, credits: premium + free, month };
  });
}

/** The part of a calendar month that is in the window. */
export interface MonthUse {
  /** `2026-11`. */
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** All of it; from its first day up to today; or less, so that it cannot be held against the plan. */
  readonly extent: 'whole' | 'so far' | 'part';
  readonly premium: number;
  readonly free: number;
  readonly credits: number;
}

/** The calendar months of the window, oldest first. */
export function monthsOf(days: readonly UsageDay[], today: string): readonly MonthUse[] {
  const months = new Map<string, UsageDay[]>();
  for (const day of days) {
    const month = monthOfDay(day.date);
    const listed = months.get(month);
    if (listed === undefined) months.set(month, [day]);
    else listed.push(day);
  }
  return [...months].map(([month, listed]) => {
    const from = listed[0]?.date ?? '';
    const to = listed.at(-1)?.date ?? '';
    const starts = from === firstOfMonth(from);
    const extent =
      starts && to === lastOfMonth(to) && to < today ? 'whole' : starts && to === today ? 'so far' : 'part';
    const sum = (of: 'premium' | 'free' | 'credits') => listed.reduce((total, day) => total + day[of], 0);
    return { month, from, to, extent, premium: sum('premium'), free: sum('free'), credits: sum('credits') };
  });
}

/** The last day of a day's month. */
export function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map((part) => Number.parseInt(part, 10));
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.toISOString().slice(0, 10);
}

/** Every day of a day's month. */
export function daysOfMonth(day: string): readonly string[] {
  return daysBetween(firstOfMonth(day), lastOfMonth(day));
}
