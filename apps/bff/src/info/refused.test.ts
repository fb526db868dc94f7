import { INFO_KINDS, type InfoKind, type Readiness } from '@l4desk/protocol';
import { type FakeQuery, type FakeResponse, http } from '@l4desk/testkit/service';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sharedInfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';
import { UNSERVED_MS } from './upstream-failure.ts';

const rig = sharedInfoRig();

let responses: readonly (readonly [string, FakeResponse | ((query: FakeQuery, count: number) => FakeResponse)])[];

beforeAll(() => {
  responses = [...rig.exchange.responses];
});

afterEach(() => {
  rig.exchange.responses.clear();
  for (const [words, response] of responses) rig.exchange.responses.set(words, response);
});

/** Fields of the kinds below. The service ignores those that a kind does not have (D7). */
const FIELDS = {
  user: walletOf(1),
  coin: 'BTC',
  startTime: 0,
  oid: 1,
  req: { coin: 'BTC', interval: '1h', startTime: 0 },
};

const REFUSALS = [
  [400, '{"error":"bad"}'],
  [422, 'Failed to deserialize the JSON body into the target type'],
] as const;

/** Kinds that are one call of the same kind upstream: all that are checked, and some that are passed through. */
const KINDS = (Object.keys(INFO_KINDS) as InfoKind[]).filter(
  (kind) =>
    INFO_KINDS[kind].family === 'checked' || ['allMids', 'candleSnapshot', 'l2Book', 'orderStatus'].includes(kind),
);

function queryOf(type: InfoKind): object {
  const entry = INFO_KINDS[type];
  return { type, ...('plain' in entry ? entry.plain : {}), ...FIELDS };
}

/** Sets the response to every query of a kind. */
function respond(type: InfoKind, response: FakeResponse): void {
  for (const words of [type, `${type} xyz`]) rig.respond(words, response);
}

async function readiness(): Promise<Readiness> {
  return (await http(`${rig.service.url}/readyz`)).json() as Readiness;
}

/** Makes the upstream refuse every query of a kind but its plainest form. */
function refuseAllButPlain(type: InfoKind, status: number, text: string): void {
  const entry = INFO_KINDS[type];
  const plain = JSON.stringify('plain' in entry ? { type, ...entry.plain } : {});
  rig.respond(type, (query) => (JSON.stringify(query) === plain ? { json: [] } : { status, text }));
}

describe('[INFO-51, UP-21] an upstream that refuses a kind in every form', () => {
  it.each(KINDS)('does not serve it: %s', async (type) => {
    for (const [status, text] of REFUSALS) {
      respond(type, { status, text });
      expect(rig.errorOf(await rig.ask(queryOf(type)))).toMatchObject({
        error: 'not_served_upstream',
        code: 501,
        message: `The upstream of this service does not serve ${type}.`,
      });
      expect(rig.meter.last).toMatchObject({ outcome: 'released' });
    }
    expect((await readiness()).upstreamInfo.notServed).toEqual([type]);
    respond(type, { json: [] });
    expect((await rig.ask(queryOf(type))).status).toBe(200);
    expect((await readiness()).upstreamInfo.notServed).toBeUndefined();
  });

  it.each(['batchSpotClearinghouseState', 'batchClearinghouseState'] as const)(
    'does not serve its batch either: %s',
    async (type) => {
      const { perWallet } = INFO_KINDS[type];
      rig.respond(perWallet, { status: 422, text: 'Failed to deserialize' });
      expect(rig.errorOf(await rig.ask({ type, users: [walletOf(1), walletOf(2)] }))).toMatchObject({
        error: 'not_served_upstream',
        message: `The upstream of this service does not serve ${perWallet}.`,
      });
      expect(rig.meter.last).toMatchObject({ operation: type, outcome: 'released' });
      rig.respond(perWallet, { json: { balances: [], assetPositions: [] } });
      expect((await rig.ask({ type, users: [walletOf(1)] })).status).toBe(200);
    },
  );

  it('is asked for the plainest form only once, and for the query itself each time', async () => {
    rig.respond('userFills', { status: 422, text: '' });
    rig.exchange.asked.length = 0;
    for (let n = 0; n < 3; n += 1) await rig.ask({ type: 'userFills', user: walletOf(n) });
    expect(rig.asked('userFills').map(({ user }) => user)).toEqual([
      walletOf(0),
      '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
      walletOf(1),
      walletOf(2),
    ]);
    rig.respond('userFills', { json: [] });
    await rig.ask({ type: 'userFills', user: walletOf(1) });
  });

  it('[INFO-52] is a warning of /readyz, which stays ready', async () => {
    for (const type of ['historicalOrders', 'userFees']) {
      rig.respond(type, { status: 422, text: '' });
      await rig.ask({ type, ...FIELDS });
    }
    expect(await readiness()).toMatchObject({
      status: 'ready',
      upstreamInfo: { status: 'ok', notServed: ['historicalOrders', 'userFees'] },
      warnings: ['the upstream does not serve historicalOrders, userFees'],
    });
    for (const type of ['historicalOrders', 'userFees']) {
      rig.respond(type, { json: [] });
      await rig.ask({ type, ...FIELDS });
    }
  });

  it('[INFO-52] is forgotten when the kind was not refused for 15 minutes', async () => {
    await using own = await startInfoRig();
    own.respond('userFees', { status: 422, text: '' });
    const notServed = async () =>
      ((await http(`${own.service.url}/readyz`)).json() as Readiness).upstreamInfo.notServed;
    await own.ask({ type: 'userFees', ...FIELDS });
    own.service.pass(UNSERVED_MS - 1);
    expect(await notServed()).toEqual(['userFees']);
    await own.ask({ type: 'userFees', ...FIELDS });
    own.service.pass(UNSERVED_MS - 1);
    expect(await notServed()).toEqual(['userFees']);
    own.service.pass(1);
    expect(await notServed()).toBeUndefined();
  });

  it('is passed on by another instance of this service', async () => {
    rig.respond('portfolio', { status: 422, text: '' });
    await using front = await startInfoRig({
      upstream: { dialect: 'service', url: `${rig.service.url}/info`, apiKey: rig.key },
    });
    expect(front.errorOf(await front.ask({ type: 'portfolio', ...FIELDS })).error).toBe('not_served_upstream');
    expect(front.meter.last).toMatchObject({ outcome: 'released' });
  });
});

