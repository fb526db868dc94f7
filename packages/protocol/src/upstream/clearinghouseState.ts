import { coinName, decimalString, millis, reportedDecimal } from '../primitives.ts';
import { z } from '../zod.ts';

/** Sums over a wallet's perp account, in USD. */
export const marginSummary = z.looseObject({
  accountValue: decimalString,
  totalNtlPos: decimalString,
  totalRawUsd: decimalString,
  totalMarginUsed: decimalString,
});

/** One open position; `szi` is its size, negative when short. */
export const assetPosition = z.looseObject({
  position: z.looseObject({ coin: coinName, szi: decimalString }),
});

/** Response of `clearinghouseState`, one wallet's perp account. */
export const clearinghouseState = z.looseObject({
  marginSummary,
  crossMarginSummary: marginSummary,
  withdrawable: decimalString,
  assetPositions: z.array(assetPosition),
  time: millis,
});

const passedSummary = z.looseObject({
  accountValue: reportedDecimal,
  totalNtlPos: reportedDecimal,
  totalRawUsd: reportedDecimal,
  totalMarginUsed: reportedDecimal,
});

/** The same as the service passes it on: a number may be any text (D46). */
export const passedPerpState = clearinghouseState.extend({
  marginSummary: passedSummary,
  crossMarginSummary: passedSummary,
  withdrawable: reportedDecimal,
  assetPositions: z.array(z.looseObject({ position: z.looseObject({ coin: coinName, szi: reportedDecimal }) })),
});
