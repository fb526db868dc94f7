import { coinName, millis } from '../primitives.ts';
import { z } from '../zod.ts';
import { dex, ENDS_BEFORE_START, endsAfterStart, optionalTime, orAbsent, wallet } from './fields.ts';

const OID_PROBLEM = 'must be an oid or a client order id: 0x and 32 hexadecimal digits';

/** An order to look up: its oid, or the client order id that it was placed with. */
const oidOrCloid = z.union(
  [z.int(OID_PROBLEM).nonnegative(OID_PROBLEM), z.string().regex(/^0x[0-9a-fA-F]{32}$/, OID_PROBLEM)],
  OID_PROBLEM,
);

const flag = orAbsent(z.boolean());

function ofUser<Kind extends string>(kind: Kind) {
  return z.object({ type: z.literal(kind), user: wallet });
}

/** Requests of further kinds that current SDKs and hosted services know. */
const MORE_REQUESTS = {
  userFills: z.object({ type: z.literal('userFills'), user: wallet, aggregateByTime: flag }),
  userFillsByTime: z
    .object({
      type: z.literal('userFillsByTime'),
      user: wallet,
      startTime: millis,
      endTime: optionalTime,
      aggregateByTime: flag,
      reversed: flag,
    })
    .refine(endsAfterStart, ENDS_BEFORE_START),
  userTwapSliceFills: ofUser('userTwapSliceFills'),
  userRateLimit: ofUser('userRateLimit'),
  userFees: ofUser('userFees'),
  subAccounts: ofUser('subAccounts'),
  userRole: ofUser('userRole'),
  portfolio: ofUser('portfolio'),
  userVaultEquities: ofUser('userVaultEquities'),
  userNonFundingLedgerUpdates: z
    .object({
      type: z.literal('userNonFundingLedgerUpdates'),
      user: wallet,
      startTime: optionalTime,
      endTime: optionalTime,
    })
    .refine(endsAfterStart, ENDS_BEFORE_START),
  candleSnapshot: z.object({
    type: z.literal('candleSnapshot'),
    req: z
      .object({
        coin: coinName,
        interval: z.string().meta({ description: '1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 8h, 12h, 1d, 3d, 1w or 1M' }),
        startTime: millis,
        endTime: optionalTime,
      })
      .refine(endsAfterStart, ENDS_BEFORE_START),
  }),
  recentTrades: z.object({ type: z.literal('recentTrades'), coin: coinName }),
  predictedFundings: z.object({ type: z.literal('predictedFundings') }),
  perpsAtOpenInterestCap: z.object({ type: z.literal('perpsAtOpenInterestCap'), dex }),
  perpDexLimits: z.object({ type: z.literal('perpDexLimits'), dex: z.string() }),
  allPerpMetas: z.object({ type: z.literal('allPerpMetas') }),
  activeAssetData: z.object({ type: z.literal('activeAssetData'), user: wallet, coin: coinName }),
  delegations: ofUser('delegations'),
  delegatorSummary: ofUser('delegatorSummary'),
  delegatorHistory: ofUser('delegatorHistory'),
  delegatorRewards: ofUser('delegatorRewards'),
  outcomeMeta: z.object({ type: z.literal('outcomeMeta') }),
  settledOutcome: z.object({ type: z.literal('settledOutcome'), outcome: z.int() }),
  spotDeployState: ofUser('spotDeployState'),
  tokenDetails: z.object({ type: z.literal('tokenDetails'), tokenId: z.string() }),
  vaultDetails: z.object({ type: z.literal('vaultDetails'), vaultAddress: wallet, user: orAbsent(wallet) }),
  referral: ofUser('referral'),
  extraAgents: ofUser('extraAgents'),
  maxBuilderFee: z.object({ type: z.literal('maxBuilderFee'), user: wallet, builder: wallet }),
} as const;

/** One of those further kinds. */
export type MorePassedKind = keyof typeof MORE_REQUESTS;

/**
 * Requests of the exchange's own kinds that the service passes through (D15), with the fields that the exchange knows. Any
 * other field is ignored, as everywhere (D7): keeping it would only split calls that could be shared. Wallets are sent in lower
 * case, and an optional field that is null counts as missing (D7).
 */
export const PASS_THROUGH_REQUESTS = {
  meta: z.object({ type: z.literal('meta'), dex }),
  spotMeta: z.object({ type: z.literal('spotMeta') }),
  metaAndAssetCtxs: z.object({ type: z.literal('metaAndAssetCtxs'), dex }),
  spotMetaAndAssetCtxs: z.object({ type: z.literal('spotMetaAndAssetCtxs') }),
  allMids: z.object({ type: z.literal('allMids'), dex }),
  perpDexs: z.object({ type: z.literal('perpDexs') }),
  l2Book: z.object({
    type: z.literal('l2Book'),
    coin: coinName,
    nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
    mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
  }),
  frontendOpenOrders: z.object({ type: z.literal('frontendOpenOrders'), user: wallet, dex }),
  orderStatus: z.object({ type: z.literal('orderStatus'), user: wallet, oid: oidOrCloid }),
  spotClearinghouseState: z.object({ type: z.literal('spotClearinghouseState'), user: wallet, dex }),
  clearinghouseState: z.object({ type: z.literal('clearinghouseState'), user: wallet, dex }),
  userFunding: z
    .object({ type: z.literal('userFunding'), user: wallet, startTime: optionalTime, endTime: optionalTime })
    .refine(endsAfterStart, ENDS_BEFORE_START),
  ...MORE_REQUESTS,
} as const;

export type PassThroughKind = keyof typeof PASS_THROUGH_REQUESTS;
