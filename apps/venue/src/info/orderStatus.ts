import { z } from '@l4desk/protocol';
import { readRequest, user } from './fields.ts';
import type { InfoKind } from './kind.ts';

const cloid = z
  .string()
  .regex(/^0x[0-9a-fA-F]{32}$/)
  .transform((text) => text.toLowerCase());

const request = z.object({ user, oid: z.union([z.int().nonnegative(), cloid]) });

/** How one order of a wallet stands, by oid or client order id. */
export const orderStatus: InfoKind = {
  type: 'orderStatus',
  weight: 2,
  answer(body, exchange) {
    const asked = readRequest(request, body);
    const order = exchange.findOrder(asked.user, asked.oid);
    return order === null ? { status: 'unknownOid' } : { status: 'order', order };
  },
};
