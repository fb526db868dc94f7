import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';

/** Each perp of a response with its market; one without a market is left out. */
export function perpsOf([{ universe }, markets]: MetaAndAssetCtxs) {
  return universe.flatMap((perp, at) => {
    const market = markets[at];
    return market === undefined ? [] : [{ ...perp, market }];
  });
}
