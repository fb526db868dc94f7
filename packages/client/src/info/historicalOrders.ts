import { type InfoAnswer, historicalOrders as schema } from '@l4desk/protocol';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * A wallet's most recent orders over all coins, open and finalized (§4.3): at most `limit`, a whole number from 1, 2,000
 * when it is left out or larger. One oid may occur twice, as it was and as it is (D17); `statusTimestamp` in ms. Costs 1
 * credit. Rejects with ServiceError (`invalid_request` with path `user` or `limit`, …), TransportError or WireFormatError.
 */
export async function historicalOrders(
  client: Client,
  parameters: InfoParameters<'historicalOrders'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'historicalOrders'>> {
  const answer = await client.transport.query({ ...parameters, type: 'historicalOrders' }, options);
  return checkedAnswer('historicalOrders', schema, answer);
}
