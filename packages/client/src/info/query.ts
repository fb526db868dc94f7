import type { InfoResponse, MorePassedKind, z } from '@l4desk/protocol';
import { MORE_PASSED } from '@l4desk/protocol/upstream';
import type { Client } from '../client.ts';
import { askInfo } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

const RESPONSES: { readonly [Kind in MorePassedKind]: z.ZodType<InfoResponse<Kind>> } = MORE_PASSED;

/**
 * Queries a kind of the exchange that has no function of its own here, such as `userFills` or `candleSnapshot`. The response is
 * the exchange's, unchanged (D15); only the fields that identify its shape are checked. Costs 1 credit. Rejects with ServiceError
 * (`invalid_request` with the path of a field, …), TransportError or WireFormatError.
 */
export function query<Kind extends MorePassedKind>(
  client: Client,
  kind: Kind,
  parameters: InfoParameters<Kind>,
  options?: QueryOptions,
): Promise<InfoResponse<Kind>> {
  return askInfo(client, kind, RESPONSES[kind], parameters, options);
}
