import { monthOfDay } from '@l4desk/protocol';
import { lastOfMonth, type UsageDay } from './days.ts';

/** The fewest complete days that allow a forecast. */
export const FORECAST_DAYS_MIN = 7;

/** Whole weeks, so that every weekday has the same weight; older days say little about this month. */
const FORECAST_DAYS_MAX = 28;

/** Standard normal deviate that leaves a tenth on either side: the band covers 80 % of outcomes. */
const BAND_DEVIATE = 1.2816;

interface Band {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** When the month's use reaches a line. */
export type Reach =
  | { readonly kind: 'reached'; readonly day: string }
  /** The line may be reached. An undefined day would be past the end of the month, when the count restarts. */
  | {
      readonly kind: 'expected';
      readonly earliest: string;
      readonly likely: string | undefined;
      readonly latest: string | undefined;
    }
  /** The line is not reached before the month ends, not even at the high side of the band. */
  | { readonly kind: 'not this month' };

export type Forecast =
  | { readonly kind: 'too few days'; readonly days: number }
  | {
      readonly kind: 'forecast';
      /** The complete days that the forecast is based on: the latest ones, up to yesterday. */
      readonly basis: { readonly from: string; readonly to: string; readonly days: number };
      readonly perDay: number;
      /** For each day from today to the end of the month: the month's use at the end of that day. */
      readonly path: readonly (Band & { readonly date: string })[];
      readonly monthEnd: Band;
    };

/**
 * Forecasts the current month's use from `days`, which end today and reach back past the first of the month. Only complete days
 * count, because today is not over. Each day ahead is assumed to be independent and distributed like the days of the basis; the
 * band then covers 80 % of the outcomes. Days before the first use do not count, because the account may not have existed yet.
 * No figure is below what the month has already used, today included.
 */
export function forecastOf(days: readonly UsageDay[]): Forecast {
  const today = days.at(-1);
  const complete = days.slice(0, -1);
  const firstUse = complete.findIndex(({ credits }) => credits > 0);
  const basis = firstUse < 0 ? [] : complete.slice(firstUse).slice(-FORECAST_DAYS_MAX);
  const [first] = basis;
  const yesterday = basis.at(-1);
  if (today === undefined || first === undefined || yesterday === undefined || basis.length < FORECAST_DAYS_MIN)
    return { kind: 'too few days', days: basis.length };
  const count = basis.length;
  const total = basis.reduce((sum, { credits }) => sum + credits, 0);
  const mean = total / count;
  const variance = basis.reduce((sum, { credits }) => sum + (credits - mean) ** 2, 0) / (count - 1);
  const deviate = studentDeviate(count - 1);
  const month = monthOfDay(today.date);
  const usedNow = days.reduce((sum, { date, credits }) => (monthOfDay(date) === month ? sum + credits : sum), 0);
  const usedBefore = usedNow - today.credits;
  const atLeast = (estimate: number) => Math.max(usedNow, Math.round(estimate));
  const path = datesFrom(today.date).map((date, at) => {
    const ahead = at + 1;
    // Divided last, so that a half is rounded up and not lost.
    const expected = usedBefore + (ahead * total) / count;
    // The days ahead vary, and so does the estimate of their mean, by the same amount for all of them.
    const margin = deviate * Math.sqrt(variance * (ahead + ahead ** 2 / count));
    return { date, low: atLeast(expected - margin), likely: atLeast(expected), high: atLeast(expected + margin) };
  });
  const { low, likely, high } = path.at(-1) ?? { low: usedNow, likely: usedNow, high: usedNow };
  return {
    kind: 'forecast',
    basis: { from: first.date, to: yesterday.date, days: count },
    perDay: Math.round(mean),
    path,
    monthEnd: { low, likely, high },
  };
}

/** When the month's use reaches `line`: on a past day, or on a day of the forecast. */
export function reachOf(
  line: number,
  days: readonly UsageDay[],
  { path }: Extract<Forecast, { kind: 'forecast' }>,
): Reach {
  const month = path[0]?.date.slice(0, 7) ?? '';
  const reached = days.find((day) => day.date.startsWith(month) && (day.month?.credits ?? 0) >= line);
  if (reached !== undefined) return { kind: 'reached', day: reached.date };
  const earliest = path.find(({ high }) => high >= line)?.date;
  if (earliest === undefined) return { kind: 'not this month' };
  return {
    kind: 'expected',
    earliest,
    likely: path.find(({ likely }) => likely >= line)?.date,
    latest: path.find(({ low }) => low >= line)?.date,
  };
}

function datesFrom(day: string): string[] {
  const month = day.slice(0, 8);
  const first = Number.parseInt(day.slice(8), 10);
  const last = Number.parseInt(lastOfMonth(day).slice(8), 10);
  return Array.from({ length: last - first + 1 }, (_, at) => `${month}${String(first + at).padStart(2, '0')}`);
}

/** The deviate of Student's distribution for `degrees` degrees of freedom, by the first terms of its expansion in 1/n. */
function studentDeviate(degrees: number): number {
  const z = BAND_DEVIATE;
  return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}
