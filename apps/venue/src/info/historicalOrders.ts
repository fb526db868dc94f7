import { z } from '@l4desk/protocol';
import { readRequest, user } from './fields.ts';
import type { InfoKind } from './kind.ts';

const request = z.object({ user });

/** A wallet's last 2000 order statuses, newest first: an order is there as often as it changed. The exchange knows no `limit` (D8). */
export const historicalOrders: InfoKind = {
  type: 'historicalOrders',
  weight: 20,
  itemsCost: true,
  answer: (body, exchange) => exchange.history(readRequest(request, body).user),
};
