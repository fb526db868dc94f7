/** Client of the service: typed queries, and followed books that are exact or report that they are not. */

export type { BestLevel, Finding, L4Book } from '@l4desk/book';
export type {
  OrderPlace,
  OwnerShare,
  Owners,
  Sweep,
  SweepAmount,
  SweptOwner,
  TakerSide,
} from '@l4desk/insight';
export {
  type Address,
  type BookLossReason,
  type BookState,
  type BookStatus,
  type CoinBatch,
  type DecimalString,
  type DecodedSnapshot,
  type ErrorBody,
  type ErrorSlot,
  type HttpErrorCode,
  type InfoKind,
  type InfoResponse,
  isAddress,
  isErrorSlot,
  type ResumeRefusal,
  type StatusesMode,
  type UpstreamBlocks,
  type UpstreamStatus,
  WireFormatError,
} from '@l4desk/protocol';
export type { Backoff, Clock, Socket, SocketConstructor } from '@l4desk/runtime';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { errorOfResponse, ServiceError, TransportError, type TransportErrorCode, WalletError } from './errors.ts';
export { follow } from './follow/follow.ts';
export { FOLLOW_DEFAULTS } from './follow/settings.ts';
export * from './follow/types.ts';
export { allMids } from './info/allMids.ts';
export { type BatchClearinghouseStateParameters, batchClearinghouseState } from './info/batchClearinghouseState.ts';
export {
  type BatchSpotClearinghouseStateParameters,
  batchSpotClearinghouseState,
} from './info/batchSpotClearinghouseState.ts';
export { clearinghouseState } from './info/clearinghouseState.ts';
export { frontendOpenOrders } from './info/frontendOpenOrders.ts';
export { fundingHistory } from './info/fundingHistory.ts';
export { type FundingPage, fundingHistoryPages } from './info/fundingHistoryPages.ts';
export { historicalOrders } from './info/historicalOrders.ts';
export { l2Book } from './info/l2Book.ts';
export { l4BookSnapshot } from './info/l4BookSnapshot.ts';
export { maxMarketOrderNtls } from './info/maxMarketOrderNtls.ts';
export { meta } from './info/meta.ts';
export { metaAndAssetCtxs } from './info/metaAndAssetCtxs.ts';
export { openOrders } from './info/openOrders.ts';
export { orderStatus } from './info/orderStatus.ts';
export type { InfoParameters } from './info/parameters.ts';
export { perpDexs } from './info/perpDexs.ts';
export { query } from './info/query.ts';
export { spotClearinghouseState } from './info/spotClearinghouseState.ts';
export { spotMeta } from './info/spotMeta.ts';
export { spotMetaAndAssetCtxs } from './info/spotMetaAndAssetCtxs.ts';
export { userFunding } from './info/userFunding.ts';
export type { InfoFunction, OptionalInfoFunction } from './info-function.ts';
export { type BookSource, bookOf, owners, queuePlaces, queuePlacesOf, sweep } from './insight/book-queries.ts';
export type { Fetch, FetchInit, FetchResponse, Platform, Signal } from './platform.ts';
export type { RetryOptions } from './retry.ts';
export type { ConnectionState, DisconnectReason, StopReason } from './stream/state.ts';
export type { QueryOptions, Transport, TransportSettings } from './transport.ts';
export { type AccountUsage, type UsageParameters, usage } from './usage.ts';
export { type ClearinghouseStatesParameters, clearinghouseStates } from './wallets/clearinghouseStates.ts';
export { type SpotClearinghouseStatesParameters, spotClearinghouseStates } from './wallets/spotClearinghouseStates.ts';
export type { WalletResult, WalletStates, WalletsOptions, WalletsProgress } from './wallets/types.ts';
