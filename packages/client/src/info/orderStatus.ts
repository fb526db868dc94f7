import type { InfoAnswer } from '@l4desk/protocol';
import { orderStatusAnswer as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * One order of a wallet, by its oid or by the client order id it was placed with (`0x` and 32 hexadecimal digits):
 * `status` is `order` when it was found, else a word such as `unknownOid`. As the exchange answers it (D15). Costs 1 credit.
 * Rejects with ServiceError (`invalid_request` with path `user` or `oid`, …), TransportError or WireFormatError.
 */
export async function orderStatus(
  client: Client,
  parameters: InfoParameters<'orderStatus'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'orderStatus'>> {
  const answer = await client.transport.query({ ...parameters, type: 'orderStatus' }, options);
  return checkedAnswer('orderStatus', schema, answer);
}
