import { coinName, decimalString, millis, reportedAmount, side } from '../primitives.ts';
import { z } from '../zod.ts';

/** Response of `allMids`: the mid price of every coin that has one, spot pairs as `@<N>`. */
export const allMids = z.record(z.string(), decimalString);

/** Response of `exchangeStatus`: the time of the state that the upstream serves. */
export const exchangeStatus = z.looseObject({ time: millis });

/** One perp asset. Sizes of the coin have `szDecimals` decimals, prices at most 6 − szDecimals. */
export const metaAsset = z.looseObject({
  name: coinName,
  szDecimals: z.int().min(0).max(12),
  maxLeverage: z.int().positive(),
  isDelisted: z.boolean().nullish(),
});

export type MetaAsset = z.infer<typeof metaAsset>;

/** Response of `meta`. */
export const meta = z.looseObject({ universe: z.array(metaAsset) });

/** Response of `perpDexs`: the canonical dex comes first and is null. */
export const perpDexs = z.array(z.looseObject({ name: z.string().min(1) }).nullable());

/** The market of one perp, at the same index as its asset in `universe`. Without orders there is no mid and no premium. */
export const perpAssetCtx = z.looseObject({
  funding: decimalString,
  openInterest: decimalString,
  prevDayPx: decimalString,
  dayNtlVlm: decimalString,
  oraclePx: decimalString,
  markPx: decimalString,
  midPx: decimalString.nullish(),
  premium: decimalString.nullish(),
});

/** Response of `metaAndAssetCtxs`. */
export const metaAndAssetCtxs = z.tuple([meta, z.array(perpAssetCtx)]);

export type MetaAndAssetCtxs = z.infer<typeof metaAndAssetCtxs>;

/** A spot pair: base and quote token by index. Orders name it `@<index>`, a canonical one by its `name`. */
export const spotPair = z.looseObject({
  name: z.string().min(1),
  tokens: z.array(z.int().nonnegative()),
  index: z.int().nonnegative(),
  isCanonical: z.boolean(),
});

export type SpotPair = z.infer<typeof spotPair>;

/** A token. Sizes have `szDecimals` decimals, prices at most 8 − szDecimals. */
export const spotToken = z.looseObject({
  name: z.string().min(1),
  szDecimals: z.int().nonnegative(),
  weiDecimals: z.int().nonnegative(),
  index: z.int().nonnegative(),
  tokenId: z.string(),
  isCanonical: z.boolean(),
});

export type SpotToken = z.infer<typeof spotToken>;

/** Response of `spotMeta`. */
export const spotMeta = z.looseObject({ universe: z.array(spotPair), tokens: z.array(spotToken) });

export type SpotMeta = z.infer<typeof spotMeta>;

/** The market of one spot pair. Join by `coin`, never by index: pairs that are no longer in `universe` are still included. */
export const spotAssetCtx = z.looseObject({
  coin: z.string().min(1),
  prevDayPx: decimalString,
  dayNtlVlm: decimalString,
  markPx: decimalString,
  midPx: decimalString.nullish(),
});

/** Response of `spotMetaAndAssetCtxs`. */
export const spotMetaAndAssetCtxs = z.tuple([spotMeta, z.array(spotAssetCtx)]);

export type SpotMetaAndAssetCtxs = z.infer<typeof spotMetaAndAssetCtxs>;

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

/** A holding of one token (§2.1). Outcome tokens (`+1230`, `o77`) have no `token`, and mostly no `entryNtl` (D59). */
export const spotBalance = z.looseObject({
  coin: z.string().nullish(),
  token: z.int().nullish(),
  total: reportedAmount,
  hold: reportedAmount,
  entryNtl: reportedAmount,
});

export type SpotBalance = z.infer<typeof spotBalance>;

/** One wallet's spot balances; `tokenToAvailableAfterMaintenance` only with a nonzero amount (BATCH-11). */
export const spotClearinghouseState = z.looseObject({
  balances: z.array(spotBalance),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.int(), reportedAmount])).nullish(),
});

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

/**
 * The fields of every order object of the info API besides `cloid` and `children` (§2.3). Only coin and oid are
 * certain: another may be null, missing or a word that nobody knows yet (D59).
 */
export const ORDER_FIELDS = {
  coin: z.string(),
  side: z.string().meta({ description: 'B bid, A ask' }),
  limitPx: reportedAmount,
  sz: reportedAmount,
  origSz: reportedAmount,
  oid: z.int().nonnegative(),
  timestamp: millis.nullish(),
  orderType: z.string().nullish(),
  tif: z.string().nullish(),
  reduceOnly: z.boolean().nullish(),
  isTrigger: z.boolean().nullish(),
  triggerCondition: z.string().nullish(),
  triggerPx: reportedAmount,
  isPositionTpsl: z.boolean().nullish(),
};

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullish() });

export interface UpstreamOrder extends z.infer<typeof childless> {
  children?: UpstreamOrder[] | null | undefined;
}

/** An order as the exchange describes it. Older responses omit `cloid`; `children` are complete orders again (D17). */
export const upstreamOrder: z.ZodType<UpstreamOrder> = childless
  .extend({
    get children() {
      return z.array(upstreamOrder).nullish();
    },
  })
  .meta({ id: 'ExchangeOrder', description: 'an order as the exchange describes it' });

/** Response of `frontendOpenOrders`: a wallet's resting orders and untriggered trigger orders. */
export const frontendOpenOrders = z.array(upstreamOrder);

export type FrontendOpenOrders = z.infer<typeof frontendOpenOrders>;

/** One state of one order, as the exchange returns it in `historicalOrders` and `orderStatus`. */
const upstreamHistoricalOrder = z.looseObject({
  order: upstreamOrder,
  status: z.string().nullish(),
  statusTimestamp: millis.nullish(),
});

/** The exchange's response to `historicalOrders`, which has no `limit` (D8). */
export const upstreamHistoricalOrders = z.array(upstreamHistoricalOrder);

/** Response of the query `orderStatus`: `status` is `order` if it was found, otherwise a word such as `unknownOid`. */
export const orderStatusResponse = z.union([
  z.looseObject({ status: z.literal('order'), order: upstreamHistoricalOrder }),
  z.looseObject({ status: z.string().refine((status) => status !== 'order', 'must come with the order') }),
]);

/** A resting order of the exchange: without `cloid` if there is none, in an older shape without `origSz` (D17). */
const upstreamOpenOrder = z.looseObject({
  coin: coinName,
  side,
  limitPx: decimalString,
  sz: decimalString,
  oid: z.int().nonnegative(),
  timestamp: millis,
  origSz: decimalString.optional(),
  cloid: z.string().nullish(),
});

/** The exchange's response to `openOrders`. */
export const upstreamOpenOrders = z.array(upstreamOpenOrder);
