/** The protocol between the service and its clients: schemas, types, limits, tariff and error codes. */
export * from './account-document.ts';
export * from './account-entries.ts';
export * from './api-error.ts';
export * from './book-state.ts';
export * from './calendar.ts';
export {
  type BookChange,
  type InsertChange,
  type RemoveChange,
  type ResizeChange,
} from './change.ts';
export * from './close-codes.ts';
export * from './error-body.ts';
export * from './error-catalogue.ts';
export * from './error-codes.ts';
export { fits } from './fits.ts';
export { type ErrorSlot, errorSlot, isErrorSlot, successSlot, uniqueWallets } from './info/batch.ts';
export * from './info/batchClearinghouseState.ts';
export * from './info/batchSpotClearinghouseState.ts';
export * from './info/decode.ts';
export * from './info/fundingHistory.ts';
export * from './info/historicalOrders.ts';
export * from './info/kinds.ts';
export * from './info/l4BookSnapshot.ts';
export * from './info/maxMarketOrderNtls.ts';
export * from './info/openOrders.ts';
export { PASSED_KINDS, type PassThroughKind, type UpstreamCost } from './info/passThrough.ts';
export {
  type DecodedRequest,
  decodeRequest,
  lowerCaseAddress,
  type ReadAddress,
  readAddress,
  visibleText,
  writtenAddress,
} from './info/request.ts';
export * from './json.ts';
export { copyText, elementTexts, memberText, ownCopy } from './json-scan.ts';
export * from './limits.ts';
export * from './order.ts';
export * from './order-vocabulary.ts';
export * from './primitives.ts';
export * from './readiness.ts';
export * from './session.ts';
export * from './stream/batch.ts';
export * from './stream/channels.ts';
export * from './stream/decode.ts';
export * from './stream/messages.ts';
export * from './stream/relayed.ts';
export * from './stream/resume.ts';
export * from './stream/subscription.ts';
export * from './stream/unread-statuses.ts';
export * from './stream/updates-text.ts';
export * from './tariff.ts';
export * from './upstream-status.ts';
export * from './usage.ts';
export * from './wire-format-error.ts';
export { z } from './zod.ts';
