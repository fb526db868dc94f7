import { type FundingPage, fundingHistoryPages } from '@l4desk/client';
import { accountClient } from './client.ts';

/** The cache key of a coin's funding history, as far as it is loaded; it grows page by page. */
export const fundingHistoryKey = (coin: string) => ['info', 'fundingHistory', coin] as const;

/** A whole period of funding rates, ms, both ends included. Loaded page by page, oldest first, 1 credit per page of up to 500. */
export function fundingHistoryPeriod(
  coin: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): AsyncIterable<FundingPage> {
  return fundingHistoryPages(accountClient(), { coin, startTime: from, endTime: to }, { signal });
}
