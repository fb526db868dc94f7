import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { dex, user } from './fields.ts';
import { infoKind } from './kind.ts';

/**
 * A wallet's resting orders on a dex, newest first. Spot orders belong to the canonical dex. `cloid` is omitted if the
 * order has none.
 */
export const openOrders = infoKind({
  type: 'openOrders',
  weight: 20,
  request: z.object({ user, dex }),
  respond(asked, exchange) {
    if (asked.dex !== '' && !dexesOf(exchange.coins).includes(asked.dex)) return undefined;
    return exchange
      .openOrders(asked.user)
      .filter(({ coin, isTrigger }) => !isTrigger && coinDex(coin) === asked.dex)
      .map(({ coin, side, limitPx, sz, oid, timestamp, origSz, reduceOnly, cloid }) => ({
        coin,
        side,
        limitPx,
        sz,
        oid,
        timestamp,
        origSz,
        ...(reduceOnly ? { reduceOnly } : {}),
        ...(cloid === null ? {} : { cloid }),
      }));
  },
});
