import { decimalString, reportedDecimal } from '../primitives.ts';
import { z } from '../zod.ts';

/** A wallet's holding of one token (§2.1). `hold` is the part of `total` that is reserved for resting orders. */
export const spotBalance = z.looseObject({
  coin: z.string(),
  token: z.int(),
  total: decimalString,
  hold: decimalString,
  entryNtl: decimalString,
});

export type SpotBalance = z.infer<typeof spotBalance>;

/**
 * Response of `spotClearinghouseState`, one wallet's spot balances. `tokenToAvailableAfterMaintenance` pairs a token index with
 * an amount and is present only if some token has a nonzero one (BATCH-11).
 */
export const spotClearinghouseState = z.looseObject({
  balances: z.array(spotBalance),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.int(), decimalString])).optional(),
});

const passedBalance = spotBalance.extend({ total: reportedDecimal, hold: reportedDecimal, entryNtl: reportedDecimal });

/** The same as the service passes it on: a number may be any text (D46). */
export const passedSpotState = spotClearinghouseState.extend({
  balances: z.array(passedBalance),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.int(), reportedDecimal])).optional(),
});
