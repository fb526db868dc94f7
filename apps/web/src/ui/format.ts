import type { DecimalString } from '@l4desk/protocol';

/**
 * Formatting of exact values. Digits are never rounded or removed here: zeros are added to align decimal points, and commas to
 * group thousands.
 */

/** A plain decimal with grouped thousands: `1234567.50` becomes `1,234,567.50`. */
export function grouped(text: string): string {
  const dot = text.indexOf('.');
  const end = dot < 0 ? text.length : dot;
  const start = text.charCodeAt(0) === 45 ? 1 : 0;
  if (end - start <= 3) return text;
  let at = end - 3;
  let out = text.slice(at);
  while (at - start > 3) {
    out = `${text.slice(at - 3, at)},${out}`;
    at -= 3;
  }
  return `${text.slice(0, at)},${out}`;
}

/** Characters that are written from right to left, and those that change the direction of what follows. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that somebody typed, for a line of text: whatever its direction, the numbers beside it keep their places and order. */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069` : name;
}

/** The whole units of an amount, without its decimals: `1,234`. */
export function wholeUnits(amount: DecimalString): string {
  return grouped(amount.split('.')[0] ?? '');
}

/** The decimal with at least `decimals` digits after the point: `padded('0.5', 5)` is `0.50000`. */
export function padded(text: string, decimals: number): string {
  if (decimals === 0) return text;
  const dot = text.indexOf('.');
  if (dot < 0) return `${text}.${'0'.repeat(decimals)}`;
  const missing = decimals - (text.length - dot - 1);
  return missing > 0 ? text + '0'.repeat(missing) : text;
}

/** A size, price or notional as shown in a column: decimal points aligned, thousands grouped. */
export function decimalText(value: DecimalString, decimals: number): string {
  return grouped(padded(value, decimals));
}

/** A blank as wide as a digit in the number font. */
const BLANK = '\u00A0';

/**
 * The amount as reported, with grouped thousands, followed by blanks so that decimal points align in a column of `decimals`. No
 * digit is added or removed.
 */
export function aligned(text: string, decimals: number): string {
  const dot = text.indexOf('.');
  const own = dot < 0 ? 0 : text.length - dot - 1;
  const missing = decimals - own + (own === 0 && decimals > 0 ? 1 : 0);
  return grouped(text) + BLANK.repeat(Math.max(0, missing));
}

/** The largest number of decimals of any value: the decimals of their column. */
export function columnDecimals(values: Iterable<string>): number {
  let most = 0;
  for (const text of values) {
    const dot = text.indexOf('.');
    if (dot >= 0) most = Math.max(most, text.length - dot - 1);
  }
  return most;
}

/** A signed value that always shows its sign: `+1.50`, `−0.20`, `0.00`. */
export function signedText(value: DecimalString, decimals: number): string {
  return signed(decimalText(value, decimals));
}

/** A signed value as reported, followed by blanks as in `aligned`. */
export function signedAligned(value: DecimalString, decimals: number): string {
  return signed(aligned(value, decimals));
}

function signed(text: string): string {
  if (text.startsWith('-')) return `−${text.slice(1)}`;
  return /[1-9]/.test(text) ? `+${text}` : text;
}

/** A fraction as percent. Moves the point by two places and keeps every digit: `0.0000125` becomes `0.00125 %`. */
export function percentText(fraction: DecimalString): string {
  const negative = fraction.startsWith('-');
  const [whole = '0', decimals = ''] = fraction.replace('-', '').split('.');
  const shifted = decimals.padEnd(2, '0');
  const left = `${whole}${shifted.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const right = shifted.slice(2);
  return `${negative ? '−' : ''}${grouped(left)}${right === '' ? '' : `.${right}`} %`;
}

/** A fraction as percent with its sign: `+0.00125 %`, `−1.50 %`, `0.00 %`; with at least `decimals` as a fraction. */
export function signedPercent(fraction: DecimalString, decimals = 0): string {
  const text = percentText(padded(fraction, decimals) as DecimalString);
  return text.startsWith('−') || !/[1-9]/.test(text) ? text.replace(/^−(?=[0.,]* )/, '') : `+${text}`;
}

export function wholeText(value: number): string {
  return grouped(String(value));
}

/** `1 order`, `2 orders`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${wholeText(count)} ${count === 1 ? one : many}`;
}

/** An age in one unit, or two from an hour on: `340 ms`, `12 s`, `3 m`, `2 h 05 m`, `4 d 03 h`. */
export function ageText(ms: number): string {
  if (ms < 0) return '0 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : longAge(seconds);
}

/** The age in whole seconds, for a clock that ticks about once a second. */
export function secondsText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : longAge(seconds);
}

function longAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} m`;
  return `${wholeText(Math.floor(hours / 24))} d ${two(hours % 24)} h`;
}

const two = (value: number) => String(value).padStart(2, '0');

export type TimeZone = 'utc' | 'local';

/** The zone to show after a time: `UTC`, or the local offset such as `+02:00`. */
export function zoneText(zone: TimeZone, at: number): string {
  if (zone === 'utc') return 'UTC';
  const offset = -new Date(at).getTimezoneOffset();
  const absolute = Math.abs(offset);
  return `${offset < 0 ? '−' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

export function clockText(at: number, zone: TimeZone): string {
  return zoned(at, zone).toISOString().slice(11, 23);
}

export function momentText(at: number, zone: TimeZone): string {
  const text = zoned(at, zone).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)} ${zoneText(zone, at)}`;
}

export function dayText(at: number, zone: TimeZone): string {
  return zoned(at, zone).toISOString().slice(0, 10);
}

/** A date whose UTC fields are the wall clock time in the zone. */
function zoned(at: number, zone: TimeZone): Date {
  return new Date(zone === 'utc' ? at : at - new Date(at).getTimezoneOffset() * 60_000);
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** An oid as other tools write it, `oid 412,003` or `#412003`, without what they put before it; other texts unchanged. */
export function bareOid(text: string): string {
  return text.replace(/^(?:oid\b|#)[:\s]*(?=\d)/, '');
}

/** The first four characters of an epoch, enough to tell two generations apart. */
export function shortEpoch(epoch: string): string {
  return epoch.slice(0, 4);
}
