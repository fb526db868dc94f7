import { FUNDING_HISTORY_ENTRIES_MAX, INFO_CREDITS } from '@l4desk/protocol';
import type { FundingPeriod } from './entries.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { type DAYS, partOf } from './search.ts';

export type Days = (typeof DAYS)[number];

export const DAYS_TEXTS: Readonly<Record<Days, string>> = {
  '1': '1 d',
  '7': '7 d',
  '30': '30 d',
  '90': '90 d',
  '365': '1 y',
};

/** What the page asks for and shows when the address says nothing. */
export const DAYS_DEFAULT: Days = '7';

interface Asked {
  readonly days?: Days | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The period an address asks for: whole UTC days, or the last so many days up to the end of the hour of `now`, so that
 * coming back within the hour asks for the same.
 */
export function periodOf({ days = DAYS_DEFAULT, from, to }: Asked, now: number): FundingPeriod {
  const end = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS - 1;
  if (from === undefined && to === undefined) return { from: end + 1 - Number.parseInt(days, 10) * DAY_MS, to: end };
  const until = to === undefined ? end : Date.parse(to) + DAY_MS - 1;
  return { from: from === undefined ? until + 1 - Number.parseInt(days, 10) * DAY_MS : Date.parse(from), to: until };
}

/** Days of the address between which no time lies, or none that has been, as written: they count as absent. */
export function refusedDays({ from, to }: Asked, now: number): readonly string[] {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  const isOutside = (day: number) => day < 0 || day > now;
  if (isOutside(start) || isOutside(end) || start > end) {
    return [from === undefined ? [] : `from=${from}`, to === undefined ? [] : `to=${to}`].flat();
  }
  return [];
}

/** The part of a period in view: `ms-ms` of the address. Undefined where that is no part of it. */
export function zoomOf(text: string | undefined, period: FundingPeriod): FundingPeriod | undefined {
  const asked = partOf(text);
  if (asked === undefined) return undefined;
  const part = { from: Math.max(asked.from, period.from), to: Math.min(asked.to, period.to) };
  return part.to > part.from && (part.from > period.from || part.to < period.to) ? part : undefined;
}

/** About what a period of one coin costs, at an entry an hour: a full page holds the entries up to its last moment. */
export function creditsOf({ from, to }: FundingPeriod): number {
  const pages = Math.ceil((to - from) / HOUR_MS / (FUNDING_HISTORY_ENTRIES_MAX - 1));
  return Math.max(1, pages) * INFO_CREDITS.fundingHistory;
}
