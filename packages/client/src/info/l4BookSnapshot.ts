import { type DecodedSnapshot, decodeL4BookSnapshot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * Returns the whole order-level book of one perp coin: bids, then asks, best first, in queue order within a price. It includes
 * every diff up to and including `height` (SNAP-2, SNAP-4). Costs 1 credit. Rejects with ServiceError (`unknown_coin`,
 * `unsupported_coin`, `book_not_ready`, …), TransportError or WireFormatError.
 */
export async function l4BookSnapshot(
  client: Client,
  parameters: InfoParameters<'l4BookSnapshot'>,
  options?: QueryOptions,
): Promise<DecodedSnapshot> {
  const response = await client.transport.query({ ...parameters, type: 'l4BookSnapshot' }, options);
  return decodeL4BookSnapshot(response, parameters.coin);
}
