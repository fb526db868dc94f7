import type { Client, QueryOptions } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** A paid query of the service by its kind and what it is about: asked in the account's name, and kept as `PAID` says. */
export const infoQuery = <const K extends readonly [kind: string, ...about: unknown[]], T>(
  about: K,
  call: (client: Client, options: QueryOptions) => Promise<T>,
) =>
  queryOptions({
    queryKey: ['info', ...about] as const,
    queryFn: ({ signal }) => call(accountClient(), { signal }),
    ...PAID,
  });
