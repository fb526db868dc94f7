import { FUNDING_HISTORY_ENTRIES_MAX, infoCredits } from '@l4desk/protocol';
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

export const DAYS_DEFAULT: Days = '7';

/** The period in the address. */
export interface Asked {
  readonly days?: Days | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The period for an address: whole UTC days, or the last days up to the end of the hour of `now`, so that a return within the
 * hour requests the same period.
 */
export function periodOf({ days = DAYS_DEFAULT, from, to }: Asked, now: number): FundingPeriod {
  const end = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS - 1;
  if (from === undefined && to === undefined) return { from: end + 1 - Number.parseInt(days, 10) * DAY_MS, to: end };
  const until = to === undefined ? end : Date.parse(to) + DAY_MS - 1;
  return { from: from === undefined ? until + 1 - Number.parseInt(days, 10) * DAY_MS : Date.parse(from), to: until };
}

/** Days of the address that form an empty range, or lie outside of the past, as written; they count as absent. */
export function refusedDays({ from, to }: Asked, now: number): readonly string[] {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  const isOutside = (day: number) => day < 0 || day > now;
  if (isOutside(start) || isOutside(end) || start > end) {
    return [from === undefined ? [] : `from=${from}`, to === undefined ? [] : `to=${to}`].flat();
  }
  return [];
}

/** The part of a period in view: `ms-ms` in the address. Undefined if that is not a part of it. */
export function zoomOf(text: string | undefined, period: FundingPeriod): FundingPeriod | undefined {
  const asked = partOf(text);
  if (asked === undefined) return undefined;
  const part = { from: Math.max(asked.from, period.from), to: Math.min(asked.to, period.to) };
  return part.to > part.from && (part.from > period.from || part.to < period.to) ? part : undefined;
}

/** The approximate price of a period of one coin at one entry per hour; a full page ends at the time of its last entry. */
export function creditsOf({ from, to }: FundingPeriod): number {
  const pages = Math.ceil((to - from) / HOUR_MS / (FUNDING_HISTORY_ENTRIES_MAX - 1));
  return Math.max(1, pages) * infoCredits('fundingHistory');
}
