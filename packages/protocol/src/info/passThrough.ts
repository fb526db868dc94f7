import { FUNDING_HISTORY_ENTRIES_MAX } from '../limits.ts';
import { address, coinName, decimalString, millis } from '../primitives.ts';
import { allMids } from '../upstream/allMids.ts';
import { clearinghouseState } from '../upstream/clearinghouseState.ts';
import { exchangeStatus } from '../upstream/exchangeStatus.ts';
import { frontendOpenOrders } from '../upstream/frontendOpenOrders.ts';
import { l2Book } from '../upstream/l2Book.ts';
import { meta, perpDexs } from '../upstream/meta.ts';
import { metaAndAssetCtxs } from '../upstream/metaAndAssetCtxs.ts';
import { orderStatusResponse } from '../upstream/orderStatus.ts';
import { spotClearinghouseState } from '../upstream/spotClearinghouseState.ts';
import { spotMeta } from '../upstream/spotMeta.ts';
import { spotMetaAndAssetCtxs } from '../upstream/spotMetaAndAssetCtxs.ts';
import { userFunding } from '../upstream/userFunding.ts';
import { z } from '../zod.ts';
import { dex, ENDS_BEFORE_START, endsAfterStart, optionalTime, orAbsent, wallet } from './fields.ts';

/** The weight and size of an upstream call. */
export interface UpstreamCost {
  /** The weight that the exchange counts for a request. */
  readonly weight: number;
  /** The rows that a response may have, and how many of them add one to the weight. */
  readonly rows?: { readonly max: number; readonly perWeight: number };
  /** Maximum bytes of a response, several times what the exchange sends at its own limits; never above 8 MiB. */
  readonly bytesMax: number;
}

/** One kind of the exchange, as it is written in the table below. */
interface PassedEntry<Fields extends z.core.$ZodLooseShape, Response extends z.ZodType> extends UpstreamCost {
  /** One line for the API reference. */
  readonly summary: string;
  /** The fields of a request besides `type`. Any other field is ignored (D7). */
  readonly fields: Fields;
  /** What the exchange returns, by the fields that identify it. The response is passed on unread. */
  readonly response: Response;
  /** The fewest fields of a valid request. An upstream that refuses this request does not serve the kind (D63). */
  readonly plain: Readonly<Record<string, unknown>>;
  /** A response, for the API reference. */
  readonly example: unknown;
}

function passed<Kind extends string, Fields extends z.core.$ZodLooseShape, Response extends z.ZodType>(
  type: Kind,
  { fields, ...entry }: PassedEntry<Fields, Response>,
) {
  const request = z.object({ type: z.literal(type), ...fields }).refine(endsAfterStart, ENDS_BEFORE_START);
  return { family: 'passThrough' as const, request, ...entry };
}

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** The largest limit. A response is parsed in one step, and 8 MiB take about 60 ms. */
export const RESPONSE_BYTES_MAX = 8 * MIB;

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

/**
 * Every kind of the exchange that is passed through, at 1 credit (D15). To add one, add its entry here and its name to the rule
 * INFO-38. Wallets are sent in lower case, and an optional field that is null counts as missing (D7).
 */
