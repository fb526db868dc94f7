import { daysBetween } from '@l4desk/protocol';
import { type CreditsUsed, daysOfMonth } from '../../api/account-usage/days.ts';
import { type Forecast } from '../../api/account-usage/forecast.ts';
import { BARS_MAX, type UsageBar } from './bars.ts';
import { type UsageFacts } from './usage-facts.ts';

/** What is drawn, in slots from the left and credits from zero. */
export interface Plot {
  /** Slots from left to right: one per bar, then those of the forecast. */
  readonly slots: number;
  /** A bar per slot; undefined if there is no value. */
  readonly stacks: readonly (Pick<CreditsUsed, 'premium' | 'free'> | undefined)[];
  /** Levels by slot; undefined where a line has no meaning. */
  readonly lines: readonly PlotLine[];
  readonly forecast: { readonly points: readonly ForecastPoint[] } | undefined;
}

interface PlotLine {
  readonly name: 'ceiling' | 'limit';
  readonly path: readonly (number | undefined)[];
  /** So far above the bars that they would have no height left. */
  readonly isOutside: boolean;
}

interface ForecastPoint {
  readonly slot: number;
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** A line more than this many times as high as the highest bar is not drawn, because it would flatten the bars. */
const LINE_ROOM = 6;

/** The plot of single bars. The lines show the even pace that reaches ceiling and limit exactly at the end of the month. */
export function placeDays(bars: readonly UsageBar[], { aggregate }: UsageFacts): Plot {
  const ceiling = aggregate.max_credits;
  const limit = ceiling + aggregate.flex_credits.limit;
  const months = bars.map(({ from, to }) =>
    daysBetween(from, to).reduce((sum, day) => sum + 1 / daysOfMonth(day).length, 0),
  );
  const highest = Math.max(1, ...bars.map(({ credits }) => credits));
  const paceTo = (level: number) => months.map((share) => share * level);
  const lines = [lineOf('ceiling', paceTo(ceiling), highest), lineOf('limit', paceTo(limit), highest)];
  return { slots: bars.length, stacks: bars, lines, forecast: undefined };
}

/** The plot of the months' running totals. Ceiling and limit are drawn for months whose first day is in the window. */
export function placeMonths(
  items: readonly UsageBar[],
  { aggregate, today }: UsageFacts,
  forecast: Forecast | undefined,
): Plot {
  const ceiling = aggregate.max_credits;
  const stacks = items.map(({ last }) => last.month);
  // A window that ends before today, or starts within its month, has no slot where the forecast continues.
  const last = items.length - 1;
  const used = items[last]?.last;
  const goesOn = used?.date === today && used.month !== undefined;
  const made = goesOn && forecast?.kind === 'forecast' ? forecast : undefined;
  // The forecast's first day is today, which has a bar already.
  const ahead = made === undefined ? 0 : made.path.length - 1;
  const highest = Math.max(1, made?.monthEnd.high ?? 0, ...stacks.map((stack) => stack?.credits ?? 0));
  const over = (level: number) => [
    ...stacks.map((stack) => (stack === undefined ? undefined : level)),
    ...Array.from({ length: ahead }, () => level),
  ];
  const lines = [
    lineOf('ceiling', over(ceiling), highest),
    lineOf('limit', over(ceiling + aggregate.flex_credits.limit), highest),
  ];
  const before = (used?.month?.credits ?? 0) - (used?.credits ?? 0);
  // At the end of each day, as the bars are; the forecast begins at the end of yesterday.
  const points = made && [
    ...(last > 0 ? [{ slot: last - 1, low: before, likely: before, high: before }] : []),
    ...made.path.map(({ low, likely, high }, at) => ({ slot: last + at, low, likely, high })),
  ];
  return {
    slots: items.length + ahead,
    stacks,
    lines,
    forecast: points && { points },
  };
}

function lineOf(name: PlotLine['name'], path: PlotLine['path'], highest: number): PlotLine {
  return { name, path, isOutside: topOf(path) > highest * LINE_ROOM };
}

function topOf(path: PlotLine['path']): number {
  return Math.max(0, ...path.map((level) => level ?? 0));
}

/** A slot of the chart. What has no value in it is undefined. */
export interface PlotRow {
  readonly slot: number;
  readonly premium?: number;
  readonly free?: number;
  readonly ceiling?: number;
  readonly limit?: number;
  readonly likely?: number;
  readonly band?: readonly [low: number, high: number];
}

/** The rows of a plot, with at most `BARS_MAX` bars. */
export function plotRows({ slots, stacks, lines, forecast }: Plot): readonly PlotRow[] {
  const drawn = new Set(drawnSlots(stacks, Math.min(1, BARS_MAX / slots)));
  return Array.from({ length: slots }, (_, slot): PlotRow => {
    const { premium, free } = (drawn.has(slot) ? stacks[slot] : undefined) ?? {};
    const levels = lines.flatMap(({ name, path, isOutside }) => {
      const level = path[slot];
      return isOutside || level === undefined ? [] : [[name, level] as const];
    });
    const point = forecast?.points.find((each) => each.slot === slot);
    return {
      slot,
      ...(premium === undefined || free === undefined ? {} : { premium, free }),
      ...Object.fromEntries(levels),
      ...(point && { likely: point.likely, band: [point.low, point.high] }),
    };
  });
}

/** The slots whose bars are drawn, of bars `step` wide: all of them, or the highest of those that share a unit. */
export function drawnSlots(stacks: Plot['stacks'], step: number): readonly number[] {
  const drawn: number[] = [];
  const heightOf = (slot: number) => (stacks[slot]?.free ?? 0) + (stacks[slot]?.premium ?? 0);
  for (const [slot, stack] of stacks.entries()) {
    if (stack === undefined) continue;
    const before = drawn.at(-1);
    if (before === undefined || Math.floor(before * step) !== Math.floor(slot * step)) drawn.push(slot);
    else if (heightOf(slot) > heightOf(before)) drawn[drawn.length - 1] = slot;
  }
  return drawn;
}
