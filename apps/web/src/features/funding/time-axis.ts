import { dayText, momentText, type TimeZone } from '../../ui/format.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';

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
