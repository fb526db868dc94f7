import type { AccountUsage } from '@l4desk/client';
import { dayOf, daysBetween } from '@l4desk/protocol';
import {
  addCredits,
  type CreditsUsed,
  daysOf,
  daysOfMonth,
  type MonthUse,
  monthsOf,
  NO_CREDITS,
  type UsageDay,
} from '../../api/account-usage/days.ts';
import type { Forecast } from '../../api/account-usage/forecast.ts';
import { groupBy } from '../../ui/group-by.ts';

export const BARS_MAX = 300;

/** The most running totals drawn: those of a year, as thin as they may be. */
export const TOTALS_MAX = 400;

export interface UsageBar extends CreditsUsed {
  readonly from: string;
  readonly to: string;
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
  return [...groupBy(days, ({ date }) => spanKey(date, span)).values()].flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    return [{ from: first.date, to: last.date, last, ...group.reduce<CreditsUsed>(addCredits, NO_CREDITS) }];
  });
}

const DAY_MS = 86_400_000;
/** 1970-01-05, a Monday. */
const MONDAY_MS = 4 * DAY_MS;

function spanKey(date: string, span: BarSpan): string | number {
  if (span === 'week') return Math.floor((Date.parse(date) - MONDAY_MS) / (7 * DAY_MS));
  return span === 'day' ? date : date.slice(0, 7);
}

/** A slot of the chart. What has no value in it is undefined. */
interface PlotRow {
  readonly slot: number;
  readonly premium?: number | undefined;
  readonly free?: number | undefined;
  readonly ceiling?: number | undefined;
  readonly limit?: number | undefined;
  readonly likely?: number | undefined;
  readonly band?: readonly [low: number, high: number];
}

export interface Plot {
  /** From left to right: one per bar, then those of the forecast. */
  readonly rows: readonly PlotRow[];
  /** The highest values of lines so far above the bars that they are left out. */
  readonly outside: { readonly [Name in LevelName]?: number | undefined };
}

type LevelName = 'ceiling' | 'limit';

/** A line more than this many times as high as the highest bar would flatten the bars; running totals are read against it. */
const LINE_ROOM = { days: 2, months: 6 };

function plotOf(rows: readonly PlotRow[], highest: number, room: number): Plot {
  const names = (['ceiling', 'limit'] as const).filter((name) =>
    rows.some((row) => (row[name] ?? 0) > Math.max(1, highest) * room),
  );
  const without = Object.fromEntries(names.map((name) => [name, undefined]));
  return {
    outside: Object.fromEntries(names.map((name) => [name, Math.max(...rows.map((row) => row[name] ?? 0))])),
    rows: rows.map((row) => ({ ...row, ...without })),
  };
}

function levelsOf({ max_credits: ceiling, flex_credits: flex }: UsageFacts['aggregate'], share = 1) {
  return { ceiling: share * ceiling, limit: share * (ceiling + flex.limit) };
}

/** The plot of single bars. The lines show the even pace that reaches ceiling and limit exactly at the end of the month. */
export function plotDays(bars: readonly UsageBar[], { aggregate }: UsageFacts): Plot {
  const rows = bars.map(({ from, to, premium, free }, slot) => {
    const months = daysBetween(from, to).reduce((sum, day) => sum + 1 / daysOfMonth(day).length, 0);
    return { slot, premium, free, ...levelsOf(aggregate, months) };
  });
  return plotOf(rows, Math.max(0, ...bars.map(({ credits }) => credits)), LINE_ROOM.days);
}

/** The plot of the months' running totals. Ceiling and limit are drawn for months whose first day is in the window. */
export function plotMonths(
  items: readonly UsageBar[],
  { aggregate, today }: UsageFacts,
  forecast: Forecast | undefined,
): Plot {
  const last = items.length - 1;
  const used = items[last]?.last;
  // A window that ends before today, or starts within its month, has no slot where the forecast continues.
  const isContinued = used?.date === today && used.month !== undefined && forecast?.kind === 'forecast';
  const path = isContinued ? forecast.path : [];
  const yesterday = (used?.month?.credits ?? 0) - (used?.credits ?? 0);
  const levels = levelsOf(aggregate);
  // Of more bars than can be told apart, every n-th is drawn.
  const step = Math.ceil(items.length / TOTALS_MAX);
  const rows = items.map(({ last: { month } }, slot): PlotRow => {
    if (month === undefined) return { slot };
    const { premium, free } = (last - slot) % step === 0 ? month : {};
    return { slot, premium, free, ...levels };
  });
  // At the end of each day, as the bars are. The forecast begins at the end of yesterday; its first day is today, which has a bar.
  const start = rows[last - 1];
  if (isContinued && start !== undefined)
    rows[last - 1] = { ...start, likely: yesterday, band: [yesterday, yesterday] };
  for (const [at, { low, likely, high }] of path.entries()) {
    rows[last + at] = { slot: last + at, ...levels, ...rows[last + at], likely, band: [low, high] };
  }
  const highest = Math.max(path.at(-1)?.high ?? 0, ...items.map(({ last: { month } }) => month?.credits ?? 0));
  return plotOf(rows, highest, LINE_ROOM.months);
}

export const SERIES = {
  premium: { colour: 'var(--accent)' },
  free: { colour: 'var(--exact)' },
  ceiling: { colour: 'var(--stale)', dash: '6 3' },
  limit: { colour: 'var(--ask)', dash: '2 3' },
  forecast: { colour: 'var(--text-strong)', dash: '4 3' },
} as const;

export type SeriesName = keyof typeof SERIES;

export const HATCH = 'usage-free';

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
