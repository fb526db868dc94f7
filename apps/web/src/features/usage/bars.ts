import { addCredits, type CreditsUsed, type UsageDay } from '../../api/account-usage/days.ts';

/** The most bars that can be drawn legibly. */
export const BARS_MAX = 300;

/** Consecutive days drawn as one bar. */
export interface UsageBar extends CreditsUsed {
  readonly from: string;
  readonly to: string;
  /** Its last day. */
  readonly last: UsageDay;
}

export type BarSpan = 'day' | 'week' | 'month';

/** The shortest span that leaves few enough bars: a day, a week from Monday to Sunday, or a calendar month. */
export function spanOf(days: number): BarSpan {
  if (days <= BARS_MAX) return 'day';
  return days <= (BARS_MAX - 1) * 7 ? 'week' : 'month';
}

/** The days as bars of one span. The window may cut the first and the last bar. */
export function barsOf(days: readonly UsageDay[], span: BarSpan): readonly UsageBar[] {
  const bars: UsageBar[] = [];
  let key = '';
  for (const day of days) {
    const bar = bars.at(-1);
    const dayKey = keyOf(day.date, span);
    if (bar === undefined || dayKey !== key) {
      const { date, premium, free, credits } = day;
      bars.push({ from: date, to: date, premium, free, credits, last: day });
    } else {
      bars[bars.length - 1] = { from: bar.from, to: day.date, ...addCredits(bar, day), last: day };
    }
    key = dayKey;
  }
  return bars;
}

const DAY_MS = 86_400_000;
/** 1970-01-05, a Monday. */
const MONDAY_MS = 4 * DAY_MS;

function keyOf(date: string, span: BarSpan): string {
  switch (span) {
    case 'day':
      return date;
    case 'week':
      return String(Math.floor((Date.parse(date) - MONDAY_MS) / (7 * DAY_MS)));
    case 'month':
      return date.slice(0, 7);
  }
}
