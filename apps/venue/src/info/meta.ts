import { coinDex, z } from '@l4desk/protocol';
import type { ListedCoin } from '../feed/source.ts';
import { dexesOf } from '../market/catalogue.ts';
import type { Exchange } from './exchange.ts';
import { dex } from './fields.ts';
import { infoKind } from './kind.ts';

/** Margin tables as the exchange lists them, with the tier from which a lower leverage applies. */
const MARGIN_TABLES = [
  [51, tiered('tiered 10x', 10, '3000000.0', 5)],
  [52, tiered('tiered 10x (2)', 10, '20000000.0', 5)],
  [53, tiered('tiered 20x', 20, '40000000.0', 10)],
  [54, tiered('tiered 20x (2)', 20, '70000000.0', 10)],
  [55, tiered('tiered 25x', 25, '100000000.0', 15)],
  [56, tiered('tiered 40x', 40, '150000000.0', 20)],
] as const;

/** The perps of a dex; an absent dex means the canonical one. */
export const meta = infoKind({
  type: 'meta',
  weight: 20,
  request: z.object({ dex }),
  respond: (asked, exchange) => metaOf(exchange, asked.dex),
});

/** Returns undefined for an unknown dex. */
export function metaOf({ coins, delisted }: Exchange, name: string): object | undefined {
  if (name !== '' && !dexesOf(coins).includes(name)) return undefined;
  return {
    universe: [
      ...ofDex(coins, name).map(assetOf),
      ...ofDex(delisted, name).map((coin) => ({ ...assetOf(coin), isDelisted: true })),
    ],
    marginTables: MARGIN_TABLES,
    collateralToken: 0,
  };
}

/** The coins of a dex, in listing order. */
export function ofDex<Coin extends ListedCoin>(coins: readonly Coin[], dex: string): readonly Coin[] {
  return coins.filter((coin) => coinDex(coin.name) === dex);
}

function assetOf({ szDecimals, name, maxLeverage, marginTableId }: ListedCoin) {
  return { szDecimals, name, maxLeverage, marginTableId };
}

function tiered(description: string, leverage: number, lowerBound: string, leverageAbove: number) {
  return {
    description,
    marginTiers: [
      { lowerBound: '0.0', maxLeverage: leverage },
      { lowerBound, maxLeverage: leverageAbove },
    ],
  };
}
