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
import { batchWallets } from './batch.ts';
import { dex, ENDS_BEFORE_START, endsAfterStart, optionalTime, orAbsent, wallet } from './request.ts';

/** The weight of an upstream call. */
export interface UpstreamCost {
  readonly weight: number;
  /** The rows that a response may have, and how many of them add one to the weight. */
  readonly rows?: { readonly max: number; readonly perWeight: number };
}

/** What the entry of a kind may say besides its summary, fields and response. */
interface PassedOptions extends Partial<UpstreamCost> {
  /** The fewest fields of a valid request besides `user`. An upstream that refuses it does not serve the kind (D63). Default: none. */
  readonly plain?: Readonly<Record<string, unknown>>;
}

/**
 * One kind. `fields`: those of a request besides `type`; any other is ignored (D7). `response`: only the fields that
 * identify it, because it is passed on unread.
 */
function passed<Fields extends z.core.$ZodLooseShape, Response extends z.ZodType>(
  summary: string,
  fields: Fields,
  response: Response,
  { weight = 20, plain, ...rows }: PassedOptions = {},
) {
  const user = fields.user === wallet ? { user: USER } : {};
  return { summary, fields, response, weight, plain: { ...user, ...plain }, ...rows };
}

/** A kind without fields. */
function ofExchange<Response extends z.ZodType>(summary: string, response: Response, options?: PassedOptions) {
  return passed(summary, {}, response, options);
}

