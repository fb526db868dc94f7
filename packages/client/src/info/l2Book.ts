import type { InfoAnswer } from '@l4desk/protocol';
import { l2Book as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The aggregated book of one coin: bids, then asks, best first, at most 20 levels a side; null for a coin that the
 * exchange does not know. `nSigFigs` (2 to 5) groups prices, `mantissa` (2 or 5) with `nSigFigs` 5. As the exchange answers
 * it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export async function l2Book(
  client: Client,
  parameters: InfoParameters<'l2Book'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'l2Book'>> {
  const answer = await client.transport.query({ ...parameters, type: 'l2Book' }, options);
  return checkedAnswer('l2Book', schema, answer);
}
