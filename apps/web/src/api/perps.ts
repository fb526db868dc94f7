import { divide, subtract } from '@l4desk/decimal';
import { type DecimalString, isDecimalString } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { signedPercent } from '../ui/format.ts';

export type Market = MetaAndAssetCtxs[1][number];

/** Each perp of a response with its market; one without a market is left out. */
export function perpsOf([{ universe }, markets]: MetaAndAssetCtxs) {
  return universe.flatMap((perp, at) => {
    const market = markets[at];
    return market === undefined ? [] : [{ ...perp, market }];
  });
}

/** The mark price against that of 24 hours ago, in percent: `+1.25 %`; undefined for a coin without a price then. */
export function dayChange(market: Market): string | undefined {
  const change = dayChangeFraction(market);
  return change === undefined ? undefined : signedPercent(change);
}

/** The same as a fraction of the price of 24 hours ago: `0.0125`. */
export function dayChangeFraction({ markPx, prevDayPx }: Market): DecimalString | undefined {
  if (!isDecimalString(markPx) || !isDecimalString(prevDayPx)) return undefined;
  return divide(subtract(markPx, prevDayPx), prevDayPx, 4);
}
