import { FUNDING_HISTORY_ENTRIES_MAX, HISTORICAL_ORDERS_LIMIT_MAX } from '../limits.ts';
import type { z } from '../zod.ts';
import { batchClearinghouseState, batchClearinghouseStateRequest } from './batchClearinghouseState.ts';
import { batchSpotClearinghouseState, batchSpotClearinghouseStateRequest } from './batchSpotClearinghouseState.ts';
import { fundingHistory, fundingHistoryRequest } from './fundingHistory.ts';
import { historicalOrders, historicalOrdersRequest } from './historicalOrders.ts';
import { l4BookSnapshot, l4BookSnapshotRequest } from './l4BookSnapshot.ts';
import { maxMarketOrderNtls, maxMarketOrderNtlsRequest } from './maxMarketOrderNtls.ts';
import { openOrders, openOrdersRequest } from './openOrders.ts';
import { PASSED_KINDS, type UpstreamCost, USER } from './passThrough.ts';

interface KindBase {
  /** One line for the API reference. */
  readonly summary: string;
  /** Reads a request body; its output is the request in the form that the service works with. */
  readonly request: z.ZodType;
  readonly response: z.ZodType;
}

/**
 * One query kind. The family defines the origin of its response:
 * - `book`: our own books; nothing goes upstream.
 * - `batch`: one upstream call of kind `perWallet` per wallet, in slots.
 * - `checked`: one upstream call of the same kind; its rows are converted to the form of the specification, and nothing else in
 *   them is checked (D59).
 * - `passThrough`: one upstream call of the same kind. Its bytes are passed on unread; `response` describes them.
 */
export type InfoKindEntry =
  | (KindBase & { readonly family: 'book' })
  | (KindBase & UpstreamCost & { readonly family: 'checked' | 'passThrough'; readonly plain: object })
  | (KindBase &
      UpstreamCost & { readonly family: 'batch'; readonly perWallet: 'spotClearinghouseState' | 'clearinghouseState' });

/** Every kind that `POST /info` serves, by its wire name: the specification's six, the perp batch, and those of D15. */
export const INFO_KINDS = {
  batchSpotClearinghouseState: {
    family: 'batch',
    summary: 'Spot balances of up to 50 wallets',
    request: batchSpotClearinghouseStateRequest,
    perWallet: 'spotClearinghouseState',
    response: batchSpotClearinghouseState,
    weight: 20,
  },
  openOrders: {
    family: 'checked',
    summary: 'Resting orders of a wallet',
    request: openOrdersRequest,
    response: openOrders,
    weight: 20,
    plain: { user: USER },
  },
  historicalOrders: {
    family: 'checked',
    summary: 'Most recent orders of a wallet, open and finalized',
    request: historicalOrdersRequest,
    response: historicalOrders,
    weight: 20,
    rows: { max: HISTORICAL_ORDERS_LIMIT_MAX, perWeight: 20 },
    plain: { user: USER },
  },
  maxMarketOrderNtls: {
    family: 'checked',
    summary: 'Largest market order per leverage bucket',
    request: maxMarketOrderNtlsRequest,
    response: maxMarketOrderNtls,
    weight: 20,
    plain: {},
  },
  fundingHistory: {
    family: 'checked',
    summary: 'Funding rates and premiums of a coin over a window of time',
    request: fundingHistoryRequest,
    response: fundingHistory,
    weight: 20,
    rows: { max: FUNDING_HISTORY_ENTRIES_MAX, perWeight: 20 },
    plain: { coin: 'BTC', startTime: 1778000000000 },
  },
  l4BookSnapshot: {
    family: 'book',
    summary: 'Whole order-level book of a perp coin',
    request: l4BookSnapshotRequest,
    response: l4BookSnapshot,
  },
  batchClearinghouseState: {
    family: 'batch',
    summary: 'Perp accounts of up to 50 wallets',
    request: batchClearinghouseStateRequest,
    perWallet: 'clearinghouseState',
    response: batchClearinghouseState,
    weight: 20,
  },
  ...PASSED_KINDS,
} as const satisfies Record<string, InfoKindEntry>;

/** The wire name of a query kind. */
export type InfoKind = keyof typeof INFO_KINDS;

/** A request of kind `K` as a client may send it. */
export type InfoRequest<K extends InfoKind = InfoKind> = z.input<(typeof INFO_KINDS)[K]['request']>;

/** What the service returns for kind `K`. */
export type InfoResponse<K extends InfoKind = InfoKind> = z.output<(typeof INFO_KINDS)[K]['response']>;
