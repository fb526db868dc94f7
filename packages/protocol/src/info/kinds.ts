import type { INFO_CREDITS } from '../tariff.ts';
import { allMids } from '../upstream/allMids.ts';
import { clearinghouseState } from '../upstream/clearinghouseState.ts';
import { frontendOpenOrders } from '../upstream/frontendOpenOrders.ts';
import { l2Book } from '../upstream/l2Book.ts';
import { meta, perpDexs } from '../upstream/meta.ts';
import { metaAndAssetCtxs } from '../upstream/metaAndAssetCtxs.ts';
import { MORE_PASSED } from '../upstream/morePassed.ts';
import { orderStatusResponse } from '../upstream/orderStatus.ts';
import { spotClearinghouseState } from '../upstream/spotClearinghouseState.ts';
import { spotMeta } from '../upstream/spotMeta.ts';
import { spotMetaAndAssetCtxs } from '../upstream/spotMetaAndAssetCtxs.ts';
import { userFunding } from '../upstream/userFunding.ts';
import type { z } from '../zod.ts';
import { batchClearinghouseState, batchClearinghouseStateRequest } from './batchClearinghouseState.ts';
import { batchSpotClearinghouseState, batchSpotClearinghouseStateRequest } from './batchSpotClearinghouseState.ts';
import { fundingHistory, fundingHistoryRequest } from './fundingHistory.ts';
import { historicalOrders, historicalOrdersRequest } from './historicalOrders.ts';
import { l4BookSnapshot, l4BookSnapshotRequest } from './l4BookSnapshot.ts';
import { maxMarketOrderNtls, maxMarketOrderNtlsRequest } from './maxMarketOrderNtls.ts';
import { openOrders, openOrdersRequest } from './openOrders.ts';
import { PASS_THROUGH_REQUESTS, type PassThroughKind } from './passThrough.ts';

