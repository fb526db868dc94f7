import { infoKind } from './kind.ts';

/** The maximum notional of a market order by the coin's maximum leverage, highest first. */
const BUCKETS = [
  [40, '15000000.0'],
  [25, '15000000.0'],
  [20, '5000000.0'],
  [10, '2000000.0'],
  [5, '500000.0'],
  [3, '500000.0'],
] as const;

export const maxMarketOrderNtls = infoKind({
  type: 'maxMarketOrderNtls',
  weight: 20,
  respond: () => BUCKETS,
});
