import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

const cloid = z
  .string()
  .regex(/^0x[0-9a-fA-F]{32}$/)
  .transform((text) => text.toLowerCase());

/** The current status of one order of a wallet, by oid or client order id. */
export const orderStatus = infoKind({
  type: 'orderStatus',
  weight: 2,
  request: z.object({ user, oid: z.union([z.int().nonnegative(), cloid]) }),
  respond(asked, exchange) {
    const order = exchange.findOrder(asked.user, asked.oid);
    return order === null ? { status: 'unknownOid' } : { status: 'order', order };
  },
});
