import { address, coinName, decimalString, millis } from '../primitives.ts';
import { z } from '../zod.ts';
import { meta } from './meta.ts';

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
 * Responses of further kinds of the exchange that current SDKs and hosted services know (D15), with the fields that distinguish
 * each from other responses. The service passes them on unread; every other field is passed through.
 */
export const MORE_PASSED = {
  userFills: z.array(fill),
  userFillsByTime: z.array(fill),
  userTwapSliceFills: z.array(z.looseObject({ fill, twapId: z.int() })),
  userRateLimit: z.looseObject({ nRequestsUsed: z.int(), nRequestsCap: z.int() }),
  userFees: z.looseObject({ userCrossRate: z.string(), userAddRate: z.string() }),
  subAccounts: z.array(z.looseObject({ name: z.string(), subAccountUser: address })).nullable(),
  userRole: z.looseObject({ role: z.string() }),
  portfolio: z.array(z.tuple([z.string(), object])),
  userVaultEquities: z.array(z.looseObject({ vaultAddress: address, equity: z.string() })),
  userNonFundingLedgerUpdates: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
  candleSnapshot: z.array(
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
  recentTrades: z.array(
    z.looseObject({ coin: coinName, side: z.enum(['B', 'A']), px: decimalString, sz: decimalString, time: millis }),
  ),
  predictedFundings: z.array(z.tuple([coinName, z.array(z.tuple([z.string(), object.nullable()]))])),
  perpsAtOpenInterestCap: z.array(coinName),
  perpDexLimits: z.looseObject({ totalOiCap: z.string() }).nullable(),
  allPerpMetas: z.array(meta),
  activeAssetData: z.looseObject({ user: address, coin: coinName, leverage: object }),
  delegations: z.array(z.looseObject({ validator: address, amount: z.string() })),
  delegatorSummary: z.looseObject({ delegated: z.string(), undelegated: z.string() }),
  delegatorHistory: z.array(z.looseObject({ time: millis, hash: z.string(), delta: object })),
  delegatorRewards: z.array(z.looseObject({ time: millis, source: z.string(), totalAmount: z.string() })),
  outcomeMeta: z.looseObject({ outcomes: objects, questions: objects }),
  settledOutcome: object.nullable(),
  spotDeployState: z.looseObject({ states: objects }),
  tokenDetails: z.looseObject({ name: z.string(), szDecimals: z.int(), weiDecimals: z.int() }),
  vaultDetails: z.looseObject({ name: z.string(), vaultAddress: address, leader: address }).nullable(),
  referral: z.looseObject({ cumVlm: z.string() }),
  extraAgents: z.array(z.looseObject({ address, name: z.string() })),
  maxBuilderFee: z.int(),
} as const;
