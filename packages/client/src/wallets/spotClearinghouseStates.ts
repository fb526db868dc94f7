import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { batchSpotClearinghouseState } from '../info/batchSpotClearinghouseState.ts';
import type { QueryOptions } from '../transport.ts';
import { queryWallets } from './query-wallets.ts';
import type { WalletStates, WalletsOptions } from './types.ts';

/** Parameters of `spotClearinghouseStates`. */
export interface SpotClearinghouseStatesParameters {
  /** Any number of wallets, in any letter case. */
  readonly users: readonly Address[];
}

/**
 * Returns the spot balances of any number of wallets, in calls of up to 50 (§4.1), a few at once. There is one result per wallet,
 * in the order in which they were first named. A failed wallet or call gives failed results for its own wallets only. Costs 25
 * credits a call. After a refusal that would apply to all calls (401, 402, 403) no more are made. Throws RangeError for an
 * invalid wallet; rejects with the signal's reason.
 */
export async function spotClearinghouseStates(
  client: Client,
  { users }: SpotClearinghouseStatesParameters,
  options: WalletsOptions = {},
): Promise<WalletStates<SpotBalanceSlot>> {
  const call = (batch: readonly Address[], callOptions: QueryOptions) =>
    batchSpotClearinghouseState(client, { users: batch }, callOptions);
  return queryWallets('batchSpotClearinghouseState', call, users, options);
}
