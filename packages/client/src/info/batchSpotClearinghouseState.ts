import { type Address, type InfoResponse, batchSpotClearinghouseState as schema } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { askInfo } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';

/** Whose accounts `batchSpotClearinghouseState` asks for. */
export interface BatchSpotClearinghouseStateParameters {
  /** 1 to 50 wallets, in any letter case, counted before duplicates are removed. */
  readonly users: readonly Address[];
}

/**
 * The spot balances of 1 to 50 wallets in one call (§4.1): slot i is the i-th wallet after duplicates were
 * removed, whatever their letter case. A wallet that failed has an error slot, the others are not affected: ask `isErrorSlot`
 * before anything else is read. Costs 25 credits, whatever the slots. `spotClearinghouseStates` takes any number of wallets.
 * Rejects with ServiceError (`invalid_request` with path `users` or `users[i]`, …), TransportError or WireFormatError.
 */
export function batchSpotClearinghouseState(
  client: Client,
  parameters: BatchSpotClearinghouseStateParameters,
  options?: QueryOptions,
): Promise<InfoResponse<'batchSpotClearinghouseState'>> {
  return askInfo(client, 'batchSpotClearinghouseState', schema, parameters, options);
}
