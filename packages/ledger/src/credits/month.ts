import { dayOf, monthOfDay } from '@l4desk/protocol';

/** Returns the calendar month (UTC) of a time in ms: `2026-11`. */
export function monthOf(timeMs: number): string {
  return monthOfDay(dayOf(timeMs));
}

/** Returns when the month after that of a time begins, in ms. */
export function nextMonth(timeMs: number): number {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1);
}