describe('an upstream that refuses only some queries of a kind', () => {
  it.each(['openOrders', 'historicalOrders', 'fundingHistory'] as const)(
    '[UP-21] fails, if we checked their fields: %s',
    async (type) => {
      for (const [status, text] of REFUSALS) {
        refuseAllButPlain(type, status, text);
        expect(rig.errorOf(await rig.ask({ type, ...FIELDS }))).toMatchObject({
          error: 'upstream_error',
          message: `The exchange failed to respond: upstream returned HTTP ${status}.`,
        });
        expect(rig.meter.last).toMatchObject({ outcome: 'released' });
      }
    },
  );

  it.each(['userFunding', 'orderStatus', 'candleSnapshot', 'userAbstraction', 'webData2'] as const)(
    '[INFO-32] refuses the fields of the client, if we did not: %s',
    async (type) => {
      for (const [status, text] of REFUSALS) {
        refuseAllButPlain(type, status, text);
        expect(rig.errorOf(await rig.ask({ type, ...FIELDS }))).toMatchObject({
          error: 'invalid_request',
          message: 'The exchange rejected the fields of this query.',
        });
        expect(rig.meter.last).toMatchObject({ outcome: 'released' });
      }
    },
  );

  it('[INFO-32] fails if the plainest form gets no response', async () => {
    rig.respond('referral', (query) => (query.user === walletOf(1) ? { status: 422, text: '' } : 'cut'));
    expect(rig.errorOf(await rig.ask({ type: 'referral', ...FIELDS })).error).toBe('invalid_request');
  });
});

describe('[INFO-53] a word of the exchange as dex', () => {
  it.each(['ALL_DEXS', 'ALL_DEXES', 'EVERY_DEX_THERE_IS'])('is passed on: %s', async (dex) => {
    rig.respond(`openOrders ${dex}`, { json: [] });
    rig.exchange.asked.length = 0;
    expect((await rig.ask({ type: 'openOrders', user: walletOf(1), dex })).text).toBe('[]');
    expect(rig.exchange.asked).toEqual([{ type: 'openOrders', user: walletOf(1), dex }]);
  });

  const REFUSED = { status: 422, text: 'Failed to deserialize' };
  // As for any dex that the exchange does not have.
  const NOTHING = { status: 500, text: 'null' };

  it.each([
    ['openOrders', REFUSED],
    ['openOrders', NOTHING],
    ['frontendOpenOrders', REFUSED],
    ['clearinghouseState', REFUSED],
    ['allMids', NOTHING],
  ] as const)('is named and explained if the exchange refuses it: %s with %o', async (type, refusal) => {
    rig.respond(type, { json: [] });
    rig.respond(`${type} ALL_DEXS`, refusal);
    expect(rig.errorOf(await rig.ask({ type, ...FIELDS, dex: 'ALL_DEXS' }))).toMatchObject({
      error: 'invalid_request',
      path: 'dex',
      message:
        'The exchange does not accept ALL_DEXS as dex here. It stands for several dexes at once, which only some queries support: name one builder dex, or leave dex out.',
    });
    expect(rig.meter.last).toMatchObject({ outcome: 'released' });
  });

  it('is not blamed for another failure of the exchange', async () => {
    rig.respond('openOrders', { json: [] });
    rig.respond('openOrders ALL_DEXS', { status: 500, text: 'Internal Server Error' });
    const response = await rig.ask({ type: 'openOrders', ...FIELDS, dex: 'ALL_DEXS' });
    expect(rig.errorOf(response).error).toBe('upstream_error');
  });

  // A word is passed on as it is, so an outage looks like a dex that the exchange does not have.
  it.each([NOTHING, 'cut'] as const)('is not blamed if the exchange fails without it too: %o', async (failure) => {
    for (const type of ['openOrders', 'clearinghouseState']) {
      rig.respond(type, failure);
      rig.respond(`${type} ALL_DEXS`, NOTHING);
    }
    const response = await rig.ask({ type: 'openOrders', ...FIELDS, dex: 'ALL_DEXS' });
    expect(rig.errorOf(response)).toMatchObject({ error: 'upstream_error', code: 502 });
    expect(rig.meter.last).toMatchObject({ outcome: 'released' });
    const batch = await rig.ask({ type: 'batchClearinghouseState', users: [walletOf(1)], dex: 'ALL_DEXS' });
    expect(batch.status).toBe(200);
    expect(JSON.parse(batch.text)).toEqual([
      { error: 'upstream_error', user: walletOf(1), message: 'upstream returned HTTP 500' },
    ]);
  });

  it.each([REFUSED, NOTHING])('is explained in a batch too: %o', async (refusal) => {
    rig.respond('clearinghouseState', { json: { assetPositions: [] } });
    rig.respond('clearinghouseState ALL_DEXS', refusal);
    const body = { type: 'batchClearinghouseState', users: [walletOf(1), walletOf(2)], dex: 'ALL_DEXS' };
    expect(rig.errorOf(await rig.ask(body))).toMatchObject({ error: 'invalid_request', path: 'dex' });
  });
});
