import { INFO_CREDITS } from '../tariff.ts';
import { allMids } from '../upstream/allMids.ts';
import { clearinghouseState, passedPerpState } from '../upstream/clearinghouseState.ts';
import { frontendOpenOrders } from '../upstream/frontendOpenOrders.ts';
import { passedHistoricalOrders } from '../upstream/historicalOrders.ts';
import { l2Book } from '../upstream/l2Book.ts';
import { meta, perpDexs } from '../upstream/meta.ts';
import { metaAndAssetCtxs } from '../upstream/metaAndAssetCtxs.ts';
import { MORE_PASSED } from '../upstream/morePassed.ts';
import { passedOpenOrders } from '../upstream/openOrders.ts';
import { orderStatusAnswer } from '../upstream/orderStatus.ts';
import { passedSpotState, spotClearinghouseState } from '../upstream/spotClearinghouseState.ts';
import { spotMeta } from '../upstream/spotMeta.ts';
import { spotMetaAndAssetCtxs } from '../upstream/spotMetaAndAssetCtxs.ts';
import { userFunding } from '../upstream/userFunding.ts';
import type { z } from '../zod.ts';
import { batchClearinghouseState, batchClearinghouseStateRequest } from './batchClearinghouseState.ts';
import { batchSpotClearinghouseState, batchSpotClearinghouseStateRequest } from './batchSpotClearinghouseState.ts';
import { fundingHistory, fundingHistoryRequest, passedFundingHistory } from './fundingHistory.ts';
import { historicalOrders, historicalOrdersRequest } from './historicalOrders.ts';
import { l4BookSnapshot, l4BookSnapshotRequest } from './l4BookSnapshot.ts';
import { maxMarketOrderNtls, maxMarketOrderNtlsRequest, passedMaxMarketOrderNtls } from './maxMarketOrderNtls.ts';
import { openOrders, openOrdersRequest } from './openOrders.ts';
import { type MorePassedKind, PASS_THROUGH_REQUESTS } from './passThrough.ts';

interface KindBase {
  /** One line for the API reference. */
  readonly summary: string;
  /** Credits of one successful call. */
  readonly credits: number;
  /** Reads a request body; its output is the request in the form the service works with. */
  readonly request: z.ZodType;
  /** What the service returns. */
  readonly response: z.ZodType;
}

/**
 * One query kind. The family says where its response comes from:
 * - `book`: our own books; nothing goes upstream.
 * - `batch`: one upstream call of kind `perWallet` for each wallet, its response checked by `upstream`, in slots.
 * - `checked`: one upstream call of the same kind, its response checked by `upstream` and brought into the form of `response`.
 * - `passThrough`: one upstream call of the same kind. Its bytes are passed on unread; `response` describes them.
 */
export type InfoKindEntry =
  | (KindBase & { readonly family: 'book' | 'passThrough' })
  | (KindBase & { readonly family: 'checked'; readonly upstream: z.ZodType })
  | (KindBase & {
      readonly family: 'batch';
      readonly perWallet: 'spotClearinghouseState' | 'clearinghouseState';
      readonly upstream: z.ZodType;
    });

const MORE_SUMMARIES: Readonly<Record<MorePassedKind, string>> = {
  userFills: 'Recent executions of a wallet',
  userFillsByTime: 'Executions of a wallet over a window of time',
  userTwapSliceFills: 'Executions of the TWAP orders of a wallet',
  userRateLimit: 'Request allowance of a wallet',
  userFees: 'Fees and volume of a wallet',
  subAccounts: 'Sub-accounts of a wallet',
  userRole: 'What a wallet is: a user, an agent, a vault or a sub-account',
  portfolio: 'Account value and profit of a wallet over time',
  userVaultEquities: 'Vault deposits of a wallet',
  userNonFundingLedgerUpdates: 'Deposits, transfers and withdrawals of a wallet',
  candleSnapshot: 'Candles of a coin over a window of time',
  recentTrades: 'Recent trades of a coin',
  predictedFundings: 'Predicted funding rates on several venues',
  perpsAtOpenInterestCap: 'Perps at their open interest cap',
  perpDexLimits: 'Limits of a builder dex',
  allPerpMetas: 'Perp assets of every dex',
  activeAssetData: 'Leverage and largest order of a wallet in a coin',
  delegations: 'Staking delegations of a wallet',
  delegatorSummary: 'Staking summary of a wallet',
  delegatorHistory: 'Staking history of a wallet',
  delegatorRewards: 'Staking rewards of a wallet',
  outcomeMeta: 'Outcome markets',
  settledOutcome: 'A settled outcome market',
  spotDeployState: 'Spot deployment auction of a wallet',
  tokenDetails: 'One spot token',
  vaultDetails: 'One vault',
  referral: 'Referral state of a wallet',
  extraAgents: 'Agents approved by a wallet',
  maxBuilderFee: 'Largest builder fee that a wallet approved',
};

