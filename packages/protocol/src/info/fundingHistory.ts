import { FUNDING_HISTORY_ENTRIES_MAX } from '../limits.ts';
import { coinName, decimalString, millis, reportedDecimal } from '../primitives.ts';
import { z } from '../zod.ts';
import { ENDS_BEFORE_START, endsAfterStart, optionalTime } from './fields.ts';

/**
 * Requests the funding rates of one coin over a time window, both bounds in ms and inclusive (§4.5). A coin of a builder market
 * carries the deployer's prefix, `xyz:GOLD`. Without `endTime` the window ends now.
 * Rejected as `invalid_request`: a missing or malformed field (its path), a window that ends before it starts (path `endTime`).
 * Rejected as `unknown_coin`: a coin that the exchange does not know (D18).
 */
export const fundingHistoryRequest = z
  .object({ type: z.literal('fundingHistory'), coin: coinName, startTime: millis, endTime: optionalTime })
  .refine(endsAfterStart, ENDS_BEFORE_START);

/**
 * The rate of one interval, as a fraction (`0.0000125` is 0.00125 %), and the premium of mark over oracle that it is based on
 * (§2.5), `NaN` for intervals that the exchange reports without one (D46). `time` is when the interval was applied, in ms, not
 * exactly on the hour (D18).
 */
export const fundingEntry = z
  .looseObject({ coin: coinName, fundingRate: decimalString, premium: reportedDecimal, time: millis })
  .meta({ id: 'FundingEntry', description: 'funding of one interval' });

export type FundingEntry = z.infer<typeof fundingEntry>;

const passedFundingEntry = fundingEntry.extend({ fundingRate: reportedDecimal });

type PassedFundingEntry = z.infer<typeof passedFundingEntry>;

/** The exchange's response as the service passes it on: a number may be any text (D46). */
export const passedFundingHistory = z.array(passedFundingEntry);

/** Response of `fundingHistory`: oldest first, at most 500. The next page starts at the last `time` plus 1 (§4.5). */
export const fundingHistory = z.array(fundingEntry);

/** The first 500 entries, oldest first. Returns the same array if nothing changes, so that the bytes may be passed on. */
export function servedFundingHistory<Entry extends PassedFundingEntry>(entries: readonly Entry[]): readonly Entry[] {
  const sorted = entries.every(({ time }, index) => index === 0 || time >= (entries[index - 1]?.time ?? time));
  const ordered = sorted ? entries : [...entries].sort((a, b) => a.time - b.time);
  return ordered.length > FUNDING_HISTORY_ENTRIES_MAX ? ordered.slice(0, FUNDING_HISTORY_ENTRIES_MAX) : ordered;
}
