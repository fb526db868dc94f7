import type { Client, QueryOptions } from '@l4desk/client';
import type { WireFormatError } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** A paid query of the service, keyed by its kind and arguments. Sent for the signed-in account, and cached as `PAID` says. */
export const infoQuery = <const K extends readonly [kind: string, ...about: unknown[]], T>(
  about: K,
  call: (client: Client, options: QueryOptions) => Promise<T>,
) =>
  queryOptions({
    queryKey: ['info', ...about] as const,
    queryFn: async ({ signal }) => {
      const errors: WireFormatError[] = [];
      const response = await call(accountClient(), { signal, onUnreadableRow: (error) => errors.push(error) });
      if (errors.length > 0) unreadableRows.set(response as object, errors);
      return response;
    },
    ...PAID,
    // A response is a key of `unreadableRows`, so it must not be replaced by a copy.
    ...(about[0].endsWith('Orders') ? { structuralSharing: false } : {}),
  });

const unreadableRows = new WeakMap<object, readonly WireFormatError[]>();

/** Why rows of a list of orders are missing from this response; empty if all could be read. */
export function unreadableRowsOf(response: readonly unknown[]): readonly WireFormatError[] {
  return unreadableRows.get(response) ?? [];
}
