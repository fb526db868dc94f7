import { type FundingPage, fundingHistoryPages } from '@l4desk/client';
import { accountClient } from './client.ts';

/** Where the history of a coin is kept, as far as it came: written page by page. */
export const fundingHistoryKey = (coin: string) => ['info', 'fundingHistory', coin] as const;

/** A whole period of funding rates, ms, both ends included: page by page, oldest first, 1 credit a page of at most 500. */
export function fundingHistoryPeriod(
  coin: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): AsyncIterable<FundingPage> {
  return fundingHistoryPages(accountClient(), { coin, startTime: from, endTime: to }, { signal });
}
