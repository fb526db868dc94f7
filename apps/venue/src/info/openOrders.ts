import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { dex, readRequest, user } from './fields.ts';
import type { InfoKind } from './kind.ts';

const request = z.object({ user, dex });

/** A wallet's resting orders on a dex, newest first; those on spot are with the canonical one. `cloid` is left out where there is none. */
export const openOrders: InfoKind = {
  type: 'openOrders',
  weight: 20,
  answer(body, exchange) {
    const asked = readRequest(request, body);
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
};
