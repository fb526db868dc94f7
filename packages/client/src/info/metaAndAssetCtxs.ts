import type { InfoAnswer } from '@l4desk/protocol';
import { metaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The perp assets and, at the same index, the market of each: mark, funding, volume. `dex` names a builder dex. As the
 * exchange answers it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export async function metaAndAssetCtxs(
  client: Client,
  parameters: InfoParameters<'metaAndAssetCtxs'> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'metaAndAssetCtxs'>> {
  const answer = await client.transport.query({ ...parameters, type: 'metaAndAssetCtxs' }, options);
  return checkedAnswer('metaAndAssetCtxs', schema, answer);
}