export const PASSED_KINDS = {
  meta: passed('meta', {
    summary: 'Perp assets',
    fields: { dex },
    response: meta,
    weight: 20,
    bytesMax: MIB,
    plain: {},
    example: {
      universe: [{ szDecimals: 5, name: 'BTC', maxLeverage: 40, marginTableId: 56 }],
      marginTables: [[56, { description: 'tiered 40x', marginTiers: [{ lowerBound: '0.0', maxLeverage: 40 }] }]],
      collateralToken: 0,
    },
  }),
  spotMeta: passed('spotMeta', {
    summary: 'Spot pairs and tokens',
    fields: {},
    response: spotMeta,
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: {
      universe: [
        { tokens: [1, 0], name: 'PURR/USDC', index: 0, isCanonical: true },
        { tokens: [150, 0], name: '@107', index: 107, isCanonical: false },
      ],
      tokens: [
        {
          name: 'USDC',
          szDecimals: 8,
          weiDecimals: 8,
          index: 0,
          tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054',
          isCanonical: true,
          evmContract: null,
          fullName: null,
          deployerTradingFeeShare: '0.0',
        },
      ],
    },
  }),
  metaAndAssetCtxs: passed('metaAndAssetCtxs', {
    summary: 'Perp assets with their markets',
    fields: { dex },
    response: metaAndAssetCtxs,
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [
      {
        universe: [{ szDecimals: 5, name: 'BTC', maxLeverage: 40, marginTableId: 56 }],
        marginTables: [[56, { description: 'tiered 40x', marginTiers: [{ lowerBound: '0.0', maxLeverage: 40 }] }]],
        collateralToken: 0,
      },
      [
        {
          funding: '0.0000125',
          openInterest: '25877.14916',
          prevDayPx: '80776.0',
          dayNtlVlm: '3677355032.5003023148',
          premium: null,
          oraclePx: '81306.0',
          markPx: '81307.0',
          midPx: '81307.5',
          impactPxs: ['81307.0', '81308.0'],
          dayBaseVlm: '32620.95969',
        },
      ],
    ],
  }),
  spotMetaAndAssetCtxs: passed('spotMetaAndAssetCtxs', {
    summary: 'Spot pairs and tokens with their markets',
    fields: {},
    response: spotMetaAndAssetCtxs,
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [
      {
        universe: [
          { tokens: [1, 0], name: 'PURR/USDC', index: 0, isCanonical: true },
          { tokens: [150, 0], name: '@107', index: 107, isCanonical: false },
        ],
        tokens: [
          {
            name: 'USDC',
            szDecimals: 8,
            weiDecimals: 8,
            index: 0,
            tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054',
            isCanonical: true,
            evmContract: null,
            fullName: null,
            deployerTradingFeeShare: '0.0',
          },
        ],
      },
      [
        {
          prevDayPx: '0.15365',
          dayNtlVlm: '2577699.1191099985',
          markPx: '0.14821',
          midPx: null,
          circulatingSupply: '596400647.8',
          coin: 'PURR/USDC',
          totalSupply: '596400654.3',
          dayBaseVlm: '17385481.0',
        },
      ],
    ],
  }),
  allMids: passed('allMids', {
    summary: 'Mid prices of all coins',
    fields: { dex },
    response: allMids,
    weight: 2,
    bytesMax: MIB,
    plain: {},
    example: { BTC: '81307.5', '@107': '28.718', 'xyz:GOLD': '4020.15' },
  }),
  perpDexs: passed('perpDexs', {
    summary: 'Builder dexes',
    fields: {},
    response: perpDexs,
    weight: 20,
    bytesMax: MIB,
    plain: {},
    example: [
      null,
      { name: 'xyz', fullName: 'XYZ', deployer: '0x00000000000000000000000000000000000000a1', oracleUpdater: null },
    ],
  }),
  l2Book: passed('l2Book', {
    summary: 'Aggregated book of a coin',
    fields: {
      coin: coinName,
      nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
      mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
    },
    response: l2Book,
    weight: 2,
    bytesMax: 256 * KIB,
    plain: { coin: 'BTC' },
    example: {
      coin: 'BTC',
      time: 1778002753024,
      levels: [[{ px: '81307.0', sz: '2.80623', n: 9 }], [{ px: '81308.0', sz: '8.81056', n: 58 }]],
      spread: '1.0',
    },
  }),
  frontendOpenOrders: passed('frontendOpenOrders', {
    summary: 'Resting orders and waiting triggers of a wallet',
    fields: { user: wallet, dex },
    response: frontendOpenOrders,
    weight: 20,
    bytesMax: 8 * MIB,
    plain: { user: USER },
    example: [
      {
        coin: 'BTC',
        side: 'A',
        limitPx: '81420.0',
        sz: '0.5',
        oid: 412036451273,
        timestamp: 1778002753024,
        triggerCondition: 'N/A',
        isTrigger: false,
        triggerPx: '0.0',
        children: [
          {
            coin: 'BTC',
            side: 'A',
            limitPx: '74632.0',
            sz: '0.5',
            oid: 412036451272,
            timestamp: 1778002753024,
            triggerCondition: 'Price below 81122',
            isTrigger: true,
            triggerPx: '81122.0',
            children: [],
            isPositionTpsl: false,
            reduceOnly: true,
            orderType: 'Stop Market',
            origSz: '0.5',
            tif: null,
          },
        ],
        isPositionTpsl: false,
        reduceOnly: false,
        orderType: 'Limit',
        origSz: '0.5',
        tif: 'Gtc',
      },
    ],
  }),
  orderStatus: passed('orderStatus', {
    summary: 'One order of a wallet, by oid or client order id',
    fields: { user: wallet, oid: oidOrCloid },
    response: orderStatusResponse,
    weight: 2,
    bytesMax: 256 * KIB,
    plain: { user: USER, oid: 1 },
    example: {
      status: 'order',
      order: {
        order: {
          coin: 'BTC',
          side: 'A',
          limitPx: '81420.0',
          sz: '0.0',
          oid: 412036451271,
          timestamp: 1778002753024,
          triggerCondition: 'N/A',
          isTrigger: false,
          triggerPx: '0.0',
          children: [],
          isPositionTpsl: false,
          reduceOnly: false,
          orderType: 'Limit',
          origSz: '0.5',
          tif: 'Gtc',
          cloid: null,
        },
        status: 'filled',
        statusTimestamp: 1778002753029,
      },
    },
  }),
  spotClearinghouseState: passed('spotClearinghouseState', {
    summary: 'Spot balances of a wallet',
    fields: { user: wallet, dex },
    response: spotClearinghouseState,
    weight: 2,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: {
      balances: [
        { coin: 'USDC', token: 0, total: '1204.5000000', hold: '81.307', entryNtl: '0.0' },
        { coin: 'HYPE', token: 150, total: '12.0', hold: '0.0', entryNtl: '301.44', supplied: '0.0' },
      ],
      tokenToAvailableAfterMaintenance: [
        [0, '1123.193'],
        [150, '12.0'],
      ],
      evmEscrows: [],
    },
  }),
  clearinghouseState: passed('clearinghouseState', {
    summary: 'Perp account of a wallet',
    fields: { user: wallet, dex },
    response: clearinghouseState,
    weight: 2,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: {
      marginSummary: {
        accountValue: '10450.221',
        totalNtlPos: '8130.7',
        totalRawUsd: '2319.521',
        totalMarginUsed: '203.2675',
      },
      crossMarginSummary: {
        accountValue: '10450.221',
        totalNtlPos: '8130.7',
        totalRawUsd: '2319.521',
        totalMarginUsed: '203.2675',
      },
      crossMaintenanceMarginUsed: '101.63',
      withdrawable: '10246.9535',
      assetPositions: [
        {
          type: 'oneWay',
          position: {
            coin: 'BTC',
            szi: '-0.1',
            leverage: { type: 'cross', value: 40 },
            entryPx: '81290.0',
            positionValue: '8130.7',
            unrealizedPnl: '-1.7',
            returnOnEquity: '-0.0084',
            liquidationPx: null,
            marginUsed: '203.2675',
            maxLeverage: 40,
            cumFunding: { allTime: '-3.1', sinceOpen: '0.0', sinceChange: '0.0' },
          },
        },
      ],
      time: 1778002753024,
    },
  }),
  userFunding: passed('userFunding', {
    summary: 'Funding payments of a wallet over a window of time',
    fields: { user: wallet, startTime: optionalTime, endTime: optionalTime },
    response: userFunding,
    weight: 20,
    rows: { max: FUNDING_HISTORY_ENTRIES_MAX, perWeight: 20 },
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: [
      {
        time: 1778002753024,
        hash: '0xabababababababababababababababababababababababababababababababab',
        delta: {
          type: 'funding',
          coin: 'BTC',
          usdc: '-0.145796',
          szi: '0.5',
          fundingRate: '0.0000125',
          nSamples: null,
        },
      },
    ],
  }),
  userFills: passed('userFills', {
    summary: 'Recent executions of a wallet',
    fields: { user: wallet, aggregateByTime: flag },
    response: z.array(fill),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      {
        coin: 'BTC',
        px: '81307.0',
        sz: '0.18007',
        side: 'B',
        time: 1778002753024,
        startPosition: '0.0',
        dir: 'Open Long',
        closedPnl: '0.0',
        hash: '0xabababababababababababababababababababababababababababababababab',
        oid: 412036451270,
        crossed: false,
        fee: '2.196',
        tid: 118906512037719,
        feeToken: 'USDC',
      },
    ],
  }),
  userFillsByTime: passed('userFillsByTime', {
    summary: 'Executions of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag, reversed: flag },
    response: z.array(fill),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER, startTime: 1778000000000 },
    example: [
      {
        coin: 'BTC',
        px: '81307.0',
        sz: '0.18007',
        side: 'B',
        time: 1778002753024,
        startPosition: '0.0',
        dir: 'Open Long',
        closedPnl: '0.0',
        hash: '0xabababababababababababababababababababababababababababababababab',
        oid: 412036451270,
        crossed: false,
        fee: '2.196',
        tid: 118906512037719,
        feeToken: 'USDC',
      },
    ],
  }),
  userTwapSliceFills: passed('userTwapSliceFills', {
    summary: 'Executions of the TWAP orders of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ fill, twapId: z.int() })),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      {
        fill: {
          coin: 'BTC',
          px: '81307.0',
          sz: '0.18007',
          side: 'B',
          time: 1778002753024,
          startPosition: '0.0',
          dir: 'Open Long',
          closedPnl: '0.0',
          hash: '0xabababababababababababababababababababababababababababababababab',
          oid: 412036451270,
          crossed: false,
          fee: '2.196',
          tid: 118906512037719,
          feeToken: 'USDC',
        },
        twapId: 3156,
      },
    ],
  }),
  userRateLimit: passed('userRateLimit', {
    summary: 'Request allowance of a wallet',
    fields: { user: wallet },
    response: z.looseObject({ nRequestsUsed: z.int(), nRequestsCap: z.int() }),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: { cumVlm: '2854574.59', nRequestsUsed: 2890, nRequestsCap: 2864574, nRequestsSurplus: 0 },
  }),
  userFees: passed('userFees', {
    summary: 'Fees and volume of a wallet',
    fields: { user: wallet },
    response: z.looseObject({ userCrossRate: z.string(), userAddRate: z.string() }),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: { userCrossRate: '0.000315', userAddRate: '0.000105', activeReferralDiscount: '0.0' },
  }),
  subAccounts: passed('subAccounts', {
    summary: 'Sub-accounts of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ name: z.string(), subAccountUser: address })).nullable(),
    weight: 20,
    bytesMax: 8 * MIB,
    plain: { user: USER },
    example: [{ name: 'Test', subAccountUser: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7', master: USER }],
  }),
  userRole: passed('userRole', {
    summary: 'What a wallet is: a user, an agent, a vault or a sub-account',
    fields: { user: wallet },
    response: z.looseObject({ role: z.string() }),
    weight: 60,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: { role: 'user' },
  }),
  portfolio: passed('portfolio', {
    summary: 'Account value and profit of a wallet over time',
    fields: { user: wallet },
    response: z.array(z.tuple([z.string(), object])),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      ['day', { accountValueHistory: [[1778002753024, '1204.5']], pnlHistory: [[1778002753024, '4.2']], vlm: '0.0' }],
    ],
  }),
  userVaultEquities: passed('userVaultEquities', {
    summary: 'Vault deposits of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ vaultAddress: address, equity: z.string() })),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: [
      {
        vaultAddress: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7',
        equity: '742500.08',
        lockedUntilTimestamp: 1778002753024,
      },
    ],
  }),
  userNonFundingLedgerUpdates: passed('userNonFundingLedgerUpdates', {
    summary: 'Deposits, transfers and withdrawals of a wallet',
    fields: { user: wallet, startTime: optionalTime, endTime: optionalTime },
    response: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      {
        time: 1778002753024,
        hash: '0xabababababababababababababababababababababababababababababababab',
        delta: { type: 'deposit', usdc: '100.0' },
      },
    ],
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
    weight: 20,
    rows: { max: 5_000, perWeight: 60 },
    bytesMax: 4 * MIB,
    plain: { req: { coin: 'BTC', interval: '1h', startTime: 1778000400000 } },
    example: [
      {
        t: 1778000400000,
        T: 1778001299999,
        s: 'BTC',
        i: '15m',
        o: '81300.0',
        c: '81307.0',
        h: '81310.0',
        l: '81290.0',
        v: '12.98639',
        n: 189,
      },
    ],
  }),
  recentTrades: passed('recentTrades', {
    summary: 'Recent trades of a coin',
    fields: { coin: coinName },
    response: z.array(
      z.looseObject({ coin: coinName, side: z.enum(['B', 'A']), px: decimalString, sz: decimalString, time: millis }),
    ),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 512 * KIB,
    plain: { coin: 'BTC' },
    example: [
      {
        coin: 'BTC',
        side: 'B',
        px: '81307.0',
        sz: '0.18007',
        hash: '0xabababababababababababababababababababababababababababababababab',
        time: 1778002753024,
        tid: 118906512037719,
        users: [USER, '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7'],
      },
    ],
  }),
  predictedFundings: passed('predictedFundings', {
    summary: 'Predicted funding rates on several venues',
    fields: {},
    response: z.array(z.tuple([coinName, z.array(z.tuple([z.string(), object.nullable()]))])),
    weight: 20,
    bytesMax: MIB,
    plain: {},
    example: [['BTC', [['HlPerp', { fundingRate: '0.0000125', nextFundingTime: 1778004000000 }]]]],
  }),
  perpsAtOpenInterestCap: passed('perpsAtOpenInterestCap', {
    summary: 'Perps at their open interest cap',
    fields: { dex },
    response: z.array(coinName),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: {},
    example: ['BADGER'],
  }),
  perpDexLimits: passed('perpDexLimits', {
    summary: 'Limits of a builder dex',
    fields: { dex: z.string() },
    response: z.looseObject({ totalOiCap: z.string() }).nullable(),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: { dex: 'xyz' },
    example: {
      totalOiCap: '20000000.0',
      oiSzCapPerPerp: '20000000000.0',
      maxTransferNtl: '100000000.0',
      coinToOiCap: [['xyz:GOLD', '100000000.0']],
    },
  }),
  allPerpMetas: passed('allPerpMetas', {
    summary: 'Perp assets of every dex',
    fields: {},
    response: z.array(meta),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [
      {
        universe: [{ szDecimals: 5, name: 'BTC', maxLeverage: 40, marginTableId: 56 }],
        marginTables: [[56, { description: 'tiered 40x', marginTiers: [{ lowerBound: '0.0', maxLeverage: 40 }] }]],
        collateralToken: 0,
      },
    ],
  }),
  activeAssetData: passed('activeAssetData', {
    summary: 'Leverage and largest order of a wallet in a coin',
    fields: { user: wallet, coin: coinName },
    response: z.looseObject({ user: address, coin: coinName, leverage: object }),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER, coin: 'BTC' },
    example: {
      user: USER,
      coin: 'BTC',
      leverage: { type: 'cross', value: 20 },
      maxTradeSzs: ['0.1', '0.1'],
      availableToTrade: ['400.0', '400.0'],
      markPx: '81307.0',
    },
  }),
  delegations: passed('delegations', {
    summary: 'Staking delegations of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ validator: address, amount: z.string() })),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: [
      {
        validator: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7',
        amount: '12060.16529862',
        lockedUntilTimestamp: 1778002753024,
      },
    ],
  }),
  delegatorSummary: passed('delegatorSummary', {
    summary: 'Staking summary of a wallet',
    fields: { user: wallet },
    response: z.looseObject({ delegated: z.string(), undelegated: z.string() }),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: { delegated: '12060.16529862', undelegated: '0.0', totalPendingWithdrawal: '0.0', nPendingWithdrawals: 0 },
  }),
  delegatorHistory: passed('delegatorHistory', {
    summary: 'Staking history of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      {
        time: 1778002753024,
        hash: '0xabababababababababababababababababababababababababababababababab',
        delta: {
          delegate: { validator: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7', amount: '10000.0', isUndelegate: false },
        },
      },
    ],
  }),
  delegatorRewards: passed('delegatorRewards', {
    summary: 'Staking rewards of a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ time: millis, source: z.string(), totalAmount: z.string() })),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [{ time: 1778002753024, source: 'delegation', totalAmount: '0.73117184' }],
  }),
  outcomeMeta: passed('outcomeMeta', {
    summary: 'Outcome markets',
    fields: {},
    response: z.looseObject({ outcomes: objects, questions: objects }),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: {
      outcomes: [{ outcome: 1, name: 'Recurring', sideSpecs: [{ name: 'Yes' }, { name: 'No' }] }],
      questions: [],
    },
  }),
  settledOutcome: passed('settledOutcome', {
    summary: 'A settled outcome market',
    fields: { outcome: z.int() },
    response: object.nullable(),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: { outcome: 1 },
    example: { outcome: 1, settleFraction: '1.0' },
  }),
  spotDeployState: passed('spotDeployState', {
    summary: 'Spot deployment auction of a wallet',
    fields: { user: wallet },
    response: z.looseObject({ states: objects }),
    weight: 20,
    bytesMax: MIB,
    plain: { user: USER },
    example: {
      states: [],
      gasAuction: {
        startTimeSeconds: 1778000400,
        durationSeconds: 111600,
        startGas: '181305.9',
        currentGas: null,
        endGas: '181291.2',
      },
    },
  }),
  tokenDetails: passed('tokenDetails', {
    summary: 'One spot token',
    fields: { tokenId: z.string() },
    response: z.looseObject({ name: z.string(), szDecimals: z.int(), weiDecimals: z.int() }),
    weight: 20,
    bytesMax: MIB,
    plain: { tokenId: '0x00000000000000000000000000000000' },
    example: { name: 'TEST', szDecimals: 0, weiDecimals: 5, midPx: '3.2', markPx: '3.2' },
  }),
  vaultDetails: passed('vaultDetails', {
    summary: 'One vault',
    fields: { vaultAddress: wallet, user: orAbsent(wallet) },
    response: z.looseObject({ name: z.string(), vaultAddress: address, leader: address }).nullable(),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: { vaultAddress: VAULT },
    example: { name: 'Test', vaultAddress: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7', leader: USER, apr: 0.36 },
  }),
  referral: passed('referral', {
    summary: 'Referral state of a wallet',
    fields: { user: wallet },
    response: z.looseObject({ cumVlm: z.string() }),
    weight: 20,
    bytesMax: MIB,
    plain: { user: USER },
    example: { referredBy: null, cumVlm: '149428.03', unclaimedRewards: '11.0', claimedRewards: '22.0' },
  }),
  extraAgents: passed('extraAgents', {
    summary: 'Agents approved by a wallet',
    fields: { user: wallet },
    response: z.array(z.looseObject({ address, name: z.string() })),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: [{ address: '0x0fd468a73084daa6ea77a9261e40fdec3e67e0c7', name: 'bot', validUntil: 1778002753024 }],
  }),
  maxBuilderFee: passed('maxBuilderFee', {
    summary: 'Largest builder fee that a wallet approved',
    fields: { user: wallet, builder: wallet },
    response: z.int(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER, builder: VAULT },
    example: 10,
  }),
  userAbstraction: passed('userAbstraction', {
    summary: 'How the balances of a wallet are combined: standard, dex abstraction, unified or portfolio margin',
    fields: { user: wallet },
    response: z.string(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: 'unifiedAccount',
  }),
  userDexAbstraction: passed('userDexAbstraction', {
    summary: 'Whether a wallet shares its balance with builder dexes',
    fields: { user: wallet },
    response: z.boolean().nullable(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: true,
  }),
  subAccounts2: passed('subAccounts2', {
    summary: 'Sub-accounts of a wallet with their accounts on every dex',
    fields: { user: wallet },
    response: objects.nullable(),
    weight: 20,
    bytesMax: 8 * MIB,
    plain: { user: USER },
    example: [
      {
        name: 'Sub',
        subAccountUser: '0x035605fc2f24d65300227189025e90a0d947f16c',
        master: USER,
        dexToClearinghouseState: [],
        spotState: { balances: [] },
      },
    ],
  }),
  userToMultiSigSigners: passed('userToMultiSigSigners', {
    summary: 'Signers of a multi-signature wallet',
    fields: { user: wallet },
    response: object.nullable(),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: { user: USER },
    example: { authorizedUsers: ['0x035605fc2f24d65300227189025e90a0d947f16c'], threshold: 1 },
  }),
  approvedBuilders: passed('approvedBuilders', {
    summary: 'Builders approved by a wallet',
    fields: { user: wallet },
    response: z.array(address),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: ['0x035605fc2f24d65300227189025e90a0d947f16c'],
  }),
  isVip: passed('isVip', {
    summary: 'Whether a wallet is a VIP',
    fields: { user: wallet },
    response: z.boolean().nullable(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: false,
  }),
  legalCheck: passed('legalCheck', {
    summary: 'Restrictions that apply to a wallet',
    fields: { user: wallet },
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER },
    example: { ipAllowed: true, acceptedTerms: true, userAllowed: true },
  }),
  preTransferCheck: passed('preTransferCheck', {
    summary: 'Whether a transfer to a wallet is possible, and its fee',
    fields: { user: wallet, source: wallet },
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { user: USER, source: VAULT },
    example: { fee: '0.0', isSanctioned: false, userExists: true, userHasSentTx: true },
  }),
  twapHistory: passed('twapHistory', {
    summary: 'TWAP orders of a wallet with their states',
    fields: { user: wallet },
    response: objects,
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER },
    example: [
      {
        time: 1778002753,
        state: {
          coin: 'BTC',
          user: USER,
          side: 'B',
          sz: '1.0',
          executedSz: '0.5',
          executedNtl: '40653.5',
          minutes: 30,
          reduceOnly: false,
          randomize: false,
          timestamp: 1778002753024,
        },
        status: { status: 'activated' },
        twapId: 1,
      },
    ],
  }),
  userTwapSliceFillsByTime: passed('userTwapSliceFillsByTime', {
    summary: 'Executions of the TWAP orders of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime, aggregateByTime: flag },
    response: z.array(z.looseObject({ fill, twapId: z.int() })),
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER, startTime: 1778000000000 },
    example: [
      {
        fill: {
          coin: 'BTC',
          px: '81307.0',
          sz: '0.18007',
          side: 'B',
          time: 1778002753024,
          startPosition: '0.0',
          dir: 'Open Long',
          closedPnl: '0.0',
          hash: '0xabababababababababababababababababababababababababababababababab',
          oid: 412036451270,
          crossed: false,
          fee: '2.196',
          tid: 118906512037719,
          feeToken: 'USDC',
        },
        twapId: 3156,
      },
    ],
  }),
  userBorrowLendInterest: passed('userBorrowLendInterest', {
    summary: 'Interest of a wallet over a window of time',
    fields: { user: wallet, startTime: millis, endTime: optionalTime },
    response: objects,
    weight: 20,
    rows: HISTORY_ROWS,
    bytesMax: 4 * MIB,
    plain: { user: USER, startTime: 1778000000000 },
    example: [{ time: 1778000400000, token: 'USDC', borrow: '0.0', supply: '0.00134' }],
  }),
  borrowLendUserState: passed('borrowLendUserState', {
    summary: 'What a wallet borrowed and lent',
    fields: { user: wallet },
    response: object,
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: {
      tokenToState: [[0, { borrow: { basis: '0.0', value: '0.0' }, supply: { basis: '44.69', value: '44.70' } }]],
      health: 'healthy',
      healthFactor: null,
    },
  }),
  borrowLendReserveState: passed('borrowLendReserveState', {
    summary: 'Rates and sums of one token that can be borrowed',
    fields: { token: z.int() },
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { token: 0 },
    example: {
      borrowYearlyRate: '0.05',
      supplyYearlyRate: '0.0044',
      balance: '1000.0',
      utilization: '0.1',
      oraclePx: '1.0',
      ltv: '0.0',
      totalSupplied: '1000.0',
      totalBorrowed: '100.0',
    },
  }),
  allBorrowLendReserveStates: passed('allBorrowLendReserveStates', {
    summary: 'Rates and sums of every token that can be borrowed',
    fields: {},
    response: z.array(z.tuple([z.int(), object])),
    weight: 20,
    bytesMax: 512 * KIB,
    plain: {},
    example: [[0, { borrowYearlyRate: '0.05', supplyYearlyRate: '0.0044', oraclePx: '1.0' }]],
  }),
  alignedQuoteTokenInfo: passed('alignedQuoteTokenInfo', {
    summary: 'State of an aligned quote token',
    fields: { token: z.int() },
    response: object.nullable(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { token: 0 },
    example: {
      isAligned: true,
      firstAlignedTime: 1758949452538,
      evmMintedSupply: '0.0',
      dailyAmountOwed: [],
      predictedRate: '0.01',
    },
  }),
  leadingVaults: passed('leadingVaults', {
    summary: 'Vaults that a wallet leads',
    fields: { user: wallet },
    response: objects,
    weight: 20,
    bytesMax: 512 * KIB,
    plain: { user: USER },
    example: [{ address: '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303', name: 'Vault' }],
  }),
  vaultSummaries: passed('vaultSummaries', {
    summary: 'New vaults',
    fields: {},
    response: objects,
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [
      {
        name: 'Vault',
        vaultAddress: '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303',
        leader: USER,
        tvl: '100.0',
        isClosed: false,
        relationship: { type: 'normal' },
        createTimeMillis: 1778002753024,
      },
    ],
  }),
  exchangeStatus: passed('exchangeStatus', {
    summary: 'Time of the exchange, and its special statuses',
    fields: {},
    response: exchangeStatus,
    weight: 2,
    bytesMax: 64 * KIB,
    plain: {},
    example: { time: 1778002753024, specialStatuses: null },
  }),
  liquidatable: passed('liquidatable', {
    summary: 'Accounts that can be liquidated',
    fields: {},
    response: z.array(z.unknown()),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [],
  }),
  marginTable: passed('marginTable', {
    summary: 'One margin table',
    fields: { id: z.int(), dex },
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { id: 50 },
    example: { description: '', marginTiers: [{ lowerBound: '0.0', maxLeverage: 50 }] },
  }),
  perpDexStatus: passed('perpDexStatus', {
    summary: 'State of a builder dex',
    fields: { dex: z.string() },
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { dex: 'xyz' },
    example: { totalNetDeposit: '4103492.112' },
  }),
  perpDeployAuctionStatus: passed('perpDeployAuctionStatus', {
    summary: 'Auction for a perp listing',
    fields: {},
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: {},
    example: {
      startTimeSeconds: 1778000400,
      durationSeconds: 111600,
      startGas: '500.0',
      currentGas: '500.0',
      endGas: null,
    },
  }),
  spotPairDeployAuctionStatus: passed('spotPairDeployAuctionStatus', {
    summary: 'Auction for a spot listing',
    fields: {},
    response: object,
    weight: 20,
    bytesMax: 64 * KIB,
    plain: {},
    example: {
      startTimeSeconds: 1778000400,
      durationSeconds: 111600,
      startGas: '500.0',
      currentGas: '500.0',
      endGas: null,
    },
  }),
  perpAnnotation: passed('perpAnnotation', {
    summary: 'Description of a perp of a builder dex',
    fields: { coin: coinName },
    response: object.nullable(),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: { coin: 'xyz:GOLD' },
    example: { category: 'commodities', description: 'Tracks the value of 1 troy oz of gold.' },
  }),
  perpConciseAnnotations: passed('perpConciseAnnotations', {
    summary: 'Short descriptions of the perps of builder dexes',
    fields: {},
    response: z.array(z.unknown()),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [['xyz:GOLD', { category: 'commodities' }]],
  }),
  perpCategories: passed('perpCategories', {
    summary: 'Categories of the perps of builder dexes',
    fields: {},
    response: z.array(z.unknown()),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [['xyz:GOLD', 'commodities']],
  }),
  outcomeTemplates: passed('outcomeTemplates', {
    summary: 'Templates of outcome markets',
    fields: {},
    response: z.unknown(),
    weight: 20,
    bytesMax: 4 * MIB,
    plain: {},
    example: [],
  }),
  usdcRouting: passed('usdcRouting', {
    summary: 'How transfers of USDC are routed',
    fields: {},
    response: z.unknown(),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: {},
    example: {},
  }),
  validatorSummaries: passed('validatorSummaries', {
    summary: 'Validators with their stake and uptime',
    fields: {},
    response: objects,
    weight: 20,
    bytesMax: MIB,
    plain: {},
    example: [
      {
        validator: '0x000000000056f99d36b6f2e0c51fd41496bbacb8',
        name: 'ValiDAO',
        stake: 25000000,
        isJailed: false,
        isActive: true,
      },
    ],
  }),
  validatorL1Votes: passed('validatorL1Votes', {
    summary: 'Votes of the validators',
    fields: {},
    response: z.array(z.unknown()),
    weight: 20,
    bytesMax: MIB,
    plain: {},
    example: [],
  }),
  gossipRootIps: passed('gossipRootIps', {
    summary: 'Addresses of peers for nodes',
    fields: {},
    response: z.array(z.string()),
    weight: 20,
    bytesMax: 64 * KIB,
    plain: {},
    example: ['192.0.2.1'],
  }),
  gossipPriorityAuctionStatus: passed('gossipPriorityAuctionStatus', {
    summary: 'Auction for priority in the gossip network',
    fields: {},
    response: z.unknown(),
    weight: 20,
    bytesMax: 256 * KIB,
    plain: {},
    example: [],
  }),
  webData2: passed('webData2', {
    summary: 'What the exchange’s own pages show of a wallet',
    fields: { user: wallet },
    response: object,
    weight: 20,
    bytesMax: 8 * MIB,
    plain: { user: USER },
    example: { user: USER, serverTime: 1778002753024, openOrders: [], isVault: false },
  }),
} as const;

export type PassThroughKind = keyof typeof PASSED_KINDS;
