import { reportedAmount } from '../primitives.ts';
import { z } from '../zod.ts';

/** A holding of one token (§2.1). Outcome tokens (`+1230`, `o77`) have no `token`, and mostly no `entryNtl` (D59). */
export const spotBalance = z.looseObject({
  coin: z.string().nullish(),
  token: z.int().nullish(),
  total: reportedAmount,
  hold: reportedAmount,
  entryNtl: reportedAmount,
});

export type SpotBalance = z.infer<typeof spotBalance>;

/**
 * One wallet's spot balances. `tokenToAvailableAfterMaintenance` is present only if a token has a nonzero amount
 * (BATCH-11).
 */
export const spotClearinghouseState = z.looseObject({
  balances: z.array(spotBalance),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.int(), reportedAmount])).nullish(),
});
