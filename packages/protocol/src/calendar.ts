/** Days of the UTC calendar as text, `2026-11-20`: comparing the texts compares the days. */

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const MS_PER_DAY = 86_400_000;

/** Whether a text is an existing day: `2026-02-29` is not. */
export function isDay(text: string): boolean {
  const match = DAY_PATTERN.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDayOfMonth(year, month);
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
  const monthIndex = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = Math.floor(monthIndex / 12);
  const month = (monthIndex % 12) + 1;
  const dayOfMonth = Math.min(Number(day.slice(8)), lastDayOfMonth(year, month));
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(dayOfMonth, 2)}`;
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

function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
