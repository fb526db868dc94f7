import { type InfoAnswer, openOrders as schema } from '@l4desk/protocol';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The resting orders of one wallet (§4.2), on the canonical perp dex or on the builder dex `dex`; empty when there is
 * none. Prices in quote units, sizes in base units, `timestamp` in ms. `user` comes in any letter case. Costs 1 credit.
 * Rejects with ServiceError (`invalid_request` with path `user`, `upstream_error`, …), TransportError or WireFormatError.
 */
export async function openOrders(
  client: Client,
  parameters: InfoParameters<'openOrders'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'openOrders'>> {
  const answer = await client.transport.query({ ...parameters, type: 'openOrders' }, options);
  return checkedAnswer('openOrders', schema, answer);
}
