import type { InfoAnswer } from '@l4desk/protocol';
import { spotClearinghouseState as schema } from '@l4desk/protocol/upstream';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

/**
 * The spot balances of one wallet, as the exchange answers them (D15). Costs 1 credit; from 26 wallets on
 * `spotClearinghouseStates` is cheaper. Rejects with ServiceError (`invalid_request` with path `user`, …), TransportError or
 * WireFormatError.
 */
export async function spotClearinghouseState(
  client: Client,
  parameters: InfoParameters<'spotClearinghouseState'>,
  options?: QueryOptions,
): Promise<InfoAnswer<'spotClearinghouseState'>> {
  const answer = await client.transport.query({ ...parameters, type: 'spotClearinghouseState' }, options);
  return checkedAnswer('spotClearinghouseState', schema, answer);
}