/** The entry of a kind of the longer list that is passed through. */
function more<Kind extends MorePassedKind>(kind: Kind) {
  return {
    family: 'passThrough',
    summary: MORE_SUMMARIES[kind],
    credits: INFO_CREDITS[kind],
    request: PASS_THROUGH_REQUESTS[kind],
    response: MORE_PASSED[kind],
  } as const;
}

/** Every kind that `POST /info` serves, by its wire name: the specification's six, the perp batch, and those of D15. */
export const INFO_KINDS = {
  batchSpotClearinghouseState: {
    family: 'batch',
    summary: 'Spot balances of up to 50 wallets',
    credits: INFO_CREDITS.batchSpotClearinghouseState,
    request: batchSpotClearinghouseStateRequest,
    perWallet: 'spotClearinghouseState',
    upstream: passedSpotState,
    response: batchSpotClearinghouseState,
  },
  openOrders: {
    family: 'checked',
    summary: 'Resting orders of a wallet',
    credits: INFO_CREDITS.openOrders,
    request: openOrdersRequest,
    upstream: passedOpenOrders,
    response: openOrders,
  },
  historicalOrders: {
    family: 'checked',
    summary: 'Most recent orders of a wallet, open and finalized',
    credits: INFO_CREDITS.historicalOrders,
    request: historicalOrdersRequest,
    upstream: passedHistoricalOrders,
    response: historicalOrders,
  },
  maxMarketOrderNtls: {
    family: 'checked',
    summary: 'Largest market order per leverage bucket',
    credits: INFO_CREDITS.maxMarketOrderNtls,
    request: maxMarketOrderNtlsRequest,
    upstream: passedMaxMarketOrderNtls,
    response: maxMarketOrderNtls,
  },
  fundingHistory: {
    family: 'checked',
    summary: 'Funding rates and premiums of a coin over a window of time',
    credits: INFO_CREDITS.fundingHistory,
    request: fundingHistoryRequest,
    upstream: passedFundingHistory,
    response: fundingHistory,
  },
  l4BookSnapshot: {
    family: 'book',
    summary: 'Whole order-level book of a perp coin',
    credits: INFO_CREDITS.l4BookSnapshot,
    request: l4BookSnapshotRequest,
    response: l4BookSnapshot,
  },
  batchClearinghouseState: {
    family: 'batch',
    summary: 'Perp accounts of up to 50 wallets',
    credits: INFO_CREDITS.batchClearinghouseState,
    request: batchClearinghouseStateRequest,
    perWallet: 'clearinghouseState',
    upstream: passedPerpState,
    response: batchClearinghouseState,
  },
  meta: {
    family: 'passThrough',
    summary: 'Perp assets',
    credits: INFO_CREDITS.meta,
    request: PASS_THROUGH_REQUESTS.meta,
    response: meta,
  },
  spotMeta: {
    family: 'passThrough',
    summary: 'Spot pairs and tokens',
    credits: INFO_CREDITS.spotMeta,
    request: PASS_THROUGH_REQUESTS.spotMeta,
    response: spotMeta,
  },
  metaAndAssetCtxs: {
    family: 'passThrough',
    summary: 'Perp assets with their markets',
    credits: INFO_CREDITS.metaAndAssetCtxs,
    request: PASS_THROUGH_REQUESTS.metaAndAssetCtxs,
    response: metaAndAssetCtxs,
  },
  spotMetaAndAssetCtxs: {
    family: 'passThrough',
    summary: 'Spot pairs and tokens with their markets',
    credits: INFO_CREDITS.spotMetaAndAssetCtxs,
    request: PASS_THROUGH_REQUESTS.spotMetaAndAssetCtxs,
    response: spotMetaAndAssetCtxs,
  },
  allMids: {
    family: 'passThrough',
    summary: 'Mid prices of all coins',
    credits: INFO_CREDITS.allMids,
    request: PASS_THROUGH_REQUESTS.allMids,
    response: allMids,
  },
  perpDexs: {
    family: 'passThrough',
    summary: 'Builder dexes',
    credits: INFO_CREDITS.perpDexs,
    request: PASS_THROUGH_REQUESTS.perpDexs,
    response: perpDexs,
  },
  l2Book: {
    family: 'passThrough',
    summary: 'Aggregated book of a coin',
    credits: INFO_CREDITS.l2Book,
    request: PASS_THROUGH_REQUESTS.l2Book,
    response: l2Book,
  },
  frontendOpenOrders: {
    family: 'passThrough',
    summary: 'Resting orders and waiting triggers of a wallet',
    credits: INFO_CREDITS.frontendOpenOrders,
    request: PASS_THROUGH_REQUESTS.frontendOpenOrders,
    response: frontendOpenOrders,
  },
  orderStatus: {
    family: 'passThrough',
    summary: 'One order of a wallet, by oid or client order id',
    credits: INFO_CREDITS.orderStatus,
    request: PASS_THROUGH_REQUESTS.orderStatus,
    response: orderStatusAnswer,
  },
  spotClearinghouseState: {
    family: 'passThrough',
    summary: 'Spot balances of a wallet',
    credits: INFO_CREDITS.spotClearinghouseState,
    request: PASS_THROUGH_REQUESTS.spotClearinghouseState,
    response: spotClearinghouseState,
  },
  clearinghouseState: {
    family: 'passThrough',
    summary: 'Perp account of a wallet',
    credits: INFO_CREDITS.clearinghouseState,
    request: PASS_THROUGH_REQUESTS.clearinghouseState,
    response: clearinghouseState,
  },
  userFunding: {
    family: 'passThrough',
    summary: 'Funding payments of a wallet over a window of time',
    credits: INFO_CREDITS.userFunding,
    request: PASS_THROUGH_REQUESTS.userFunding,
    response: userFunding,
  },
  userFills: more('userFills'),
  userFillsByTime: more('userFillsByTime'),
  userTwapSliceFills: more('userTwapSliceFills'),
  userRateLimit: more('userRateLimit'),
  userFees: more('userFees'),
  subAccounts: more('subAccounts'),
  userRole: more('userRole'),
  portfolio: more('portfolio'),
  userVaultEquities: more('userVaultEquities'),
  userNonFundingLedgerUpdates: more('userNonFundingLedgerUpdates'),
  candleSnapshot: more('candleSnapshot'),
  recentTrades: more('recentTrades'),
  predictedFundings: more('predictedFundings'),
  perpsAtOpenInterestCap: more('perpsAtOpenInterestCap'),
  perpDexLimits: more('perpDexLimits'),
  allPerpMetas: more('allPerpMetas'),
  activeAssetData: more('activeAssetData'),
  delegations: more('delegations'),
  delegatorSummary: more('delegatorSummary'),
  delegatorHistory: more('delegatorHistory'),
  delegatorRewards: more('delegatorRewards'),
  outcomeMeta: more('outcomeMeta'),
  settledOutcome: more('settledOutcome'),
  spotDeployState: more('spotDeployState'),
  tokenDetails: more('tokenDetails'),
  vaultDetails: more('vaultDetails'),
  referral: more('referral'),
  extraAgents: more('extraAgents'),
  maxBuilderFee: more('maxBuilderFee'),
} as const satisfies Record<keyof typeof INFO_CREDITS, InfoKindEntry>;

/** The wire name of a query kind. */
export type InfoKind = keyof typeof INFO_KINDS;

/** A request of kind `K` as a client may send it. */
export type InfoRequest<K extends InfoKind = InfoKind> = z.input<(typeof INFO_KINDS)[K]['request']>;

/** A request of kind `K` as it was read: wallets in lower case, limits applied, null fields gone. */
export type InfoQuery<K extends InfoKind = InfoKind> = z.output<(typeof INFO_KINDS)[K]['request']>;

/** What the service returns for kind `K`. */
export type InfoAnswer<K extends InfoKind = InfoKind> = z.output<(typeof INFO_KINDS)[K]['response']>;
