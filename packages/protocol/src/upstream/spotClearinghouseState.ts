import { reportedAmount } from '../primitives.ts';
import { z } from '../zod.ts';

/**
 * A wallet's holding of one token (§2.1). `hold` is the part of `total` that is reserved. Outcome tokens (`+1230`, `o77`) have no
 * `token`, and mostly no `entryNtl` (D59).
 */
export const spotBalance = z.looseObject({
  coin: z.string().nullish(),
  token: z.int().nullish(),
  total: reportedAmount,
  hold: reportedAmount,
  entryNtl: reportedAmount,
});

export type SpotBalance = z.infer<typeof spotBalance>;

/**
 * Response of `spotClearinghouseState`, one wallet's spot balances. `tokenToAvailableAfterMaintenance` pairs a token index with
 * an amount and is present only if some token has a nonzero one (BATCH-11).
 */
export const spotClearinghouseState = z.looseObject({
  balances: z.array(spotBalance),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.int(), reportedAmount])).nullish(),
});
