import type { Client, QueryOptions } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** A paid query of the service, keyed by its kind and arguments. Sent for the signed-in account, and cached as `PAID` says. */
export const infoQuery = <const K extends readonly [kind: string, ...about: unknown[]], T>(
  about: K,
  call: (client: Client, options: QueryOptions) => Promise<T>,
) =>
  queryOptions({
    queryKey: ['info', ...about] as const,
    queryFn: ({ signal }) => call(accountClient(), { signal }),
    ...PAID,
  });
