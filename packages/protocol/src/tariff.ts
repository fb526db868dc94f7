/** What an operation costs, in credits (§1). */
export const TARIFF = {
  batchSpotClearinghouseState: 25,
  batchClearinghouseState: 25,
  infoCall: 1,
  /** Per subscribed coin and started minute. */
  l4BookUpdatesPerCoinMinute: 1,
} as const;

/** What one successful call of each query kind costs, in credits (§1, D15). Failed and refused calls cost nothing. */
export const INFO_CREDITS = {
  batchSpotClearinghouseState: TARIFF.batchSpotClearinghouseState,
  batchClearinghouseState: TARIFF.batchClearinghouseState,
  openOrders: TARIFF.infoCall,
  historicalOrders: TARIFF.infoCall,
  maxMarketOrderNtls: TARIFF.infoCall,
  fundingHistory: TARIFF.infoCall,
  l4BookSnapshot: TARIFF.infoCall,
  meta: TARIFF.infoCall,
  spotMeta: TARIFF.infoCall,
  metaAndAssetCtxs: TARIFF.infoCall,
  spotMetaAndAssetCtxs: TARIFF.infoCall,
  allMids: TARIFF.infoCall,
  perpDexs: TARIFF.infoCall,
  l2Book: TARIFF.infoCall,
  frontendOpenOrders: TARIFF.infoCall,
  orderStatus: TARIFF.infoCall,
  spotClearinghouseState: TARIFF.infoCall,
  clearinghouseState: TARIFF.infoCall,
  userFunding: TARIFF.infoCall,
} as const;
