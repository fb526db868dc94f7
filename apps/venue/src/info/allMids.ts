import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { dex } from './fields.ts';
import { infoKind } from './kind.ts';
import { midPx } from './prices.ts';

/** The mid price of every coin that has one, by name. Spot pairs belong to the canonical dex. */
export const allMids = infoKind({
  type: 'allMids',
  weight: 2,
  request: z.object({ dex }),
  respond(asked, exchange) {
    if (asked.dex !== '' && !dexesOf(exchange.coins).includes(asked.dex)) return undefined;
    const perps = exchange.coins.filter((coin) => coinDex(coin.name) === asked.dex);
    const names = [...perps, ...(asked.dex === '' ? exchange.spotPairs : [])].map(({ name }) => name).sort();
    const mids = names.map((name) => {
      const market = exchange.market(name);
      return [name, market === null ? null : midPx(market)] as const;
    });
    return Object.fromEntries(mids.filter(([, mid]) => mid !== null));
  },
});
