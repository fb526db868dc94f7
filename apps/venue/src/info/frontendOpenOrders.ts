import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { dex, user } from './fields.ts';
import { infoKind } from './kind.ts';

/**
 * Resting orders and waiting triggers with every field, newest first. A leg appears in the list and in its parent's
 * `children`.
 */
export const frontendOpenOrders = infoKind({
  type: 'frontendOpenOrders',
  weight: 20,
  request: z.object({ user, dex }),
  respond(asked, exchange) {
    if (asked.dex !== '' && !dexesOf(exchange.coins).includes(asked.dex)) return undefined;
    return exchange.openOrders(asked.user).filter(({ coin }) => coinDex(coin) === asked.dex);
  },
});
