import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type DecimalString, type FundingEntry, isDecimalString } from '@l4desk/protocol';
import { type Completeness, measure } from './interval.ts';

/** One entry as the page works with it. */
export interface Entry {
  readonly key: string;
  readonly coin: string;
  readonly time: number;
  readonly fundingRate: DecimalString;
  /** Undefined where the exchange reports no number (D46). */
  readonly premium: DecimalString | undefined;
  /** In units of the history's scale, for sums and for order. */
  readonly rate: bigint;
  readonly premiumUnits: bigint | undefined;
  /** All rates in view up to this one, entries that came again left out. */
  readonly cumulative: bigint;
  readonly isDuplicate: boolean;
}

/** What of one coin is in view. */
export interface History {
  readonly coin: string;
  /** Oldest first, with those that came again. */
  readonly entries: readonly Entry[];
  /** The entries that count: without those. */
  readonly counted: readonly Entry[];
  /** 10^-scale is the unit of every bigint. */
  readonly scale: number;
  readonly completeness: Completeness;
  readonly period: FundingPeriod;
  /** Why nothing is known of the period: no entry of it is then no statement of the exchange. Undefined once something is. */
  readonly silence: Silence | undefined;
}

/** It was never asked for, its response is on its way, the user stopped it before it came, or the call failed. */
export type Silence = 'unasked' | 'waiting' | 'stopped' | 'failed';

/** Ms, both included. */
export interface FundingPeriod {
  readonly from: number;
  readonly to: number;
}

/** Rates of 10 decimals are usual; one scale for all coins makes them comparable. */
const SCALE_MIN = 18;

/** The entries of a coin that lie in a period, held against the part of it that was fetched. */
export function historyOf(
  coin: string,
  received: readonly FundingEntry[],
  period: FundingPeriod,
  fetched: FundingPeriod,
  silence?: Silence,
): History {
  const inSight = received.filter(({ time }) => time >= period.from && time <= period.to);
  const scale = inSight.reduce(
    (most, { fundingRate, premium }) =>
      Math.max(most, significantDecimalsOf(fundingRate), isDecimalString(premium) ? significantDecimalsOf(premium) : 0),
    SCALE_MIN,
  );
  const until = Math.min(period.to, Math.max(fetched.to, inSight.at(-1)?.time ?? 0));
  const completeness = measure(
    inSight.map(({ time }) => time),
    { from: Math.max(period.from, fetched.from), to: until },
  );
  const duplicates = new Set(completeness.duplicates);
  let cumulative = 0n;
  let twin = 0;
  const entries = inSight.map(({ time, fundingRate, premium: reported }, at): Entry => {
    const rate = parseBigUnits(fundingRate, scale) ?? 0n;
    const isDuplicate = duplicates.has(at);
    if (!isDuplicate) cumulative += rate;
    const premium = isDecimalString(reported) ? reported : undefined;
    const premiumUnits = premium === undefined ? undefined : parseBigUnits(premium, scale);
    // The same in every period that holds it; entries of one moment are told apart by their order.
    twin = time === inSight[at - 1]?.time ? twin + 1 : 0;
    const key = twin === 0 ? `${coin}.${time}` : `${coin}.${time}.${twin}`;
    return { key, coin, time, fundingRate, premium, rate, premiumUnits, cumulative, isDuplicate };
  });
  const counted = duplicates.size === 0 ? entries : entries.filter(({ isDuplicate }) => !isDuplicate);
  return { coin, entries, counted, scale, completeness, period, silence };
}

/** Units of a history as a text. */
export function textOf({ scale }: History, units: bigint): DecimalString {
  return formatUnits(units, scale);
}
