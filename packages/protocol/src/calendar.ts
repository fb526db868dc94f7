/** Days of the UTC calendar as text, `2026-11-20`: comparing the texts compares the days. */

const MS_PER_DAY = 86_400_000;

/** Whether a text is an existing day: `2026-02-29` is not. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` may read a day that does not exist as one of the next month.
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** The UTC day of a time in ms since the Unix epoch. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** The UTC month of a time in ms: `2026-11`. */
export function monthOf(timeMs: number): string {
  return monthOfDay(dayOf(timeMs));
}

/** When the month after that of a time begins, in ms. */
export function nextMonth(timeMs: number): number {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1);
}

/** The month of a day: `2026-11`. */
export function monthOfDay(day: string): string {
  return day.slice(0, 7);
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** The day `months` months earlier, or that month's last day if it has no such day: 3 before 05-31 is 02-28 (D40). */
export function monthsBefore(day: string, months: number): string {
  const start = new Date(day);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() - months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(start.getUTCDate(), lastOfMonth)));
}

/** Number of days from `from` to `to`, both included. */
export function dayCount(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / MS_PER_DAY + 1;
}

/** Every day from `from` to `to`, both included, oldest first. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const end = Date.parse(to);
  for (let time = Date.parse(from); time <= end; time += MS_PER_DAY) days.push(dayOf(time));
  return days;
}