interface KindBase {
  /** One line for the API reference. */
  readonly summary: string;
  /** Reads a request body; its output is the request in the form that the service works with. */
  readonly request: z.ZodType;
  /** What the service returns. */
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
  | (KindBase & { readonly family: 'book' | 'checked' | 'passThrough' })
  | (KindBase & { readonly family: 'batch'; readonly perWallet: 'spotClearinghouseState' | 'clearinghouseState' });

/** Responses of the exchange for the kinds that are passed through. */
const PASSED = {
  meta,
  spotMeta,
  metaAndAssetCtxs,
  spotMetaAndAssetCtxs,
  allMids,
  perpDexs,
  l2Book,
  frontendOpenOrders,
  orderStatus: orderStatusResponse,
  spotClearinghouseState,
  clearinghouseState,
  userFunding,
  ...MORE_PASSED,
} as const satisfies Record<PassThroughKind, z.ZodType>;

/** The entry of a kind that is passed through. */
function passed<Kind extends PassThroughKind>(kind: Kind, summary: string) {
  return { family: 'passThrough', summary, request: PASS_THROUGH_REQUESTS[kind], response: PASSED[kind] } as const;
}

/** Every kind that `POST /info` serves, by its wire name: the specification's six, the perp batch, and those of D15. */
export const INFO_KINDS = {
  batchSpotClearinghouseState: {
    family: 'batch',
    summary: 'Spot balances of up to 50 wallets',
    request: batchSpotClearinghouseStateRequest,
    perWallet: 'spotClearinghouseState',
    response: batchSpotClearinghouseState,
  },
  openOrders: {
    family: 'checked',
    summary: 'Resting orders of a wallet',
    request: openOrdersRequest,
    response: openOrders,
  },
  historicalOrders: {
    family: 'checked',
    summary: 'Most recent orders of a wallet, open and finalized',
    request: historicalOrdersRequest,
    response: historicalOrders,
  },
  maxMarketOrderNtls: {
    family: 'checked',
    summary: 'Largest market order per leverage bucket',
    request: maxMarketOrderNtlsRequest,
    response: maxMarketOrderNtls,
  },
  fundingHistory: {
    family: 'checked',
    summary: 'Funding rates and premiums of a coin over a window of time',
    request: fundingHistoryRequest,
    response: fundingHistory,
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
  },
  meta: passed('meta', 'Perp assets'),
  spotMeta: passed('spotMeta', 'Spot pairs and tokens'),
  metaAndAssetCtxs: passed('metaAndAssetCtxs', 'Perp assets with their markets'),
  spotMetaAndAssetCtxs: passed('spotMetaAndAssetCtxs', 'Spot pairs and tokens with their markets'),
  allMids: passed('allMids', 'Mid prices of all coins'),
  perpDexs: passed('perpDexs', 'Builder dexes'),
  l2Book: passed('l2Book', 'Aggregated book of a coin'),
  frontendOpenOrders: passed('frontendOpenOrders', 'Resting orders and waiting triggers of a wallet'),
  orderStatus: passed('orderStatus', 'One order of a wallet, by oid or client order id'),
  spotClearinghouseState: passed('spotClearinghouseState', 'Spot balances of a wallet'),
  clearinghouseState: passed('clearinghouseState', 'Perp account of a wallet'),
  userFunding: passed('userFunding', 'Funding payments of a wallet over a window of time'),
  userFills: passed('userFills', 'Recent executions of a wallet'),
  userFillsByTime: passed('userFillsByTime', 'Executions of a wallet over a window of time'),
  userTwapSliceFills: passed('userTwapSliceFills', 'Executions of the TWAP orders of a wallet'),
  userRateLimit: passed('userRateLimit', 'Request allowance of a wallet'),
  userFees: passed('userFees', 'Fees and volume of a wallet'),
  subAccounts: passed('subAccounts', 'Sub-accounts of a wallet'),
  userRole: passed('userRole', 'What a wallet is: a user, an agent, a vault or a sub-account'),
  portfolio: passed('portfolio', 'Account value and profit of a wallet over time'),
  userVaultEquities: passed('userVaultEquities', 'Vault deposits of a wallet'),
  userNonFundingLedgerUpdates: passed('userNonFundingLedgerUpdates', 'Deposits, transfers and withdrawals of a wallet'),
  candleSnapshot: passed('candleSnapshot', 'Candles of a coin over a window of time'),
  recentTrades: passed('recentTrades', 'Recent trades of a coin'),
  predictedFundings: passed('predictedFundings', 'Predicted funding rates on several venues'),
  perpsAtOpenInterestCap: passed('perpsAtOpenInterestCap', 'Perps at their open interest cap'),
  perpDexLimits: passed('perpDexLimits', 'Limits of a builder dex'),
  allPerpMetas: passed('allPerpMetas', 'Perp assets of every dex'),
  activeAssetData: passed('activeAssetData', 'Leverage and largest order of a wallet in a coin'),
  delegations: passed('delegations', 'Staking delegations of a wallet'),
  delegatorSummary: passed('delegatorSummary', 'Staking summary of a wallet'),
  delegatorHistory: passed('delegatorHistory', 'Staking history of a wallet'),
  delegatorRewards: passed('delegatorRewards', 'Staking rewards of a wallet'),
  outcomeMeta: passed('outcomeMeta', 'Outcome markets'),
  settledOutcome: passed('settledOutcome', 'A settled outcome market'),
  spotDeployState: passed('spotDeployState', 'Spot deployment auction of a wallet'),
  tokenDetails: passed('tokenDetails', 'One spot token'),
  vaultDetails: passed('vaultDetails', 'One vault'),
  referral: passed('referral', 'Referral state of a wallet'),
  extraAgents: passed('extraAgents', 'Agents approved by a wallet'),
  maxBuilderFee: passed('maxBuilderFee', 'Largest builder fee that a wallet approved'),
} as const satisfies Record<keyof typeof INFO_CREDITS, InfoKindEntry>;

/** The wire name of a query kind. */
export type InfoKind = keyof typeof INFO_KINDS;

/** A request of kind `K` as a client may send it. */
export type InfoRequest<K extends InfoKind = InfoKind> = z.input<(typeof INFO_KINDS)[K]['request']>;

/** What the service returns for kind `K`. */
export type InfoResponse<K extends InfoKind = InfoKind> = z.output<(typeof INFO_KINDS)[K]['response']>;
