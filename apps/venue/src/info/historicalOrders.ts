import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

/** A wallet's last 2000 order statuses, newest first: one entry per status change. The exchange has no `limit` (D8). */
export const historicalOrders = infoKind({
  type: 'historicalOrders',
  weight: 20,
  itemsCost: true,
  request: z.object({ user }),
  respond: ({ user: of }, exchange) => exchange.history(of),
});
