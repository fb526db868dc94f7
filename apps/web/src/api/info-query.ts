import type { Client, QueryOptions } from '@l4desk/client';
import type { WireFormatError } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** Most of a hundred calls would only wait for a connection. */
const CALLS_AT_ONCE = 12;

const waiting: (() => void)[] = [];
let started = 0;

/**
 * Makes a call when fewer than `CALLS_AT_ONCE` wait for their response. The first of a page start in a task each: started in one
 * task, they would keep the page from responding.
 */
async function inTurn<T>(call: () => Promise<T>): Promise<T> {
  if (started === CALLS_AT_ONCE) await new Promise<void>((start) => waiting.push(start));
  else {
    started += 1;
    await new Promise<void>((start) => setTimeout(start));
  }
  try {
    return await call();
  } finally {
    const next = waiting.shift();
    if (next === undefined) started -= 1;
    else next();
  }
}

/** A paid query of the service, keyed by its kind and arguments. Sent for the signed-in account, and cached as `PAID` says. */
export const infoQuery = <const K extends readonly [kind: string, ...about: unknown[]], T>(
  about: K,
  call: (client: Client, options: QueryOptions) => Promise<T>,
) =>
  queryOptions({
    queryKey: ['info', ...about] as const,
    queryFn: async ({ signal }) => {
      // Before the wait, so that the next account never pays for the call.
      const client = accountClient();
      const errors: WireFormatError[] = [];
      const response = await inTurn(() => call(client, { signal, onUnreadableRow: (error) => errors.push(error) }));
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
