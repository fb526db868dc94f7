import type { InfoKind } from '@l4desk/protocol';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Maximum bytes of a response, by query kind: several times what the exchange sends at its own limits (5,000 resting
 * orders, 2,000 order states, 500 funding entries, a balance of each token). Batches are only requested from another
 * instance of this service.
 */
const BYTES_MAX = {
  maxMarketOrderNtls: 64 * KIB,
  l2Book: 256 * KIB,
  orderStatus: 256 * KIB,
  fundingHistory: 512 * KIB,
  userFunding: 512 * KIB,
  spotClearinghouseState: 512 * KIB,
  clearinghouseState: 512 * KIB,
  allMids: MIB,
  perpDexs: MIB,
  meta: MIB,
  spotMeta: 4 * MIB,
  metaAndAssetCtxs: 4 * MIB,
  spotMetaAndAssetCtxs: 4 * MIB,
  openOrders: 4 * MIB,
  frontendOpenOrders: 8 * MIB,
  userRateLimit: 64 * KIB,
  userRole: 64 * KIB,
  delegatorSummary: 64 * KIB,
  maxBuilderFee: 64 * KIB,
  activeAssetData: 64 * KIB,
  tokenDetails: MIB,
  perpDexLimits: 256 * KIB,
  perpsAtOpenInterestCap: 256 * KIB,
  settledOutcome: 256 * KIB,
  recentTrades: 512 * KIB,
  userFees: 512 * KIB,
  userVaultEquities: 512 * KIB,
  delegations: 512 * KIB,
  extraAgents: 512 * KIB,
  predictedFundings: MIB,
  referral: MIB,
  spotDeployState: MIB,
  portfolio: 4 * MIB,
  vaultDetails: 4 * MIB,
  outcomeMeta: 4 * MIB,
  allPerpMetas: 4 * MIB,
  userFills: 4 * MIB,
  userFillsByTime: 4 * MIB,
  userTwapSliceFills: 4 * MIB,
  userNonFundingLedgerUpdates: 4 * MIB,
  delegatorHistory: 4 * MIB,
  delegatorRewards: 4 * MIB,
  candleSnapshot: 4 * MIB,
  subAccounts: 8 * MIB,
  historicalOrders: 4 * MIB,
  batchSpotClearinghouseState: 26 * MIB,
  batchClearinghouseState: 26 * MIB,
} as const satisfies Record<Exclude<InfoKind, 'l4BookSnapshot'>, number>;

const byKind = new Map<string, number>(Object.entries(BYTES_MAX));

/** The limit for any other kind. */
const OTHER_BYTES_MAX = 4 * MIB;

/** Maximum bytes of a response to a query of this kind. */
export function responseBytesMax(type: string): number {
  return byKind.get(type) ?? OTHER_BYTES_MAX;
}
