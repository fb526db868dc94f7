/** The protocol of the exchange: its info API and the order-level server's `l4Book` stream. */
export * from './allMids.ts';
export * from './clearinghouseState.ts';
export * from './exchangeStatus.ts';
export * from './frontendOpenOrders.ts';
export * from './historicalOrders.ts';
export * from './l2Book.ts';
export * from './l4Book.ts';
export { readL4BookBlockText } from './l4BookText.ts';
export * from './meta.ts';
export * from './metaAndAssetCtxs.ts';
export * from './nodeFiles.ts';
export * from './openOrders.ts';
export { type UpstreamOrder, upstreamOrder } from './order.ts';
export * from './orderStatus.ts';
export * from './spotClearinghouseState.ts';
export * from './spotMeta.ts';
export * from './spotMetaAndAssetCtxs.ts';
export * from './userFunding.ts';
