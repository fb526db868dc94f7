import { decimalString } from '../primitives.ts';
import { z } from '../zod.ts';

/** Requests the largest market orders that the exchange accepts. The query is global and has no other fields (§4.4). */
export const maxMarketOrderNtlsRequest = z.object({ type: z.literal('maxMarketOrderNtls') });

/** The highest leverage of a bucket and its largest market order, in USD (§2.4). */
export const maxMarketOrderNtl = z
  .tuple([z.int().positive(), decimalString])
  .meta({ id: 'MaxMarketOrderNtl', description: '[maxLeverage, maxNotional]', example: [40, '15000000.0'] });

export type MaxMarketOrderNtl = z.infer<typeof maxMarketOrderNtl>;

/** Response of `maxMarketOrderNtls`, the highest leverage first (§4.4). */
export const maxMarketOrderNtls = z.array(maxMarketOrderNtl);

/** The buckets, highest leverage first: the same array if they were sorted, undefined if one has no leverage. */
export function servedMaxMarketOrderNtls(buckets: readonly unknown[]): readonly unknown[] | undefined {
  if (!buckets.every(hasLeverage)) return undefined;
  const isSorted = buckets.every(
    ([leverage], index) => index === 0 || leverage <= (buckets[index - 1]?.[0] ?? leverage),
  );
  return isSorted ? buckets : [...buckets].sort(([a], [b]) => b - a);
}

function hasLeverage(bucket: unknown): bucket is readonly [number, ...unknown[]] {
  return Array.isArray(bucket) && typeof bucket[0] === 'number';
}
