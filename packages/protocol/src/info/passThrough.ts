import { FUNDING_HISTORY_ENTRIES_MAX } from '../limits.ts';
import { address, coinName, decimalString, millis } from '../primitives.ts';
import {
  allMids,
  clearinghouseState,
  exchangeStatus,
  frontendOpenOrders,
  l2Book,
  meta,
  metaAndAssetCtxs,
  orderStatusResponse,
  perpDexs,
  spotClearinghouseState,
  spotMeta,
  spotMetaAndAssetCtxs,
  userFunding,
} from '../upstream/info.ts';
import { z } from '../zod.ts';
import type { PassThroughKind } from './passed-names.ts';
import { dex, ENDS_BEFORE_START, endsAfterStart, optionalTime, orAbsent, wallet } from './request.ts';

/** The weight of an upstream call. */
export interface UpstreamCost {
  readonly weight: number;
  /** The rows that a response may have, and how many of them add one to the weight. */
  readonly rows?: { readonly max: number; readonly perWeight: number };
}

/** One kind of the exchange, as it is written in the table below. */
interface PassedEntry<Fields extends z.core.$ZodLooseShape, Response extends z.ZodType>
  extends Omit<UpstreamCost, 'weight'> {
  /** Default: 20. */
  readonly weight?: number;
  readonly summary: string;
  /** The fields of a request besides `type`. Any other field is ignored (D7). */
  readonly fields: Fields;
  /** What the exchange returns, by the fields that identify it. The response is passed on unread. */
  readonly response: Response;
  /** The fewest fields of a valid request. An upstream that refuses this request does not serve the kind (D63). Default: none. */
  readonly plain?: Readonly<Record<string, unknown>>;
}

function passed<Kind extends string, Fields extends z.core.$ZodLooseShape, Response extends z.ZodType>(
  type: Kind,
  { fields, weight = 20, plain = {}, ...entry }: PassedEntry<Fields, Response>,
) {
  const request = z.object({ type: z.literal(type), ...fields }).refine(endsAfterStart, ENDS_BEFORE_START);
  return { family: 'passThrough' as const, request, weight, plain, ...entry };
}

type FieldlessEntry<Response extends z.ZodType> = Omit<PassedEntry<object, Response>, 'fields' | 'plain'>;

function ofExchange<Kind extends string, Response extends z.ZodType>(type: Kind, entry: FieldlessEntry<Response>) {
  return passed(type, { fields: {}, ...entry });
}

/** A kind whose only field is a wallet. */
function ofWallet<Kind extends string, Response extends z.ZodType>(type: Kind, entry: FieldlessEntry<Response>) {
  return passed(type, { fields: { user: wallet }, plain: { user: USER }, ...entry });
}

/** Rows of a page of executions, balance changes or staking events. */
const HISTORY_ROWS = { max: 2_000, perWeight: 20 };

/** The wallet of examples. */
export const USER = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const VAULT = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

const OID_PROBLEM = 'must be an oid or a client order id: 0x and 32 hexadecimal digits';

/** An order to look up: its oid, or the client order id that it was placed with. */
const oidOrCloid = z.union(
  [z.int(OID_PROBLEM).nonnegative(OID_PROBLEM), z.string().regex(/^0x[0-9a-fA-F]{32}$/, OID_PROBLEM)],
  OID_PROBLEM,
);

const flag = orAbsent(z.boolean());
const object = z.looseObject({});
const objects = z.array(object);

const fill = z.looseObject({
  coin: coinName,
  px: decimalString,
  sz: decimalString,
  side: z.enum(['B', 'A']),
  time: millis,
  oid: z.int(),
  tid: z.int(),
});

