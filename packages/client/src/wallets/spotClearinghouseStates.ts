import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { batchSpotClearinghouseState } from '../info/batchSpotClearinghouseState.ts';
import type { QueryOptions } from '../transport.ts';
import { askWallets } from './ask-wallets.ts';
import type { WalletStates, WalletsOptions } from './types.ts';

/** Whose accounts `spotClearinghouseStates` asks for. */
export interface SpotClearinghouseStatesParameters {
  /** Any number of wallets, in any letter case. */
  readonly users: readonly Address[];
}

/**
 * The spot balances of any number of wallets, in calls of up to 50 (§4.1), a few at once: one
 * result a wallet, in the order they were first named. A wallet or a call that fails makes failed results of its own wallets
 * and of no others. Costs 25 credits a call. After a refusal that all calls would meet (401, 402, 403) no more are made.
 * Throws RangeError for a wallet that is none; rejects with the signal's reason.
 */
export async function spotClearinghouseStates(
  client: Client,
  { users }: SpotClearinghouseStatesParameters,
  options: WalletsOptions = {},
): Promise<WalletStates<SpotBalanceSlot>> {
  const call = (batch: readonly Address[], callOptions: QueryOptions) =>
    batchSpotClearinghouseState(client, { users: batch }, callOptions);
  return askWallets('batchSpotClearinghouseState', call, users, options);
}
