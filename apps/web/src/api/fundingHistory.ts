import { fundingHistory } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { client, PAID } from './client.ts';

interface FundingHistoryWindow {
  readonly coin: string;
  /** Ms, inclusive. */
  readonly startTime: number;
  /** Ms, inclusive; now when left out. */
  readonly endTime?: number;
}

/**
 * One page of funding rates: oldest first, at most 500. 1 credit. A whole window, page by page with progress:
 * `fundingHistoryPages(client, window, { signal })` of `@l4desk/client`.
 */
export const fundingHistoryQuery = (window: FundingHistoryWindow) =>
  queryOptions({
    queryKey: ['info', 'fundingHistory', window],
    queryFn: ({ signal }) => fundingHistory(client, window, { signal }),
    ...PAID,
  });
