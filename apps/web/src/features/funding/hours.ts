import { divide, formatUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { TimeZone } from '../../ui/format.ts';
import type { History } from './entries.ts';
import { STATISTIC_DECIMALS } from './statistics.ts';

const MINUTE_MS = 60_000;

/** The rates that were applied in one hour of the day. */
export interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Mean per interval, rounded half up to `STATISTIC_DECIMALS`; undefined if none was applied in this hour. */
  readonly mean: DecimalString | undefined;
}

/** The mean rate of each hour of the day in the zone. Times are rounded to the nearest minute to find their hour. */
export function hoursOf({ counted, scale }: History, zone: TimeZone): readonly HourOfDay[] {
  const sums = Array.from({ length: 24 }, () => ({ count: 0, sum: 0n }));
  for (const { time, rate } of counted) {
    const at = new Date(Math.round(time / MINUTE_MS) * MINUTE_MS);
    const slot = sums[zone === 'utc' ? at.getUTCHours() : at.getHours()];
    if (slot === undefined) continue;
    slot.count += 1;
    slot.sum += rate;
  }
  return sums.map(({ count, sum }, hour) => ({
    hour,
    count,
    mean: divide(formatUnits(sum, scale), formatUnits(count, 0), STATISTIC_DECIMALS),
  }));
}

/** Maximum strength of a cell's colour, in percent of its hue: the text on it must stay readable. */
const STRONGEST = 40;
/** Strength for the value nearest to zero, so that the hue of its sign is visible. */
const FAINTEST = 6;
/** Minimum decimals of a cell's fraction; otherwise enough for two digits of the difference between a coin's hours. */
const DECIMALS_MIN = 5;

/** How the hours of one coin are coloured and formatted. */
export interface Heat {
  /** The background of each hour; undefined if there is no value, or zero. */
  readonly colours: readonly (string | undefined)[];
  readonly decimals: number;
  /** The hours with the lowest and the highest mean; undefined without any. */
  readonly ends: readonly [low: number, high: number] | undefined;
}

/**
 * Colours each coin by its own spread, because the coin with the largest would leave the others without contrast: blue above
 * zero, orange below; faintest nearest to zero (at zero itself if both signs occur), strongest farthest from it.
 */
export function drawHeat(hours: readonly HourOfDay[]): Heat {
  const known = hours.flatMap(({ hour, mean }) => (mean === undefined ? [] : [{ hour, value: Number(mean) }]));
  const [first] = known;
  if (first === undefined) return { colours: hours.map(() => undefined), decimals: DECIMALS_MIN, ends: undefined };
  const low = known.reduce((least, each) => (each.value < least.value ? each : least), first);
  const high = known.reduce((most, each) => (each.value > most.value ? each : most), first);
  const far = Math.max(Math.abs(low.value), Math.abs(high.value));
  const near = low.value * high.value > 0 ? Math.min(Math.abs(low.value), Math.abs(high.value)) : 0;
  const colourOf = (mean: HourOfDay['mean']) => {
    const value = Number(mean ?? 0);
    if (value === 0) return undefined;
    const part = far === near ? 0.5 : (Math.abs(value) - near) / (far - near);
    const share = Math.round(FAINTEST + part * (STRONGEST - FAINTEST));
    return `color-mix(in srgb, var(--series-${value > 0 ? 1 : 2}) ${share}%, transparent)`;
  };
  return {
    colours: hours.map(({ mean }) => colourOf(mean)),
    decimals: decimalsFor(high.value - low.value, hours[low.hour]?.mean),
    ends: [low.hour, high.hour],
  };
}

/** If all hours are equal, the value is written in full. */
function decimalsFor(spread: number, mean: string | undefined): number {
  const decimals = spread > 0 ? 1 - Math.floor(Math.log10(spread)) : (/\.(\d*?)0*$/.exec(mean ?? '')?.[1]?.length ?? 0);
  return Math.min(STATISTIC_DECIMALS, Math.max(DECIMALS_MIN, decimals));
}
