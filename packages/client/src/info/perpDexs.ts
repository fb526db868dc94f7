import type { InfoAnswer } from '@l4desk/protocol';
import { perpDexs as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';

/**
 * The builder dexes; the first one is the canonical dex and null. As the exchange answers it (D15). Costs 1 credit.
 * Rejects with ServiceError, TransportError or WireFormatError.
 */
export async function perpDexs(
  client: Client,
  parameters: Readonly<Record<string, never>> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'perpDexs'>> {
  const answer = await client.transport.query({ ...parameters, type: 'perpDexs' }, options);
  return checkedAnswer('perpDexs', schema, answer);
}
