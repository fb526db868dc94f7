import { coinDex, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import type { Exchange } from './exchange.ts';
import { dex } from './fields.ts';
import { infoKind } from './kind.ts';
import { midPx } from './prices.ts';

export const allMids = infoKind({
  type: 'allMids',
  weight: 2,
  request: z.object({ dex }),
  respond: (asked, exchange) => midsOf(exchange, asked.dex),
});

/** The mid price of every coin that has one, by name. Spot pairs belong to the canonical dex. Undefined without this dex. */
export function midsOf(exchange: Exchange, of: string) {
  if (of !== '' && !dexesOf(exchange.coins).includes(of)) return undefined;
  const perps = exchange.coins.filter((coin) => coinDex(coin.name) === of);
  const names = [...perps, ...(of === '' ? exchange.spotPairs : [])].map(({ name }) => name).sort();
  const mids = names.map((name) => {
    const market = exchange.market(name);
    return [name, market === null ? null : midPx(market)] as const;
  });
  return Object.fromEntries(mids.filter(([, mid]) => mid !== null));
}
