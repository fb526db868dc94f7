import { type InfoResponse, PASSED_KINDS, type PassThroughKind, type z } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { askInfo } from '../info-function.ts';
import type { QueryOptions } from '../transport.ts';
import type { InfoParameters } from './parameters.ts';

const KINDS: { readonly [Kind in PassThroughKind]: { readonly response: z.ZodType<InfoResponse<Kind>> } } =
  PASSED_KINDS;

/**
 * Queries a kind of the exchange that has no function of its own here, such as `userFills` or `candleSnapshot`. The response is
 * the exchange's, unchanged (D15); only the fields that identify its shape are checked. Costs 1 credit. Rejects with ServiceError
 * (`invalid_request` with the path of a field, …), TransportError or WireFormatError.
 */
export function query<Kind extends PassThroughKind>(
  client: Client,
  kind: Kind,
  parameters: InfoParameters<Kind>,
  options?: QueryOptions,
): Promise<InfoResponse<Kind>> {
  return askInfo(client, kind, KINDS[kind].response, parameters, options);
}
