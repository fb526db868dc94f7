import type { InfoAnswer } from '@l4desk/protocol';
import { spotMetaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';

/**
 * The spot pairs and tokens with their markets, as the exchange answers them (D15). Costs 1 credit. Rejects with
 * ServiceError, TransportError or WireFormatError.
 */
export async function spotMetaAndAssetCtxs(
  client: Client,
  parameters: Readonly<Record<string, never>> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'spotMetaAndAssetCtxs'>> {
  const answer = await client.transport.query({ ...parameters, type: 'spotMetaAndAssetCtxs' }, options);
  return checkedAnswer('spotMetaAndAssetCtxs', schema, answer);
}