/** A kind whose only field is a wallet. */
function ofWallet<Response extends z.ZodType>(summary: string, response: Response, options?: PassedOptions) {
  return passed(summary, { user: wallet }, response, options);
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
const KINDS = {
  meta: passed('Perp assets', { dex }, meta),
  spotMeta: ofExchange('Spot pairs and tokens', spotMeta),
  metaAndAssetCtxs: passed('Perp assets with their markets', { dex }, metaAndAssetCtxs),
  spotMetaAndAssetCtxs: ofExchange('Spot pairs and tokens with their markets', spotMetaAndAssetCtxs),
  allMids: passed('Mid prices of all coins', { dex }, allMids, { weight: 2 }),
  perpDexs: ofExchange('Builder dexes', perpDexs),
  l2Book: passed(
    'Aggregated book of a coin',
    {
      coin: coinName,
      nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
      mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
    },
    l2Book,
    { weight: 2, plain: { coin: 'BTC' } },
  ),
  frontendOpenOrders: passed(
    'Resting orders and waiting triggers of a wallet',
    { user: wallet, dex },
    frontendOpenOrders,
  ),
  orderStatus: passed(
    'One order of a wallet, by oid or client order id',
    { user: wallet, oid: oidOrCloid },
    orderStatusResponse,
    { weight: 2, plain: { oid: 1 } },
  ),
  spotClearinghouseState: passed('Spot balances of a wallet', { user: wallet, dex }, spotClearinghouseState, {
    weight: 2,
  }),
  clearinghouseState: passed('Perp account of a wallet', { user: wallet, dex }, clearinghouseState, { weight: 2 }),
  batchClearinghouseStates: passed(
    'Perp accounts of several wallets, in the form of the exchange',
    { users: batchWallets, dex },
    z.array(clearinghouseState.nullable()),
    { plain: { users: [USER] } },
  ),
  userFunding: passed(
    'Funding payments of a wallet over a window of time',
    { user: wallet, startTime: optionalTime, endTime: optionalTime },
    userFunding,
    { rows: { max: FUNDING_HISTORY_ENTRIES_MAX, perWeight: 20 } },
  ),
  userFills: passed('Recent executions of a wallet', { user: wallet, aggregateByTime: flag }, z.array(fill), {
    rows: HISTORY_ROWS,
  }),
  userFillsByTime: passed(
    'Executions of a wallet over a window of time',
    { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag, reversed: flag },
    z.array(fill),
    { rows: HISTORY_ROWS, plain: { startTime: 1778000000000 } },
  ),
  userTwapSliceFills: ofWallet(
    'Executions of the TWAP orders of a wallet',
    z.array(z.looseObject({ fill, twapId: z.int() })),
    { rows: HISTORY_ROWS },
  ),
  userRateLimit: ofWallet(
    'Request allowance of a wallet',
    z.looseObject({ nRequestsUsed: z.int(), nRequestsCap: z.int() }),
  ),
  userFees: ofWallet(
    'Fees and volume of a wallet',
    z.looseObject({ userCrossRate: z.string(), userAddRate: z.string() }),
  ),
  subAccounts: ofWallet(
    'Sub-accounts of a wallet',
    z.array(z.looseObject({ name: z.string(), subAccountUser: address })).nullable(),
  ),
  userRole: ofWallet(
    'What a wallet is: a user, an agent, a vault or a sub-account',
    z.looseObject({ role: z.string() }),
    { weight: 60 },
  ),
  portfolio: ofWallet('Account value and profit of a wallet over time', z.array(z.tuple([z.string(), object]))),
  userVaultEquities: ofWallet(
    'Vault deposits of a wallet',
    z.array(z.looseObject({ vaultAddress: address, equity: z.string() })),
  ),
  userNonFundingLedgerUpdates: passed(
    'Deposits, transfers and withdrawals of a wallet',
    { user: wallet, startTime: optionalTime, endTime: optionalTime },
    z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    { rows: HISTORY_ROWS },
  ),
  candleSnapshot: passed(
    'Candles of a coin over a window of time',
    {
      req: z
        .object({
          coin: coinName,
          interval: z.string().meta({ description: '1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 8h, 12h, 1d, 3d, 1w or 1M' }),
          startTime: millis,
          endTime: optionalTime,
        })
        .refine(endsAfterStart, ENDS_BEFORE_START),
    },
    z.array(
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
    { rows: { max: 5_000, perWeight: 60 }, plain: { req: { coin: 'BTC', interval: '1h', startTime: 1778000400000 } } },
  ),
  recentTrades: passed(
    'Recent trades of a coin',
    { coin: coinName },
    z.array(
      z.looseObject({ coin: coinName, side: z.enum(['B', 'A']), px: decimalString, sz: decimalString, time: millis }),
    ),
    { rows: HISTORY_ROWS, plain: { coin: 'BTC' } },
  ),
  predictedFundings: ofExchange(
    'Predicted funding rates on several venues',
    z.array(z.tuple([coinName, z.array(z.tuple([z.string(), object.nullable()]))])),
  ),
  perpsAtOpenInterestCap: passed('Perps at their open interest cap', { dex }, z.array(coinName)),
  perpDexLimits: passed(
    'Limits of a builder dex',
    { dex: z.string() },
    z.looseObject({ totalOiCap: z.string() }).nullable(),
    { plain: { dex: 'xyz' } },
  ),
  allPerpMetas: ofExchange('Perp assets of every dex', z.array(meta)),
  activeAssetData: passed(
    'Leverage and largest order of a wallet in a coin',
    { user: wallet, coin: coinName },
    z.looseObject({ user: address, coin: coinName, leverage: object }),
    { plain: { coin: 'BTC' } },
  ),
  delegations: ofWallet(
    'Staking delegations of a wallet',
    z.array(z.looseObject({ validator: address, amount: z.string() })),
  ),
  delegatorSummary: ofWallet(
    'Staking summary of a wallet',
    z.looseObject({ delegated: z.string(), undelegated: z.string() }),
  ),
  delegatorHistory: ofWallet(
    'Staking history of a wallet',
    z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    { rows: HISTORY_ROWS },
  ),
  delegatorRewards: ofWallet(
    'Staking rewards of a wallet',
    z.array(z.looseObject({ time: millis, source: z.string(), totalAmount: z.string() })),
    { rows: HISTORY_ROWS },
  ),
  outcomeMeta: ofExchange('Outcome markets', z.looseObject({ outcomes: objects, questions: objects })),
  settledOutcome: passed('A settled outcome market', { outcome: z.int() }, object.nullable(), {
    plain: { outcome: 1 },
  }),
  spotDeployState: ofWallet('Spot deployment auction of a wallet', z.looseObject({ states: objects })),
  tokenDetails: passed(
    'One spot token',
    { tokenId: z.string() },
    z.looseObject({ name: z.string(), szDecimals: z.int(), weiDecimals: z.int() }),
    { plain: { tokenId: '0x00000000000000000000000000000000' } },
  ),
  vaultDetails: passed(
    'One vault',
    { vaultAddress: wallet, user: orAbsent(wallet) },
    z.looseObject({ name: z.string(), vaultAddress: address, leader: address }).nullable(),
    { plain: { vaultAddress: VAULT } },
  ),
  referral: ofWallet('Referral state of a wallet', z.looseObject({ cumVlm: z.string() })),
  extraAgents: ofWallet('Agents approved by a wallet', z.array(z.looseObject({ address, name: z.string() }))),
  maxBuilderFee: passed('Largest builder fee that a wallet approved', { user: wallet, builder: wallet }, z.int(), {
    plain: { builder: VAULT },
  }),
  userAbstraction: ofWallet(
    'How the balances of a wallet are combined: standard, dex abstraction, unified or portfolio margin',
    z.string(),
  ),
  userDexAbstraction: ofWallet('Whether a wallet shares its balance with builder dexes', z.boolean().nullable()),
  subAccounts2: ofWallet('Sub-accounts of a wallet with their accounts on every dex', objects.nullable()),
  userToMultiSigSigners: ofWallet('Signers of a multi-signature wallet', object.nullable()),
  approvedBuilders: ofWallet('Builders approved by a wallet', z.array(address)),
  isVip: ofWallet('Whether a wallet is a VIP', z.boolean().nullable()),
  legalCheck: ofWallet('Restrictions that apply to a wallet', object),
  preTransferCheck: passed(
    'Whether a transfer to a wallet is possible, and its fee',
    { user: wallet, source: wallet },
    object,
    { plain: { source: VAULT } },
  ),
  twapHistory: ofWallet('TWAP orders of a wallet with their states', objects, { rows: HISTORY_ROWS }),
  userTwapSliceFillsByTime: passed(
    'Executions of the TWAP orders of a wallet over a window of time',
    { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag },
    z.array(z.looseObject({ fill, twapId: z.int() })),
    { rows: HISTORY_ROWS, plain: { startTime: 1778000000000 } },
  ),
  userBorrowLendInterest: passed(
    'Interest of a wallet over a window of time',
    { user: wallet, startTime: millis, endTime: optionalTime },
    objects,
    { rows: HISTORY_ROWS, plain: { startTime: 1778000000000 } },
  ),
  borrowLendUserState: ofWallet('What a wallet borrowed and lent', object),
  borrowLendReserveState: passed('Rates and sums of one token that can be borrowed', { token: z.int() }, object, {
    plain: { token: 0 },
  }),
  allBorrowLendReserveStates: ofExchange(
    'Rates and sums of every token that can be borrowed',
    z.array(z.tuple([z.int(), object])),
  ),
  alignedQuoteTokenInfo: passed('State of an aligned quote token', { token: z.int() }, object.nullable(), {
    plain: { token: 0 },
  }),
  leadingVaults: ofWallet('Vaults that a wallet leads', objects),
  vaultSummaries: ofExchange('New vaults', objects),
  exchangeStatus: ofExchange('Time of the exchange, and its special statuses', exchangeStatus, { weight: 2 }),
  liquidatable: ofExchange('Accounts that can be liquidated', z.array(z.unknown())),
  marginTable: passed('One margin table', { id: z.int(), dex }, object, { plain: { id: 50 } }),
  perpDexStatus: passed('State of a builder dex', { dex: z.string() }, object, { plain: { dex: 'xyz' } }),
  perpDeployAuctionStatus: ofExchange('Auction for a perp listing', object),
  spotPairDeployAuctionStatus: ofExchange('Auction for a spot listing', object),
  perpAnnotation: passed('Description of a perp of a builder dex', { coin: coinName }, object.nullable(), {
    plain: { coin: 'xyz:GOLD' },
  }),
  perpConciseAnnotations: ofExchange('Short descriptions of the perps of builder dexes', z.array(z.unknown())),
  perpCategories: ofExchange('Categories of the perps of builder dexes', z.array(z.unknown())),
  outcomeDeployerLimits: passed('Outcomes that a venue may still deploy', { venue: z.string() }, object.nullable(), {
    plain: { venue: 'out' },
  }),
  outcomeTemplates: ofExchange('Templates of outcome markets', z.unknown()),
  usdcRouting: ofExchange('How transfers of USDC are routed', z.unknown()),
  validatorSummaries: ofExchange('Validators with their stake and uptime', objects),
  validatorL1Votes: ofExchange('Votes of the validators', z.array(z.unknown())),
  gossipRootIps: ofExchange('Addresses of peers for nodes', z.array(z.string())),
  gossipPriorityAuctionStatus: ofExchange('Auction for priority in the gossip network', z.unknown()),
  webData2: ofWallet('What the exchange’s own pages show of a wallet', object),
};

type Kinds = typeof KINDS;

/** A kind that is passed through, by its wire name. */
export type PassThroughKind = keyof Kinds;

type Passed<Kind extends string, Entry extends { readonly fields: z.core.$ZodLooseShape }> = Omit<Entry, 'fields'> & {
  readonly family: 'passThrough';
  readonly request: z.ZodObject<{ type: z.ZodLiteral<Kind> } & Entry['fields']>;
};

/** The same, with the schema of a whole request. */
export const PASSED_KINDS = Object.fromEntries(
  Object.entries(KINDS).map(([type, { fields, ...kind }]) => {
    const request = z.object({ type: z.literal(type), ...fields }).refine(endsAfterStart, ENDS_BEFORE_START);
    return [type, { family: 'passThrough', request, ...kind }];
  }),
) as unknown as { readonly [Kind in PassThroughKind]: Passed<Kind, Kinds[Kind]> };
