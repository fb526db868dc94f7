import { type Address, type InfoResponse, batchClearinghouseState as schema } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { askInfo } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';

/** Whose accounts `batchClearinghouseState` asks for. */
export interface BatchClearinghouseStateParameters {
  /** 1 to 50 wallets, in any letter case, counted before duplicates are removed. */
  readonly users: readonly Address[];
  /** A builder dex; left out: the canonical one. */
  readonly dex?: string;
}

/**
 * The perp accounts of 1 to 50 wallets in one call on the canonical dex or on `dex` (D15): slot i is the i-th wallet after duplicates were
 * removed, whatever their letter case. A wallet that failed has an error slot, the others are not affected: ask `isErrorSlot`
 * before anything else is read. Costs 25 credits, whatever the slots. `clearinghouseStates` takes any number of wallets.
 * Rejects with ServiceError (`invalid_request` with path `users` or `users[i]`, …), TransportError or WireFormatError.
 */
export function batchClearinghouseState(
  client: Client,
  parameters: BatchClearinghouseStateParameters,
  options?: QueryOptions,
): Promise<InfoResponse<'batchClearinghouseState'>> {
  return askInfo(client, 'batchClearinghouseState', schema, parameters, options);
}
