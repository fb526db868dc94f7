import type { SpotPair } from '../market/spot-catalogue.ts';
import type { Exchange } from './exchange.ts';
import { infoKind } from './kind.ts';
import { midPx } from './prices.ts';
import { spotMetaOf } from './spotMeta.ts';

/** `spotMeta`, and the state of each pair's market. */
export const spotMetaAndAssetCtxs = infoKind({
  type: 'spotMetaAndAssetCtxs',
  weight: 20,
  respond: (_body, exchange) => [spotMetaOf(exchange), exchange.spotPairs.map((pair) => contextOf(exchange, pair))],
});

function contextOf(exchange: Exchange, { name, base }: SpotPair) {
  const market = exchange.market(name);
  if (market === null) throw new Error(`no market of ${name}`);
  const { scale, mark } = market;
  return {
    prevDayPx: scale.price(market.prevDayPx),
    dayNtlVlm: scale.money(market.volume.notional),
    markPx: scale.price(scale.snap(mark, 'down')),
    midPx: midPx(market),
    circulatingSupply: base.supply,
    coin: name,
    totalSupply: base.supply,
    dayBaseVlm: scale.size(market.volume.lots),
  };
}
