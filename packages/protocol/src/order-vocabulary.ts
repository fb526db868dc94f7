/** The words that the exchange uses in orders, as far as known: for filters and labels, never a check (HIST-10). */

/** `status` of a historical order or of an order status of the stream. */
export const ORDER_STATUSES = [
  'open',
  'filled',
  'canceled',
  'triggered',
  'rejected',
  'marginCanceled',
  'vaultWithdrawalCanceled',
  'openInterestCapCanceled',
  'selfTradeCanceled',
  'reduceOnlyCanceled',
  'siblingFilledCanceled',
  'delistedCanceled',
  'liquidatedCanceled',
  'outcomeSettledCanceled',
  'scheduledCancel',
  'internalCancel',
  'tickRejected',
  'minTradeNtlRejected',
  'perpMarginRejected',
  'reduceOnlyRejected',
  'badAloPxRejected',
  'iocCancelRejected',
  'badTriggerPxRejected',
  'marketOrderNoLiquidityRejected',
  'positionIncreaseAtOpenInterestCapRejected',
  'positionFlipAtOpenInterestCapRejected',
  'tooAggressiveAtOpenInterestCapRejected',
  'openInterestIncreaseRejected',
  'insufficientSpotBalanceRejected',
  'oracleRejected',
  'perpMaxPositionRejected',
  'tooManyOpenOrdersRejected',
] as const;

export type KnownOrderStatus = (typeof ORDER_STATUSES)[number];

/** `tif`, time in force. The field may also be null. */
export const TIFS = ['Gtc', 'Ioc', 'Alo', 'FrontendMarket', 'LiquidationMarket'] as const;

export type KnownTif = (typeof TIFS)[number];

/** `orderType`. */
export const ORDER_TYPES = [
  'Market',
  'Limit',
  'Stop Market',
  'Stop Limit',
  'Take Profit Market',
  'Take Profit Limit',
  'Twap Slice',
  'Vault Close',
  'Spot Dust Conversion',
] as const;

export type KnownOrderType = (typeof ORDER_TYPES)[number];
