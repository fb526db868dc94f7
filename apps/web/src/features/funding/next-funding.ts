import type { InfoResponse } from '@l4desk/protocol';

/** The exchange's own name among those whose fundings it predicts. */
const OWN = 'HlPerp';

/** When each perp is funded next, ms, as far as the exchange says. */
export function nextFundings(predicted: InfoResponse<'predictedFundings'>): ReadonlyMap<string, number> {
  return new Map(
    predicted.flatMap(([coin, exchanges]) => {
      const at = exchanges.find(([name]) => name === OWN)?.[1]?.['nextFundingTime'];
      return typeof at === 'number' ? [[coin, at] as const] : [];
    }),
  );
}
