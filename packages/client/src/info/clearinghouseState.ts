import type { InfoAnswer } from '@l4desk/protocol';
import { clearinghouseState as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The perp account of one wallet on the canonical dex or on `dex`: margin in USD, positions with signed sizes in base
 * units. As the exchange answers it (D15). Costs 1 credit; from 26 wallets on `clearinghouseStates` is cheaper. Rejects with
 * ServiceError (`invalid_request` with path `user`, …), TransportError or WireFormatError.
 */
export async function clearinghouseState(
  client: Client,
  parameters: InfoParameters<'clearinghouseState'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'clearinghouseState'>> {
  const answer = await client.transport.query({ ...parameters, type: 'clearinghouseState' }, options);
  return checkedAnswer('clearinghouseState', schema, answer);
}
