import type { InfoAnswer } from '@l4desk/protocol';
import { allMids as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The mid price of every coin that has one, by its name; spot pairs are named `@<N>`. `dex` names a builder dex. As the
 * exchange answers it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export async function allMids(
  client: Client,
  parameters: InfoParameters<'allMids'> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'allMids'>> {
  const answer = await client.transport.query({ ...parameters, type: 'allMids' }, options);
  return checkedAnswer('allMids', schema, answer);
}
