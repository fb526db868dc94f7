import { INFO_KINDS, servedHistoricalOrders } from '@l4desk/protocol';
import { type CheckedDeps, checkedKind } from './checked.ts';
import type { InfoKind } from './kind.ts';

/** A wallet's most recent orders (§4.3). The exchange has no `limit`, so it is applied here and not sent (D8). */
export const historicalOrders = (deps: CheckedDeps): InfoKind =>
  checkedKind({
    ...INFO_KINDS.historicalOrders,
    type: 'historicalOrders',
    ...deps,
    ask: ({ type, user }) => ({ type, user }),
    serve: (entries, { limit }) => servedHistoricalOrders(entries, limit),
  });
