import { coinName, decimalString, millis } from '../primitives.ts';
import { z } from '../zod.ts';

/** One funding payment of one wallet; `usdc` is negative when the wallet paid. */
export const userFundingEntry = z.looseObject({
  time: millis,
  hash: z.string(),
  delta: z.looseObject({
    type: z.string(),
    coin: coinName,
    usdc: decimalString,
    szi: decimalString,
    fundingRate: decimalString,
  }),
});

/** Response of `userFunding`, oldest first. */
export const userFunding = z.array(userFundingEntry);
