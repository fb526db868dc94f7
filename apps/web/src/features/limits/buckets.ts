import { compare, subtract } from '@l4desk/decimal';
import type { DecimalString, MaxMarketOrderNtl } from '@l4desk/protocol';

/** The leverages above `above`, up to and including `maxLeverage`, and their largest market order. */
export interface Bucket {
  readonly maxLeverage: number;
  /** The highest leverage of the bucket below; 0 for the lowest bucket. */
  readonly above: number;
  readonly maxNotional: DecimalString;
}

/** The buckets of a response in its order, each with the leverage it starts above. */
export function bucketsOf(response: readonly MaxMarketOrderNtl[]): readonly Bucket[] {
  return response.map(([maxLeverage, maxNotional]) => {
    const lower = response.map(([leverage]) => leverage).filter((leverage) => leverage < maxLeverage);
    return { maxLeverage, above: Math.max(0, ...lower), maxNotional };
  });
}

/** The limit at one leverage. */
export type LimitAt =
  | {
      readonly kind: 'bucket';
      readonly bucket: Bucket;
      /** If the leverage is between two listed ones: the bucket that ends below it, if its limit differs. */
      readonly below: Bucket | undefined;
    }
  /** Above the highest bucket; the response has no limit for it. */
  | { readonly kind: 'beyond'; readonly highest: Bucket }
  | { readonly kind: 'none' };

/** Finds the lowest bucket whose highest leverage is at least this one; there is none above the highest (NTL-2). */
export function limitAt(buckets: readonly Bucket[], leverage: number): LimitAt {
  const rising = [...buckets].sort((a, b) => a.maxLeverage - b.maxLeverage);
  const highest = rising.at(-1);
  if (highest === undefined) return { kind: 'none' };
  const bucket = rising.find(({ maxLeverage }) => maxLeverage >= leverage);
  if (bucket === undefined) return { kind: 'beyond', highest };
  const lower = rising.findLast(({ maxLeverage }) => maxLeverage < leverage);
  const differs = lower !== undefined && compare(lower.maxNotional, bucket.maxNotional) !== 0;
  return { kind: 'bucket', bucket, below: bucket.maxLeverage !== leverage && differs ? lower : undefined };
}

/** How far a notional exceeds the bucket's largest market order; undefined if it does not. */
export function overBy(bucket: Bucket, notional: DecimalString): DecimalString | undefined {
  return compare(notional, bucket.maxNotional) > 0 ? subtract(notional, bucket.maxNotional) : undefined;
}
