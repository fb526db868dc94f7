import {
  type ErrorSlot,
  errorSlot,
  fits,
  type InfoKind,
  type InfoResponse,
  isAddress,
  isObject,
  lowerCaseAddress,
  WireFormatError,
  type z,
} from '@l4desk/protocol';
import { checkedResponse } from './checked-response.ts';
import type { Client } from './client.ts';
import type { InfoParameters } from './info/parameters.ts';
import type { QueryOptions } from './transport.ts';

/** The function of a query kind. */
export type InfoFunction<Kind extends InfoKind> = (
  client: Client,
  parameters: InfoParameters<Kind>,
  options?: QueryOptions,
) => Promise<InfoResponse<Kind>>;

/** The function of a query kind whose parameters are all optional. */
export type OptionalInfoFunction<Kind extends InfoKind> = (
  client: Client,
  parameters?: keyof InfoParameters<Kind> extends never ? Readonly<Record<string, never>> : InfoParameters<Kind>,
  options?: QueryOptions,
) => Promise<InfoResponse<Kind>>;

/** Sends one query and checks that the response has the shape of its kind. */
export async function askInfo<Kind extends InfoKind>(
  client: Client,
  kind: Kind,
  schema: z.ZodType<InfoResponse<Kind>>,
  parameters: object,
  options: QueryOptions | undefined,
): Promise<InfoResponse<Kind>> {
  const response = await client.transport.query({ ...parameters, type: kind }, options);
  return checkedResponse<z.ZodType<InfoResponse<Kind>>>(kind, schema, response);
}

/** Returns the function of a kind, given the schema of its response. */
export function infoFunction<Kind extends InfoKind>(
  kind: Kind,
  schema: z.ZodType<InfoResponse<Kind>>,
): InfoFunction<Kind> {
  return (client, parameters, options) => askInfo(client, kind, schema, parameters, options);
}

/** Like `infoFunction`, for a kind whose parameters are all optional. */
export function optionalInfoFunction<Kind extends InfoKind>(
  kind: Kind,
  schema: z.ZodType<InfoResponse<Kind>>,
): OptionalInfoFunction<Kind> {
  return (client, parameters, options) => askInfo(client, kind, schema, parameters ?? {}, options);
}

/**
 * Returns the function of a kind that lists orders, given the schema of one row. A row that cannot be read is left out and
 * reported to `onUnreadableRow`, so the others are kept (D59). If no row can be read, the call rejects.
 */
export function orderListFunction<Kind extends 'openOrders' | 'frontendOpenOrders' | 'historicalOrders'>(
  kind: Kind,
  schema: z.ZodType<InfoResponse<Kind>[number]>,
): InfoFunction<Kind> {
  return async (client, parameters, options) => {
    const rows = await client.transport.query({ ...parameters, type: kind }, options);
    if (!Array.isArray(rows)) throw new WireFormatError(kind, 'must be an array');
    const errors: WireFormatError[] = [];
    const orders = rows.flatMap((row: unknown, at) => {
      try {
        return [checkedResponse(`${kind}[${at}]`, schema, row)];
      } catch (error) {
        if (!(error instanceof WireFormatError)) throw error;
        errors.push(error);
        return [];
      }
    });
    const [first] = errors;
    if (first !== undefined && orders.length === 0) throw first;
    for (const error of errors) options?.onUnreadableRow?.(error);
    return orders as InfoResponse<Kind>;
  };
}

/** Sends one batch query. A slot that does not have the shape of `schema` is that wallet's error slot, and fails no other (D59). */
export async function askBatch<Slot>(
  client: Client,
  kind: 'batchSpotClearinghouseState' | 'batchClearinghouseState',
  schema: z.ZodType<Slot>,
  parameters: object,
  options: QueryOptions | undefined,
): Promise<(ErrorSlot | Slot)[]> {
  const slots = await client.transport.query({ ...parameters, type: kind }, options);
  if (!Array.isArray(slots)) throw new WireFormatError(kind, 'must be an array');
  return slots.map((slot: unknown, at) => {
    if (fits(errorSlot, slot)) return slot;
    try {
      return checkedResponse(`${kind}[${at}]`, schema, slot);
    } catch (error) {
      if (!(error instanceof WireFormatError) || !isObject(slot) || !isAddress(slot.user)) throw error;
      return {
        error: 'upstream_error',
        user: lowerCaseAddress(slot.user),
        message: `upstream_error: ${error.message}`,
      };
    }
  });
}
