import { roundStep } from '../../ui/draw/ticks.ts';
import { dayText, momentText, type TimeZone } from '../../ui/format.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';

/** A value axis. Its ends are ticks, and it always contains zero. */
export interface ValueAxis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
}

const TICKS = 6;

/** Round ticks, 1, 2 or 5 times a power of ten apart, around the values and zero. */
export function valueAxis(extent: readonly [number, number] | undefined): ValueAxis {
  const low = Math.min(0, extent?.[0] ?? 0);
  const high = Math.max(0, extent?.[1] ?? 0);
  // Funding has about ten decimals; smaller differences are float errors.
  const span = high - low > 1e-15 ? high - low : 1;
  const step = roundStep(span, TICKS);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    domain: [first * step, last * step],
    ticks,
    text: (value) => signed(value, decimals),
  };
}

/**
 * An axis that spans its values and zero, for a pane too low for round ticks: only its ends are labelled, with three digits of
 * its span.
 */
export function spanAxis(extent: readonly [number, number] | undefined): Omit<ValueAxis, 'ticks'> {
  const low = Math.min(0, extent?.[0] ?? 0);
  const high = Math.max(0, extent?.[1] ?? 0);
  const span = high - low > 1e-15 ? high - low : 1;
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(span)));
  return { domain: [low, low + span], text: (value) => signed(value, decimals) };
}

/** Zero has no sign, whatever it was rounded from. */
function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

const STEPS = [
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  ...[1, 2, 5, 10, 20, 30, 60].map((days) => days * DAY_MS),
];

export interface TimeAxis {
  readonly ticks: readonly number[];
  readonly text: (time: number) => string;
}

/** Ticks at whole hours or days of the zone, at most `most` of them. */
export function timeAxis(
  { from, to }: { readonly from: number; readonly to: number },
  zone: TimeZone,
  most: number,
): TimeAxis {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? 90 * DAY_MS;
  const behind = (time: number) => (zone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000);
  const before = behind(from);
  const ticks: number[] = [];
  for (let wall = Math.ceil((from - before) / step) * step; ; wall += step) {
    // The offset may change on the way: each tick has the offset of its own time.
    const tick = wall + behind(wall + before);
    if (tick > to) break;
    // An hour that the clock skips has no tick of its own.
    if (tick > (ticks.at(-1) ?? tick - 1)) ticks.push(tick);
  }
  const clock = (time: number) => momentText(time, zone).slice(11, 16);
  return {
    ticks,
    text: (time) => (step < DAY_MS && clock(time) !== '00:00' ? clock(time) : dayText(time, zone).slice(5)),
  };
}
