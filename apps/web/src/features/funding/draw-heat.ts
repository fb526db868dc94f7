import type { HourOfDay } from './hours.ts';
import { STATISTIC_DECIMALS } from './statistics.ts';

/** How strong a cell's colour is, in percent of its hue: the text on it must stay readable. */
const STRONGEST = 40;
/** Of the value nearest to zero, so that its sign's hue can be told. */
const FAINTEST = 6;
/** A cell's digits, of a fraction: enough for two of what the hours of a coin differ by. */
const DECIMALS_MIN = 5;

/** How the hours of one coin are coloured and written. */
export interface Heat {
  /** The background of each hour; undefined where there is nothing, or zero. */
  readonly colours: readonly (string | undefined)[];
  /** Digits of the fraction in a cell. */
  readonly decimals: number;
  /** The hours with the lowest and the highest mean; undefined without any. */
  readonly ends: readonly [low: number, high: number] | undefined;
}

/**
 * Each coin by its own spread, or the largest would leave the others without a difference: blue above zero, orange below;
 * faintest where it is nearest to zero (at zero itself, where both signs occur), strongest where it is furthest.
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

/** What is the same in every hour is written whole. */
function decimalsFor(spread: number, mean: string | undefined): number {
  const decimals = spread > 0 ? 1 - Math.floor(Math.log10(spread)) : (/\.(\d*?)0*$/.exec(mean ?? '')?.[1]?.length ?? 0);
  return Math.min(STATISTIC_DECIMALS, Math.max(DECIMALS_MIN, decimals));
}
