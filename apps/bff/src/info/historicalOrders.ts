import { INFO_KINDS, servedHistoricalOrders } from '@l4desk/protocol';
import type { InfoClient } from '../exchange/info-client.ts';
import { checkedKind } from './checked.ts';
import type { InfoKind } from './kind.ts';

/** A wallet's most recent orders (§4.3). The exchange has no `limit`, so it is applied here and not sent (D8). */
export const historicalOrders = (info: InfoClient): InfoKind =>
  checkedKind({
    ...INFO_KINDS.historicalOrders,
    type: 'historicalOrders',
    info,
    ask: ({ type, user }) => ({ type, user }),
    serve: (entries, { limit }) => servedHistoricalOrders(entries, limit),
  });
