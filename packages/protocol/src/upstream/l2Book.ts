import { coinName, decimalString, millis } from '../primitives.ts';
import { z } from '../zod.ts';

/** One aggregated price level: total size of `n` orders. */
export const l2Level = z.looseObject({ px: decimalString, sz: decimalString, n: z.int().nonnegative() });

/** Response of `l2Book`: bids, then asks, best first; null for a coin that the exchange does not know. */
export const l2Book = z
  .looseObject({
    coin: coinName,
    time: millis,
    levels: z.tuple([z.array(l2Level), z.array(l2Level)]),
  })
  .nullable();
