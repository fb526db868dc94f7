import { z } from '@l4desk/protocol';
import type { DelistedListing } from '../market/delisted.ts';
import { formatRate, HOUR_MS, RATE_ONE } from '../market/funding.ts';
import type { Exchange } from './exchange.ts';
import { dex } from './fields.ts';
import { infoKind } from './kind.ts';
import { metaOf, ofDex } from './meta.ts';
import { bestOf, midPx } from './prices.ts';

/** `meta`, and for each asset of its universe, at the same index, the state of its market. */
export const metaAndAssetCtxs = infoKind({
  type: 'metaAndAssetCtxs',
  weight: 20,
  request: z.object({ dex }),
  respond(asked, exchange) {
    const meta = metaOf(exchange, asked.dex);
    if (meta === undefined) return undefined;
    return [
      meta,
      [
        ...ofDex(exchange.coins, asked.dex).map((coin) => contextOf(exchange, coin.name)),
        ...ofDex(exchange.delisted, asked.dex).map(delistedContext),
      ],
    ];
  },
});

/** The state of a listed perp's market. */
export function contextOf(exchange: Exchange, coin: string) {
  const market = exchange.market(coin);
  if (market === null) throw new Error(`no market of ${coin}`);
  const { scale, mark } = market;
  const best = bestOf(market);
  const current = exchange.funding(coin)?.at(Math.ceil(exchange.time / HOUR_MS));
  // The mark is above the oracle price by the premium.
  const oraclePx = mark - Math.floor(Number((BigInt(mark) * BigInt(current?.premium ?? 0)) / BigInt(RATE_ONE)));
  return {
    funding: formatRate(current?.rate ?? 0),
    openInterest: scale.size(market.openInterest),
    prevDayPx: scale.price(market.prevDayPx),
    dayNtlVlm: scale.money(market.volume.notional),
    premium: best === null || typeof current?.premium !== 'number' ? null : formatRate(current.premium),
    oraclePx: scale.price(scale.snap(oraclePx, 'down')),
    markPx: scale.price(mark === 0 ? 0 : scale.snap(mark, 'down')),
    midPx: midPx(market),
    impactPxs: best === null ? null : [scale.price(best.bid), scale.price(best.ask)],
    dayBaseVlm: scale.size(market.volume.lots),
  };
}

function delistedContext({ markPx }: DelistedListing) {
  return {
    funding: '0.0',
    openInterest: '0.0',
    prevDayPx: markPx,
    dayNtlVlm: '0.0',
    premium: null,
    oraclePx: markPx,
    markPx,
    midPx: null,
    impactPxs: null,
    dayBaseVlm: '0.0',
  };
}
