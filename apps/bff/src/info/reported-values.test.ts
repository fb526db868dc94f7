import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

const order = {
  coin: 'BTC',
  side: 'B',
  limitPx: '81307.0',
  sz: 'NaN',
  oid: 1,
  timestamp: 1_778_002_752_000,
  origSz: '1.0',
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: 'inf',
  children: [],
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: 'Gtc',
  cloid: null,
};
const summary = { accountValue: 'NaN', totalNtlPos: '0.0', totalRawUsd: '1.0', totalMarginUsed: '0.0' };
const balance = { coin: 'USDC', token: 0, total: '1.0', hold: 'NaN', entryNtl: '-inf' };

/** Responses of the kinds that are checked, with values that are not decimals. */
const RESPONSES: Partial<Record<InfoKind, unknown>> = {
  openOrders: [order, { ...order, limitPx: 'NaN' }],
  historicalOrders: [
    { order: { ...order, children: [{ ...order, origSz: '' }] }, status: 'filled', statusTimestamp: 1_778_002_752_001 },
  ],
  maxMarketOrderNtls: [
    [50, 'NaN'],
    [25, '1.0'],
  ],
  fundingHistory: [{ coin: 'BTC', fundingRate: 'NaN', premium: '1e-7', time: 1_778_002_752_000 }],
  spotClearinghouseState: { balances: [balance], tokenToAvailableAfterMaintenance: [[0, 'NaN']] },
  clearinghouseState: {
    marginSummary: summary,
    crossMarginSummary: summary,
    withdrawable: 'NaN',
    assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi: 'NaN' } }],
    time: 1_778_002_752_000,
  },
};

it.each(['openOrders', 'historicalOrders', 'maxMarketOrderNtls', 'fundingHistory'] as const)(
  '[INFO-31] passes through values of %s that are not numbers, byte for byte',
  async (type) => {
    const text = JSON.stringify(RESPONSES[type], null, 1);
    rig.respond(type, { status: 200, text });
    const response = await rig.ask({ type, user: walletOf(1), coin: 'BTC', startTime: 0 });
    expect([response.status, response.text]).toEqual([200, text]);
  },
);

it.each(['batchSpotClearinghouseState', 'batchClearinghouseState'] as const)(
  '[INFO-31] passes through values of a wallet in %s that are not numbers',
  async (type) => {
    const { perWallet } = INFO_KINDS[type];
    const state = RESPONSES[perWallet] as object;
    rig.respond(perWallet, { json: state });
    const response = await rig.ask({ type, users: [walletOf(1)] });
    expect(response.json()).toEqual([{ user: walletOf(1), ...state }]);
  },
);

it('[UP-15] rejects a value that is not a string', async () => {
  rig.respond('openOrders', { json: [{ ...order, sz: 1 }] });
  expect(rig.errorOf(await rig.ask({ type: 'openOrders', user: walletOf(1) })).error).toBe('upstream_error');
});