/** Every kind of the exchange that is passed through, at 1 credit (D15). CONTRIBUTING.md says how to add one. */
export const PASSED_KINDS = {
  meta: passed('meta', { summary: 'Perp assets', fields: { dex }, response: meta }),
  spotMeta: ofExchange('spotMeta', { summary: 'Spot pairs and tokens', response: spotMeta }),
  metaAndAssetCtxs: passed('metaAndAssetCtxs', {
    summary: 'Perp assets with their markets',
    fields: { dex },
    response: metaAndAssetCtxs,
  }),
  spotMetaAndAssetCtxs: ofExchange('spotMetaAndAssetCtxs', {
    summary: 'Spot pairs and tokens with their markets',
    response: spotMetaAndAssetCtxs,
  }),
  allMids: passed('allMids', { summary: 'Mid prices of all coins', fields: { dex }, response: allMids, weight: 2 }),
  perpDexs: ofExchange('perpDexs', { summary: 'Builder dexes', response: perpDexs }),
  l2Book: passed('l2Book', {
    summary: 'Aggregated book of a coin',
    fields: {
      coin: coinName,
      nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
      mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
    },
    response: l2Book,
    weight: 2,
    plain: { coin: 'BTC' },
  }),
  frontendOpenOrders: passed('frontendOpenOrders', {
    summary: 'Resting orders and waiting triggers of a wallet',
    fields: { user: wallet, dex },
    response: frontendOpenOrders,
    plain: { user: USER },
  }),
  orderStatus: passed('orderStatus', {
    summary: 'One order of a wallet, by oid or client order id',
    fields: { user: wallet, oid: oidOrCloid },
    response: orderStatusResponse,
    weight: 2,
    plain: { user: USER, oid: 1 },
  }),
  spotClearinghouseState: passed('spotClearinghouseState', {
    summary: 'Spot balances of a wallet',
    fields: { user: wallet, dex },
    response: spotClearinghouseState,
    weight: 2,
    plain: { user: USER },
  }),
  clearinghouseState: passed('clearinghouseState', {
    summary: 'Perp account of a wallet',
    fields: { user: wallet, dex },
    response: clearinghouseState,
    weight: 2,
    plain: { user: USER },
  }),
  userFunding: passed('userFunding', {
    summary: 'Funding payments of a wallet over a window of time',
    fields: { user: wallet, startTime: optionalTime, endTime: optionalTime },
    response: userFunding,
    rows: { max: FUNDING_HISTORY_ENTRIES_MAX, perWeight: 20 },
    plain: { user: USER },
  }),
  userFills: passed('userFills', {
    summary: 'Recent executions of a wallet',
    fields: { user: wallet, aggregateByTime: flag },
    response: z.array(fill),
    rows: HISTORY_ROWS,
    plain: { user: USER },
  }),
  userFillsByTime: passed('userFillsByTime', {
    summary: 'Executions of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag, reversed: flag },
    response: z.array(fill),
    rows: HISTORY_ROWS,
    plain: { user: USER, startTime: 1778000000000 },
  }),
  userTwapSliceFills: ofWallet('userTwapSliceFills', {
    summary: 'Executions of the TWAP orders of a wallet',
    response: z.array(z.looseObject({ fill, twapId: z.int() })),
    rows: HISTORY_ROWS,
  }),
  userRateLimit: ofWallet('userRateLimit', {
    summary: 'Request allowance of a wallet',
    response: z.looseObject({ nRequestsUsed: z.int(), nRequestsCap: z.int() }),
  }),
  userFees: ofWallet('userFees', {
    summary: 'Fees and volume of a wallet',
    response: z.looseObject({ userCrossRate: z.string(), userAddRate: z.string() }),
  }),
  subAccounts: ofWallet('subAccounts', {
    summary: 'Sub-accounts of a wallet',
    response: z.array(z.looseObject({ name: z.string(), subAccountUser: address })).nullable(),
  }),
  userRole: ofWallet('userRole', {
    summary: 'What a wallet is: a user, an agent, a vault or a sub-account',
    response: z.looseObject({ role: z.string() }),
    weight: 60,
  }),
  portfolio: ofWallet('portfolio', {
    summary: 'Account value and profit of a wallet over time',
    response: z.array(z.tuple([z.string(), object])),
  }),
  userVaultEquities: ofWallet('userVaultEquities', {
    summary: 'Vault deposits of a wallet',
    response: z.array(z.looseObject({ vaultAddress: address, equity: z.string() })),
  }),
  userNonFundingLedgerUpdates: passed('userNonFundingLedgerUpdates', {
    summary: 'Deposits, transfers and withdrawals of a wallet',
    fields: { user: wallet, startTime: optionalTime, endTime: optionalTime },
    response: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    rows: HISTORY_ROWS,
    plain: { user: USER },
  }),
  candleSnapshot: passed('candleSnapshot', {
    summary: 'Candles of a coin over a window of time',
    fields: {
      req: z
        .object({
          coin: coinName,
          interval: z.string().meta({ description: '1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 8h, 12h, 1d, 3d, 1w or 1M' }),
          startTime: millis,
          endTime: optionalTime,
        })
        .refine(endsAfterStart, ENDS_BEFORE_START),
    },
    response: z.array(
      z.looseObject({
        t: millis,
        T: millis,
        s: coinName,
        i: z.string(),
        o: decimalString,
        c: decimalString,
        h: decimalString,
        l: decimalString,
        v: decimalString,
        n: z.int(),
      }),
    ),
    rows: { max: 5_000, perWeight: 60 },
    plain: { req: { coin: 'BTC', interval: '1h', startTime: 1778000400000 } },
  }),
  recentTrades: passed('recentTrades', {
    summary: 'Recent trades of a coin',
    fields: { coin: coinName },
    response: z.array(
      z.looseObject({ coin: coinName, side: z.enum(['B', 'A']), px: decimalString, sz: decimalString, time: millis }),
    ),
    rows: HISTORY_ROWS,
    plain: { coin: 'BTC' },
  }),
  predictedFundings: ofExchange('predictedFundings', {
    summary: 'Predicted funding rates on several venues',
    response: z.array(z.tuple([coinName, z.array(z.tuple([z.string(), object.nullable()]))])),
  }),
  perpsAtOpenInterestCap: passed('perpsAtOpenInterestCap', {
    summary: 'Perps at their open interest cap',
    fields: { dex },
    response: z.array(coinName),
  }),
  perpDexLimits: passed('perpDexLimits', {
    summary: 'Limits of a builder dex',
    fields: { dex: z.string() },
    response: z.looseObject({ totalOiCap: z.string() }).nullable(),
    plain: { dex: 'xyz' },
  }),
  allPerpMetas: ofExchange('allPerpMetas', { summary: 'Perp assets of every dex', response: z.array(meta) }),
  activeAssetData: passed('activeAssetData', {
    summary: 'Leverage and largest order of a wallet in a coin',
    fields: { user: wallet, coin: coinName },
    response: z.looseObject({ user: address, coin: coinName, leverage: object }),
    plain: { user: USER, coin: 'BTC' },
  }),
  delegations: ofWallet('delegations', {
    summary: 'Staking delegations of a wallet',
    response: z.array(z.looseObject({ validator: address, amount: z.string() })),
  }),
  delegatorSummary: ofWallet('delegatorSummary', {
    summary: 'Staking summary of a wallet',
    response: z.looseObject({ delegated: z.string(), undelegated: z.string() }),
  }),
  delegatorHistory: ofWallet('delegatorHistory', {
    summary: 'Staking history of a wallet',
    response: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    rows: HISTORY_ROWS,
  }),
  delegatorRewards: ofWallet('delegatorRewards', {
    summary: 'Staking rewards of a wallet',
    response: z.array(z.looseObject({ time: millis, source: z.string(), totalAmount: z.string() })),
    rows: HISTORY_ROWS,
  }),
  outcomeMeta: ofExchange('outcomeMeta', {
    summary: 'Outcome markets',
    response: z.looseObject({ outcomes: objects, questions: objects }),
  }),
  settledOutcome: passed('settledOutcome', {
    summary: 'A settled outcome market',
    fields: { outcome: z.int() },
    response: object.nullable(),
    plain: { outcome: 1 },
  }),
  spotDeployState: ofWallet('spotDeployState', {
    summary: 'Spot deployment auction of a wallet',
    response: z.looseObject({ states: objects }),
  }),
  tokenDetails: passed('tokenDetails', {
    summary: 'One spot token',
    fields: { tokenId: z.string() },
    response: z.looseObject({ name: z.string(), szDecimals: z.int(), weiDecimals: z.int() }),
    plain: { tokenId: '0x00000000000000000000000000000000' },
  }),
  vaultDetails: passed('vaultDetails', {
    summary: 'One vault',
    fields: { vaultAddress: wallet, user: orAbsent(wallet) },
    response: z.looseObject({ name: z.string(), vaultAddress: address, leader: address }).nullable(),
    plain: { vaultAddress: VAULT },
  }),
  referral: ofWallet('referral', {
    summary: 'Referral state of a wallet',
    response: z.looseObject({ cumVlm: z.string() }),
  }),
  extraAgents: ofWallet('extraAgents', {
    summary: 'Agents approved by a wallet',
    response: z.array(z.looseObject({ address, name: z.string() })),
  }),
  maxBuilderFee: passed('maxBuilderFee', {
    summary: 'Largest builder fee that a wallet approved',
    fields: { user: wallet, builder: wallet },
    response: z.int(),
    plain: { user: USER, builder: VAULT },
  }),
  userAbstraction: ofWallet('userAbstraction', {
    summary: 'How the balances of a wallet are combined: standard, dex abstraction, unified or portfolio margin',
    response: z.string(),
  }),
  userDexAbstraction: ofWallet('userDexAbstraction', {
    summary: 'Whether a wallet shares its balance with builder dexes',
    response: z.boolean().nullable(),
  }),
  subAccounts2: ofWallet('subAccounts2', {
    summary: 'Sub-accounts of a wallet with their accounts on every dex',
    response: objects.nullable(),
  }),
  userToMultiSigSigners: ofWallet('userToMultiSigSigners', {
    summary: 'Signers of a multi-signature wallet',
    response: object.nullable(),
  }),
  approvedBuilders: ofWallet('approvedBuilders', {
    summary: 'Builders approved by a wallet',
    response: z.array(address),
  }),
  isVip: ofWallet('isVip', { summary: 'Whether a wallet is a VIP', response: z.boolean().nullable() }),
  legalCheck: ofWallet('legalCheck', { summary: 'Restrictions that apply to a wallet', response: object }),
  preTransferCheck: passed('preTransferCheck', {
    summary: 'Whether a transfer to a wallet is possible, and its fee',
    fields: { user: wallet, source: wallet },
    response: object,
    plain: { user: USER, source: VAULT },
  }),
  twapHistory: ofWallet('twapHistory', {
    summary: 'TWAP orders of a wallet with their states',
    response: objects,
    rows: HISTORY_ROWS,
  }),
  userTwapSliceFillsByTime: passed('userTwapSliceFillsByTime', {
    summary: 'Executions of the TWAP orders of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag },
    response: z.array(z.looseObject({ fill, twapId: z.int() })),
    rows: HISTORY_ROWS,
    plain: { user: USER, startTime: 1778000000000 },
  }),
  userBorrowLendInterest: passed('userBorrowLendInterest', {
    summary: 'Interest of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime },
    response: objects,
    rows: HISTORY_ROWS,
    plain: { user: USER, startTime: 1778000000000 },
  }),
  borrowLendUserState: ofWallet('borrowLendUserState', {
    summary: 'What a wallet borrowed and lent',
    response: object,
  }),
  borrowLendReserveState: passed('borrowLendReserveState', {
    summary: 'Rates and sums of one token that can be borrowed',
    fields: { token: z.int() },
    response: object,
    plain: { token: 0 },
  }),
  allBorrowLendReserveStates: ofExchange('allBorrowLendReserveStates', {
    summary: 'Rates and sums of every token that can be borrowed',
    response: z.array(z.tuple([z.int(), object])),
  }),
  alignedQuoteTokenInfo: passed('alignedQuoteTokenInfo', {
    summary: 'State of an aligned quote token',
    fields: { token: z.int() },
    response: object.nullable(),
    plain: { token: 0 },
  }),
  leadingVaults: ofWallet('leadingVaults', { summary: 'Vaults that a wallet leads', response: objects }),
  vaultSummaries: ofExchange('vaultSummaries', { summary: 'New vaults', response: objects }),
  exchangeStatus: ofExchange('exchangeStatus', {
    summary: 'Time of the exchange, and its special statuses',
    response: exchangeStatus,
    weight: 2,
  }),
  liquidatable: ofExchange('liquidatable', {
    summary: 'Accounts that can be liquidated',
    response: z.array(z.unknown()),
  }),
  marginTable: passed('marginTable', {
    summary: 'One margin table',
    fields: { id: z.int(), dex },
    response: object,
    plain: { id: 50 },
  }),
  perpDexStatus: passed('perpDexStatus', {
    summary: 'State of a builder dex',
    fields: { dex: z.string() },
    response: object,
    plain: { dex: 'xyz' },
  }),
  perpDeployAuctionStatus: ofExchange('perpDeployAuctionStatus', {
    summary: 'Auction for a perp listing',
    response: object,
  }),
  spotPairDeployAuctionStatus: ofExchange('spotPairDeployAuctionStatus', {
    summary: 'Auction for a spot listing',
    response: object,
  }),
  perpAnnotation: passed('perpAnnotation', {
    summary: 'Description of a perp of a builder dex',
    fields: { coin: coinName },
    response: object.nullable(),
    plain: { coin: 'xyz:GOLD' },
  }),
  perpConciseAnnotations: ofExchange('perpConciseAnnotations', {
    summary: 'Short descriptions of the perps of builder dexes',
    response: z.array(z.unknown()),
  }),
  perpCategories: ofExchange('perpCategories', {
    summary: 'Categories of the perps of builder dexes',
    response: z.array(z.unknown()),
  }),
  outcomeTemplates: ofExchange('outcomeTemplates', { summary: 'Templates of outcome markets', response: z.unknown() }),
  usdcRouting: ofExchange('usdcRouting', { summary: 'How transfers of USDC are routed', response: z.unknown() }),
  validatorSummaries: ofExchange('validatorSummaries', {
    summary: 'Validators with their stake and uptime',
    response: objects,
  }),
  validatorL1Votes: ofExchange('validatorL1Votes', {
    summary: 'Votes of the validators',
    response: z.array(z.unknown()),
  }),
  gossipRootIps: ofExchange('gossipRootIps', {
    summary: 'Addresses of peers for nodes',
    response: z.array(z.string()),
  }),
  gossipPriorityAuctionStatus: ofExchange('gossipPriorityAuctionStatus', {
    summary: 'Auction for priority in the gossip network',
    response: z.unknown(),
  }),
  webData2: ofWallet('webData2', { summary: 'What the exchange’s own pages show of a wallet', response: object }),
} as const satisfies Readonly<Record<PassThroughKind, object>>;
