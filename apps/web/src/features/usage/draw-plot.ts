import { daysBetween } from '@l4desk/protocol';
import type { UsageBar } from './bars.ts';
import { daysOfMonth } from './days.ts';
import type { UsageFacts } from './usage-facts.ts';

/** What is drawn, in slots from the left and credits from zero. */
export interface Plot {
  /** Places from left to right: one for each bar, then those of the forecast. */
  readonly slots: number;
  /** Credits at the upper edge. */
  readonly most: number;
  /** A bar in each slot; undefined where nothing can be told. */
  readonly stacks: readonly ({ readonly premium: number; readonly free: number } | undefined)[];
  /** Levels by slot; undefined where a line means nothing. */
  readonly lines: readonly { readonly name: 'ceiling' | 'limit'; readonly path: readonly (number | undefined)[] }[];
  readonly forecast: { readonly points: readonly ForecastPoint[] } | undefined;
}

interface ForecastPoint {
  readonly slot: number;
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** A line this many times as high as the highest bar is left outside: the bars would be hairs. */
const LINE_ROOM = 4;

/** Every bar for itself; the lines are the even pace that comes to ceiling and limit exactly at the month's end. */
export function placeDays(bars: readonly UsageBar[], { aggregate }: UsageFacts): Plot {
  const ceiling = aggregate.max_credits;
  const limit = ceiling + aggregate.flex_credits.limit;
  const months = bars.map(({ from, to }) =>
    daysBetween(from, to).reduce((sum, day) => sum + 1 / daysOfMonth(day).length, 0),
  );
  const highest = Math.max(1, ...bars.map(({ credits }) => credits));
  const lines = [
    { name: 'ceiling', path: months.map((share) => share * ceiling) },
    { name: 'limit', path: months.map((share) => share * limit) },
  ] as const;
  const most = withLines(highest, lines);
  return {
    slots: bars.length,
    most,
    stacks: bars,
    lines: lines.filter(({ path }) => Math.max(...path) <= most),
    forecast: undefined,
  };
}

/** Running totals of the months; ceiling and limit stand over the months that are in the window from their first day. */
export function placeMonths(items: readonly UsageBar[], { aggregate, forecast, today }: UsageFacts): Plot {
  const ceiling = aggregate.max_credits;
  const stacks = items.map(({ last }) => last.month);
  const made = forecast.kind === 'forecast' ? forecast : undefined;
  // The forecast's first day is today, which has a bar already.
  const ahead = made === undefined ? 0 : made.path.length - 1;
  const highest = Math.max(1, made?.monthEnd.high ?? 0, ...stacks.map((stack) => stack?.credits ?? 0));
  const over = (level: number) => [
    ...stacks.map((stack) => (stack === undefined ? undefined : level)),
    ...Array.from({ length: ahead }, () => level),
  ];
  const lines = [
    { name: 'ceiling', path: over(ceiling) },
    { name: 'limit', path: over(ceiling + aggregate.flex_credits.limit) },
  ] as const;
  const most = withLines(highest, lines);
  const last = items.length - 1;
  const used = items[last]?.last;
  const before = used?.date === today ? (used.month?.credits ?? 0) - used.credits : 0;
  const points = made && [
    { slot: last, low: before, likely: before, high: before },
    ...made.path.map(({ low, likely, high }, at) => ({ slot: last + 1 + at, low, likely, high })),
  ];
  return {
    slots: items.length + ahead,
    most,
    stacks,
    lines: lines.filter(({ path }) => path.every((level) => level === undefined || level <= most)),
    forecast: points && { points },
  };
}

/** The upper edge: over the bars, and over the lines unless they are out of all proportion. */
function withLines(highest: number, lines: readonly { readonly path: readonly (number | undefined)[] }[]): number {
  const levels = lines.map(({ path }) => Math.max(0, ...path.map((level) => level ?? 0)));
  return Math.max(highest, ...levels.filter((level) => level <= highest * LINE_ROOM)) * 1.04;
}
