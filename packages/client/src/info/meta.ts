import type { InfoAnswer } from '@l4desk/protocol';
import { meta as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The perp assets of the canonical dex, or of the builder dex `dex`. Sizes have `szDecimals` decimals, prices at most
 * 6 − szDecimals. As the exchange answers it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export async function meta(
  client: Client,
  parameters: InfoParameters<'meta'> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'meta'>> {
  const answer = await client.transport.query({ ...parameters, type: 'meta' }, options);
  return checkedAnswer('meta', schema, answer);
}
