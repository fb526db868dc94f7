import { type Address, type InfoResponse, perpAccountSlot as schema } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { askBatch } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';

/** Parameters of `batchClearinghouseState`. */
export interface BatchClearinghouseStateParameters {
  /** 1 to 50 wallets, in any letter case, counted before duplicates are removed. */
  readonly users: readonly Address[];
  /** A builder dex. Defaults to the canonical dex. */
  readonly dex?: string;
}

/**
 * Returns the perp accounts of 1 to 50 wallets in one call, on the canonical dex or on `dex` (D15). Slot i is the i-th wallet
 * after removing duplicates, ignoring letter case. A wallet that failed has an error slot and does not affect the others: check
 * `isErrorSlot` before reading a slot. Costs 25 credits, whatever the slots contain. `clearinghouseStates` takes any number of
 * wallets. Rejects with ServiceError (`invalid_request` with path `users` or `users[i]`, …), TransportError or WireFormatError.
 */
export function batchClearinghouseState(
  client: Client,
  parameters: BatchClearinghouseStateParameters,
  options?: QueryOptions,
): Promise<InfoResponse<'batchClearinghouseState'>> {
  return askBatch(client, 'batchClearinghouseState', schema, parameters, options);
}
