import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { dex, readRequest, user } from './fields.ts';
import type { InfoKind } from './kind.ts';

const request = z.object({ user, dex });

/** Resting orders and waiting triggers with every field, newest first. A leg stands in the list and among its parent's `children`. */
export const frontendOpenOrders: InfoKind = {
  type: 'frontendOpenOrders',
  weight: 20,
  answer(body, exchange) {
    const asked = readRequest(request, body);
    if (asked.dex !== '' && !dexesOf(exchange.coins).includes(asked.dex)) return undefined;
    return exchange.openOrders(asked.user).filter(({ coin }) => coinDex(coin) === asked.dex);
  },
};
