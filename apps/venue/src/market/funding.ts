import { formatUnits } from '@l4desk/decimal';
import { coinDex, type DecimalString } from '@l4desk/protocol';
import { seededRandom } from '../engine/random.ts';

export const HOUR_MS = 3_600_000;

/** Rates and premiums are whole numbers of `10^-10`. */
const RATE_DECIMALS = 10;
export const RATE_ONE = 10_000_000_000;

/** The interest of eight hours, and how far the premium may differ from it before the rate follows the premium. */
const INTEREST = 1_000_000;
const CLAMP = 5_000_000;
const INTERVALS = 8;

/** Hours of history before the start: 400 days. */
const PAST_HOURS = 9_600;

/** The missing hour, an outage of the exchange, is this many hours before the start, plus up to a day. */
const OUTAGE_HOURS_AGO = 400;

/**
 * Premiums drift over a week, a day and an hour, by at most `reach` each. The weekly drift produces periods outside the
 * clamp.
 */
const DRIFTS = [
  { period: 168, reach: 5_500_000 },
  { period: 24, reach: 3_000_000 },
  { period: 1, reach: 1_200_000 },
] as const;

/** The funding of one hour. Rate and premium in `10^-10`. */
export interface FundingHour {
  readonly rate: number;
  readonly premium: number;
  /** When it was applied: some ms after the full hour. */
  readonly time: number;
}

/**
 * Hourly funding of one perp, computed from the hour alone: results do not depend on when or in which order hours are
 * requested, and nothing is stored. Rates differ between coins; the times and the missing hour do not.
 */
export class FundingSeries {
  readonly #first: number;
  readonly #outage: number;
  readonly #seed: number;
  readonly #clock: number;
  readonly #divisor: number;

  constructor(seed: string, coin: string, startTime: number) {
    this.#seed = seededRandom(`${seed}/funding/${coin}`).u32();
    this.#clock = seededRandom(`${seed}/funding`).u32();
    const start = Math.floor(startTime / HOUR_MS);
    this.#first = Math.max(0, start - PAST_HOURS);
    this.#outage = start - OUTAGE_HOURS_AGO - (this.#clock % 24);
    // Builder dexes pay half.
    this.#divisor = coinDex(coin) === '' ? INTERVALS : INTERVALS * 2;
  }

  /** The hours applied from `from` to `to`, both included, oldest first and at most `max`. */
  between(from: number, to: number, max: number): readonly FundingHour[] {
    const hours: FundingHour[] = [];
    const last = Math.floor(to / HOUR_MS);
    for (let hour = Math.max(this.#first, Math.floor(from / HOUR_MS)); hour <= last && hours.length < max; hour += 1) {
      if (hour === this.#outage) continue;
      const funding = this.at(hour);
      if (funding.time >= from && funding.time <= to) hours.push(funding);
    }
    return hours;
  }

  /** The funding of the hour that started `hour` hours after the Unix epoch. */
  at(hour: number): FundingHour {
    const premium =
      INTEREST / 2 +
      DRIFTS.reduce((sum, { period, reach }, index) => sum + driftAt(this.#seed + index, hour, period, reach), 0);
    return { rate: this.#rateOf(premium), premium, time: this.timeOf(hour) };
  }

  /** When the funding of an hour is applied: occasionally more than a second late. */
  timeOf(hour: number): number {
    const draw = hashAt(this.#clock, hour);
    return hour * HOUR_MS + 3 + (draw % (draw % 40 === 0 ? 1_900 : 740));
  }

  #rateOf(premium: number): number {
    const pull = Math.min(Math.max(INTEREST - premium, -CLAMP), CLAMP);
    return Math.trunc((premium + pull) / this.#divisor);
  }
}

/** A rate or premium as the exchange prints it. */
export function formatRate(rate: number): DecimalString {
  return formatUnits(rate, RATE_DECIMALS, 1);
}

/** Noise that depends only on a seed and a position: a whole number from 0 to 2^32 − 1. */
function hashAt(seed: number, place: number): number {
  let h = Math.imul(seed ^ (place | 0), 0x9e3779b1) ^ Math.imul(Math.floor(place / 0x1_0000_0000) | 0, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Smooth noise around zero: whole numbers from −`reach` to `reach`, drawn every `period` positions and interpolated
 * linearly between.
 */
function driftAt(seed: number, place: number, period: number, reach: number): number {
  const before = Math.floor(place / period);
  const share = place - before * period;
  const draw = (index: number) => (hashAt(seed, index) % (2 * reach + 1)) - reach;
  return Math.floor((draw(before) * (period - share) + draw(before + 1) * share) / period);
}
