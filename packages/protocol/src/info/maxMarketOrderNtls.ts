import { decimalString, reportedDecimal } from '../primitives.ts';
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

const passedBucket = z.tuple([z.int().positive(), reportedDecimal]);

type PassedBucket = z.infer<typeof passedBucket>;

/** The exchange's response as the service passes it on: a number may be any text (D46). */
export const passedMaxMarketOrderNtls = z.array(passedBucket);

/** The buckets from the highest leverage to the lowest. Returns the same array if they were sorted already. */
export function servedMaxMarketOrderNtls(buckets: readonly PassedBucket[]): readonly PassedBucket[] {
  const sorted = buckets.every(([leverage], index) => index === 0 || leverage <= (buckets[index - 1]?.[0] ?? leverage));
  return sorted ? buckets : [...buckets].sort(([a], [b]) => b - a);
}
