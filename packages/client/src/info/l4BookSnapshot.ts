import { type DecodedSnapshot, decodeL4BookSnapshot, type L4BookSnapshotRequest } from '@l4desk/protocol';
import type { QueryOptions, Transport } from '../transport.ts';

/**
 * The whole order-level book of one perp coin: bids, then asks, best first, in queue order at a price; every diff up to
 * and including `height` applied (SNAP-2, SNAP-4). Costs 1 credit. Rejects with ServiceError (`unknown_coin`,
 * `unsupported_coin`, `book_not_ready`, …), TransportError or WireFormatError.
 */
export async function l4BookSnapshot(
  transport: Transport,
  request: Omit<L4BookSnapshotRequest, 'type'>,
  options?: QueryOptions,
): Promise<DecodedSnapshot> {
  const answer = await transport.query({ type: 'l4BookSnapshot', ...request }, options);
  return decodeL4BookSnapshot(answer, request.coin);
}
