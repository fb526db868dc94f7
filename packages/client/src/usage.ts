import { usage as schema, type USAGE_DURATIONS_MONTHS, type Usage } from '@l4desk/protocol';
import { checkedResponse } from './checked-response.ts';
import type { Client } from './client.ts';
import type { QueryOptions } from './transport.ts';

/** Months back from today, 1 (the month so far) by default; or a window of UTC days, `YYYY-MM-DD`, both inclusive. */
export type UsageParameters =
  | { readonly duration?: (typeof USAGE_DURATIONS_MONTHS)[number] }
  | { readonly from: string; readonly to: string };

/** Credits used in one window: the total against the plan, by day, and by key. */
export type AccountUsage = Usage['data'];

/**
 * Returns the usage of the account (§4.8): the `data` of the response. Needs a ServiceKey, `createClient({ serviceKey })`, or a
 * session with one. Days are UTC. `by_day` has every day of the window, oldest first; `by_api_key` has the abbreviated keys that
 * used credits in it, highest first. Costs nothing. Rejects with ServiceError (`unauthorized`, `wrong_credential` for an API key,
 * `invalid_request` with path `from`, `to` or `duration`), TransportError or WireFormatError.
 */
export async function usage(
  client: Client,
  parameters: UsageParameters = {},
  options?: QueryOptions,
): Promise<AccountUsage> {
  return checkedResponse('usage', schema, await client.transport.usage(parameters, options)).data;
}
