import { batchSpotClearinghouseState } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { client, PAID } from './client.ts';

/** Spot balances of 1 to 50 wallets, a slot for each: ask `isErrorSlot` first. 25 credits a call, whatever its slots. */
export const batchSpotClearinghouseStateQuery = (users: readonly Address[]) =>
  queryOptions({
    queryKey: ['info', 'batchSpotClearinghouseState', users],
    queryFn: ({ signal }) => batchSpotClearinghouseState(client, { users: [...users] }, { signal }),
    ...PAID,
  });
