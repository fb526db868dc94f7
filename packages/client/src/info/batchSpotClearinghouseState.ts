import { type Address, type InfoResponse, spotBalanceSlot as schema } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { askBatch } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';

/** Parameters of `batchSpotClearinghouseState`. */
export interface BatchSpotClearinghouseStateParameters {
  /** 1 to 50 wallets, in any letter case, counted before duplicates are removed. */
  readonly users: readonly Address[];
}

/**
 * Returns the spot balances of 1 to 50 wallets in one call (§4.1). Slot i is the i-th wallet after removing duplicates, ignoring
 * letter case. A wallet that failed has an error slot and does not affect the others: check `isErrorSlot` before reading a slot.
 * Costs 25 credits, whatever the slots contain. `spotClearinghouseStates` takes any number of wallets. Rejects with ServiceError
 * (`invalid_request` with path `users` or `users[i]`, …), TransportError or WireFormatError.
 */
export function batchSpotClearinghouseState(
  client: Client,
  parameters: BatchSpotClearinghouseStateParameters,
  options?: QueryOptions,
): Promise<InfoResponse<'batchSpotClearinghouseState'>> {
  return askBatch(client, 'batchSpotClearinghouseState', schema, parameters, options);
}
