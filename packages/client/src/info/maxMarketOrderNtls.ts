import { type InfoAnswer, maxMarketOrderNtls as schema } from '@l4desk/protocol';
import { checkedAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';

/**
 * The largest market order the exchange takes, as `[maxLeverage, maxNotional]` with the notional in USD, the highest
 * leverage first (§4.4). The same for everybody. Costs 1 credit. Rejects with ServiceError, TransportError or
 * WireFormatError.
 */
export async function maxMarketOrderNtls(
  client: Client,
  parameters: Readonly<Record<string, never>> = {},
  options?: QueryOptions,
): Promise<InfoAnswer<'maxMarketOrderNtls'>> {
  const answer = await client.transport.query({ ...parameters, type: 'maxMarketOrderNtls' }, options);
  return checkedAnswer('maxMarketOrderNtls', schema, answer);
}
