import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

/** An address without balances and without a past is `missing`, as on the exchange. */
export const userRole = infoKind({
  type: 'userRole',
  weight: 60,
  request: z.object({ user }),
  respond(asked, exchange) {
    const master = exchange.masterOf(asked.user);
    if (master !== null) return { role: 'subAccount', data: { master } };
    const isKnown = exchange.spotBalances(asked.user).length > 0 || exchange.history(asked.user).length > 0;
    return { role: isKnown ? 'user' : 'missing' };
  },
});
