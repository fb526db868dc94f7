import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type DecimalString, type FundingEntry, isDecimalString } from '@l4desk/protocol';
import { type Completeness, HOUR_MS, intervalAt, measure, measurePieces } from './interval.ts';

/** One entry, parsed for the page. */
export interface Entry {
  readonly key: string;
  readonly coin: string;
  readonly time: number;
  readonly fundingRate: DecimalString;
  /** Undefined if the exchange reports no number (D46). */
  readonly premium: DecimalString | undefined;
  /** In units of the history's scale, for sums and sorting. */
  readonly rate: bigint;
  readonly premiumUnits: bigint | undefined;
  /** Sum of all rates in view up to and including this one, without duplicates. */
  readonly cumulative: bigint;
  readonly isDuplicate: boolean;
  /** The time for which the rate applies, up to the entry's own, ms; undefined if it is not known. */
  readonly interval: number | undefined;
}

export interface History {
  readonly coin: string;
  readonly entries: readonly Entry[];
  /** The entries without duplicates. */
  readonly counted: readonly Entry[];
  /** 10^-scale is the unit of every bigint. */
  readonly scale: number;
  readonly completeness: Completeness;
  readonly period: FundingPeriod;
  /** Why nothing is known about the period, in which case missing entries mean nothing. Undefined once something is known. */
  readonly silence: Silence | undefined;
}

/** It was never requested, its response is pending, the user stopped it before it arrived, or the call failed. */
export type Silence = 'unrequested' | 'waiting' | 'stopped' | 'failed';

/** In ms, both ends included. */
export interface FundingPeriod {
  readonly from: number;
  readonly to: number;
}

/** Rates usually have 10 decimals; a common scale for all coins makes them comparable. */
const SCALE_MIN = 18;

/**
 * The entries of a coin within a period, checked for completeness against the part of the period that was fetched. An entry without
 * a rate counts as missing (D46).
 */
export function historyOf(
  coin: string,
  fetchedEntries: readonly FundingEntry[],
  period: FundingPeriod,
  fetched: FundingPeriod,
  silence?: Silence,
): History {
  const received = fetchedEntries.filter(hasRate);
  const inSight = received.filter(({ time }) => time >= period.from && time <= period.to);
  const scale = inSight.reduce(
    (most, { fundingRate, premium }) =>
      Math.max(most, significantDecimalsOf(fundingRate), isDecimalString(premium) ? significantDecimalsOf(premium) : 0),
    SCALE_MIN,
  );
  const until = Math.min(period.to, Math.max(fetched.to, inSight.at(-1)?.time ?? 0));
  const pieces = measurePieces(received.map(({ time }) => time));
  const completeness = measure(
    inSight.map(({ time }) => time),
    {
      period: { from: Math.max(period.from, fetched.from), to: until },
      pieces,
      isFirst: inSight[0] !== undefined && inSight[0] === received[0],
    },
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
    // The key is the same in every period that contains the entry; entries with the same time are numbered in order.
    twin = time === inSight[at - 1]?.time ? twin + 1 : 0;
    const key = twin === 0 ? `${coin}.${time}` : `${coin}.${time}.${twin}`;
    return {
      key,
      coin,
      time,
      fundingRate,
      premium,
      rate,
      premiumUnits,
      cumulative,
      isDuplicate,
      interval: intervalAt(pieces, time),
    };
  });
  const counted = duplicates.size === 0 ? entries : entries.filter(({ isDuplicate }) => !isDuplicate);
  return { coin, entries, counted, scale, completeness, period, silence };
}

function hasRate(entry: FundingEntry): entry is FundingEntry & { readonly fundingRate: DecimalString } {
  return isDecimalString(entry.fundingRate);
}

/** Formats units of a history as a decimal. */
export function textOf({ scale }: History, units: bigint): DecimalString {
  return formatUnits(units, scale);
}

/** A history piece by piece: rates of different intervals have no common mean. */
export function piecesOf(history: History): readonly History[] {
  const { pieces } = history.completeness;
  if (pieces.length < 2) return [history];
  return pieces.map((piece) => {
    const isIn = ({ time }: Entry) => time >= (piece.from ?? time) && time <= (piece.to ?? time);
    return {
      ...history,
      entries: history.entries.filter(isIn),
      counted: history.counted.filter(isIn),
      completeness: { ...history.completeness, pieces: [piece] },
    };
  });
}

/** The entry that applies at a moment: the first one at or after it, if the moment is within its interval. */
export function entryAt({ entries }: History, moment: number): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.time ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  const found = entries[low];
  const reach = (found?.interval ?? HOUR_MS) * 1.1;
  return found !== undefined && found.time - moment <= reach ? found : undefined;
}
