import { isObject } from '../json.ts';
import { FUNDING_HISTORY_ENTRIES_MAX } from '../limits.ts';
import { coinName, millis, reportedAmount } from '../primitives.ts';
import { z } from '../zod.ts';
import { ENDS_BEFORE_START, endsAfterStart, optionalTime } from './request.ts';

/**
 * Requests the funding rates of a coin over a window, both bounds in ms and inclusive (§4.5); without `endTime` it ends
 * now. Refused: a missing or malformed field, a window that ends before it starts, a coin that the exchange does not
 * know (D18).
 */
export const fundingHistoryRequest = z
  .object({ type: z.literal('fundingHistory'), coin: coinName, startTime: millis, endTime: optionalTime })
  .refine(endsAfterStart, ENDS_BEFORE_START);

/** The rate of one interval as a fraction, its premium (§2.5), `NaN` if there was none (D46), and when, in ms (D18). */
export const fundingEntry = z
  .looseObject({ coin: coinName, fundingRate: reportedAmount, premium: reportedAmount, time: millis })
  .meta({ id: 'FundingEntry', description: 'funding of one interval' });

export type FundingEntry = z.infer<typeof fundingEntry>;

/** Response of `fundingHistory`: oldest first, at most 500. The next page starts at the last `time` plus 1 (§4.5). */
export const fundingHistory = z.array(fundingEntry);

/** The first 500 entries of the window, oldest first (FUND-15): the same array if nothing changes. */
export function servedFundingHistory(
  entries: readonly unknown[],
  {
    startTime,
    endTime = Number.POSITIVE_INFINITY,
  }: { readonly startTime: number; readonly endTime?: number | undefined },
): readonly unknown[] | undefined {
  if (!entries.every(isTimed)) return undefined;
  const inWindow = entries.every(({ time }) => time >= startTime && time <= endTime)
    ? entries
    : entries.filter(({ time }) => time >= startTime && time <= endTime);
  const isSorted = inWindow.every(({ time }, index) => index === 0 || time >= (inWindow[index - 1]?.time ?? time));
  const sorted = isSorted ? inWindow : [...inWindow].sort((a, b) => a.time - b.time);
  return sorted.length > FUNDING_HISTORY_ENTRIES_MAX ? sorted.slice(0, FUNDING_HISTORY_ENTRIES_MAX) : sorted;
}

function isTimed(entry: unknown): entry is { readonly time: number } {
  return isObject(entry) && typeof entry.time === 'number';
}
