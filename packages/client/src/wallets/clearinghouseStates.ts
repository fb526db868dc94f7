import type { Address, PerpAccountSlot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { batchClearinghouseState } from '../info/batchClearinghouseState.ts';
import type { QueryOptions } from '../transport.ts';
import { askWallets } from './ask-wallets.ts';
import type { WalletStates, WalletsOptions } from './types.ts';

/** Whose accounts `clearinghouseStates` asks for. */
export interface ClearinghouseStatesParameters {
  /** Any number of wallets, in any letter case. */
  readonly users: readonly Address[];
  /** A builder dex; left out: the canonical one. */
  readonly dex?: string;
}

/**
 * The perp accounts of any number of wallets on the canonical dex or on `dex`, in calls of up to 50 (§4.1), a few at once: one
 * result a wallet, in the order they were first named. A wallet or a call that fails makes failed results of its own wallets
 * and of no others. Costs 25 credits a call. After a refusal that all calls would meet (401, 402, 403) no more are made.
 * Throws RangeError for a wallet that is none; rejects with the signal's reason.
 */
export async function clearinghouseStates(
  client: Client,
  { users, ...rest }: ClearinghouseStatesParameters,
  options: WalletsOptions = {},
): Promise<WalletStates<PerpAccountSlot>> {
  const call = (batch: readonly Address[], callOptions: QueryOptions) =>
    batchClearinghouseState(client, { ...rest, users: batch }, callOptions);
  return askWallets('batchClearinghouseState', call, users, options);
}
