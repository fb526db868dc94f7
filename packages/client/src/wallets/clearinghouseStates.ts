import type { Address, PerpAccountSlot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { batchClearinghouseState } from '../info/batchClearinghouseState.ts';
import type { QueryOptions } from '../transport.ts';
import { queryWallets } from './query-wallets.ts';
import type { WalletStates, WalletsOptions } from './types.ts';

/** Parameters of `clearinghouseStates`. */
export interface ClearinghouseStatesParameters {
  /** Any number of wallets, in any letter case. */
  readonly users: readonly Address[];
  /** A builder dex. Defaults to the canonical dex. */
  readonly dex?: string;
}

/**
 * Returns the perp accounts of any number of wallets on the canonical dex or on `dex`, in calls of up to 50 (§4.1), a few at
 * once. There is one result per wallet, in the order in which they were first named. A failed wallet or call gives failed results
 * for its own wallets only. Costs 25 credits a call. After a refusal that would apply to all calls (401, 402, 403) no more are
 * made. Throws RangeError for an invalid wallet; rejects with the signal's reason.
 */
export async function clearinghouseStates(
  client: Client,
  { users, ...rest }: ClearinghouseStatesParameters,
  options: WalletsOptions = {},
): Promise<WalletStates<PerpAccountSlot>> {
  const call = (batch: readonly Address[], callOptions: QueryOptions) =>
    batchClearinghouseState(client, { ...rest, users: batch }, callOptions);
  return queryWallets('batchClearinghouseState', call, users, options);
}
