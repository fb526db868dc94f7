import { formatUnits } from '@l4desk/decimal';
import { type Side, z } from '@l4desk/protocol';
import type { MarketView } from './exchange.ts';
import { coin } from './fields.ts';
import { infoKind } from './kind.ts';

const LEVELS = 20;

/** The 20 best levels of each side, grouped to significant figures on request; null for an unknown coin. */
export const l2Book = infoKind({
  type: 'l2Book',
  weight: 2,
  request: z.object({
    coin,
    nSigFigs: z.int().min(2).max(5).nullish(),
    mantissa: z.union([z.literal(1), z.literal(2), z.literal(5)]).nullish(),
  }),
  respond(asked, exchange) {
    const { nSigFigs = null, mantissa = null } = asked;
    const market = exchange.market(asked.coin);
    if (market === null) return null;
    const group = (px: number) => (nSigFigs === null ? 1 : unitOf(px, nSigFigs) * (mantissa ?? 1));
    const levels = [levelsOf(market, 'B', group), levelsOf(market, 'A', group)];
    const spread = nSigFigs === null ? null : spreadOf(market);
    return { coin: asked.coin, time: exchange.time, levels, ...(spread === null ? {} : { spread }) };
  },
});

function levelsOf(market: MarketView, side: Side, group: (px: number) => number) {
  const { scale } = market;
  const levels: { px: number; lots: number; n: number }[] = [];
  for (const { px, lots, count } of market.depth(side)) {
    const unit = group(px);
    const grouped = side === 'B' ? px - (px % unit) : Math.ceil(px / unit) * unit;
    const last = levels.at(-1);
    if (last?.px === grouped) {
      last.lots += lots;
      last.n += count;
    } else if (levels.length === LEVELS) break;
    else levels.push({ px: grouped, lots, n: count });
  }
  return levels.map(({ px, lots, n }) => ({
    px: formatUnits(px, scale.pxDecimals, 1),
    sz: scale.size(lots),
    n,
  }));
}

/** Distance of the best prices, which are not grouped; null for an empty side. */
function spreadOf(market: MarketView): string | null {
  const [bid] = market.depth('B');
  const [ask] = market.depth('A');
  return bid === undefined || ask === undefined ? null : formatUnits(ask.px - bid.px, market.scale.pxDecimals, 1);
}

/** The distance in ticks between prices with this many significant figures. */
function unitOf(px: number, figures: number): number {
  let unit = 1;
  while (px / unit >= 10 ** figures) unit *= 10;
  return unit;
}
