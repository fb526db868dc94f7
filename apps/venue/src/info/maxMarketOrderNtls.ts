import { infoKind } from './kind.ts';

/** The largest market order by the leverage a coin allows, from the highest down. */
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
