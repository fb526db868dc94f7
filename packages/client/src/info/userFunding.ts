import type { InfoAnswer } from '@l4desk/protocol';
import { userFunding as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The funding payments of one wallet, oldest first, from `startTime` to `endTime` in ms, both included; `usdc` is negative
 * where the wallet paid. As the exchange answers it, at most 500 (D15). Costs 1 credit. Rejects with ServiceError
 * (`invalid_request` with path `user` or `endTime`, …), TransportError or WireFormatError.
 */
export async function userFunding(
  client: Client,
  parameters: InfoParameters<'userFunding'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'userFunding'>> {
  const answer = await client.transport.query({ ...parameters, type: 'userFunding' }, options);
  return checkedAnswer('userFunding', schema, answer);
}
