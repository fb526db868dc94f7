import type { InfoAnswer } from '@l4desk/protocol';
import { frontendOpenOrders as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The resting orders and waiting triggers of one wallet with all that is known of each, on the canonical perp dex or on
 * `dex`. As the exchange answers it (D15). Costs 1 credit. Rejects with ServiceError (`invalid_request` with path `user`, …),
 * TransportError or WireFormatError.
 */
export async function frontendOpenOrders(
  client: Client,
  parameters: InfoParameters<'frontendOpenOrders'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'frontendOpenOrders'>> {
  const answer = await client.transport.query({ ...parameters, type: 'frontendOpenOrders' }, options);
  return checkedAnswer('frontendOpenOrders', schema, answer);
}
