import { coinName, millis, reportedAmount } from '../primitives.ts';
import { z } from '../zod.ts';

/** Sums over a wallet's perp account, in USD. */
export const marginSummary = z.looseObject({
  accountValue: reportedAmount,
  totalNtlPos: reportedAmount,
  totalRawUsd: reportedAmount,
  totalMarginUsed: reportedAmount,
});

/** One open position; `szi` is its size, negative when short. */
export const assetPosition = z.looseObject({
  position: z.looseObject({ coin: coinName, szi: reportedAmount }),
});

/** Response of `clearinghouseState`, one wallet's perp account. */
export const clearinghouseState = z.looseObject({
  marginSummary,
  crossMarginSummary: marginSummary,
  withdrawable: reportedAmount,
  assetPositions: z.array(assetPosition),
  time: millis,
});
