import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { sharedInfoRig, walletOf } from './test-support/info-rig.ts';

const rig = sharedInfoRig();

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

/** States of the exchange with rows and fields that the specification does not know. */
const STATES = {
  spotClearinghouseState: [
    '{"balances":[{"coin":"USDC","token":0,"total":"100.0","hold":"0.0","entryNtl":"0.0"},{"coin":"+1230","total":"25.0","hold":"0.0","entryNtl":"12.5"},{"coin":"o77","total":"4.0","hold":"0.0"}]}',
    '{"balances":[{"coin":"USDC","token":0,"total":"-3.5","hold":"612.4","entryNtl":"0.0","borrowed":"3.5","supplied":null,"spotHold":"0.0","ltv":0.5}],"evmEscrows":[{"coin":"PURR","token":1,"total":"1.0"}],"portfolioMarginEnabled":true}',
    '{"balances":[{"coin":"HYPE","token":150,"total":null,"hold":null,"entryNtl":null},null,7],"tokenToAvailableAfterMaintenance":[[0,"1.0",2]]}',
  ],
  clearinghouseState: [
    '{"marginSummary":null,"withdrawable":null,"assetPositions":[{"type":"hedge"},null],"time":"later","evmEscrows":[]}',
    '{"assetPositions":[]}',
  ],
} as const;

it.each([
  ['batchSpotClearinghouseState', 'spotClearinghouseState'],
  ['batchClearinghouseState', 'clearinghouseState'],
] as const)('[INFO-50] %s passes on rows and fields of a wallet that are not known', async (type, perWallet) => {
  for (const [at, text] of STATES[perWallet].entries())
    rig.respond(`${perWallet} ${walletOf(at)}`, { status: 200, text });
  const users = STATES[perWallet].map((_, at) => walletOf(at));
  const response = await rig.ask({ type, users });
  const slots = STATES[perWallet].map((text, at) => `{"user":"${walletOf(at)}",${text.slice(1)}`);
  expect([response.status, response.text]).toEqual([200, `[${slots.join()}]`]);
});

it.each([['[]'], ['null'], ['"a"'], ['{"balances":null}'], ['{}']])(
  '[BATCH-31] the slot of a wallet whose state is %s fails',
  async (text) => {
    rig.respond('spotClearinghouseState', { status: 200, text });
    const response = await rig.ask({ type: 'batchSpotClearinghouseState', users: [walletOf(9)] });
    expect(response.json()).toMatchObject([{ error: 'upstream_error', user: walletOf(9) }]);
  },
);
