import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(() => {
  rig.exchange.asked.length = 0;
});

/** Fields that satisfy every kind. */
const FIELDS = {
  user: walletOf(1),
  coin: 'BTC',
  startTime: 0,
  oid: 1,
  dex: '',
  outcome: 1,
  tokenId: '0x00',
  vaultAddress: walletOf(2),
  builder: walletOf(3),
  source: walletOf(4),
  token: 0,
  id: 50,
  req: { coin: 'BTC', interval: '1h', startTime: 0 },
};

const REFUSALS = [
  [400, '{"error":"bad"}'],
  [422, 'Failed to deserialize the JSON body into the target type'],
] as const;

const kindsOf = (family: 'checked' | 'passThrough') =>
  (Object.keys(INFO_KINDS) as InfoKind[]).filter((kind) => INFO_KINDS[kind].family === family);

describe('a query that the exchange refuses', () => {
  it.each(kindsOf('checked'))('[UP-21] is an upstream failure if we checked its fields: %s', async (type) => {
    for (const [status, text] of REFUSALS) {
      rig.respond(type, { status, text });
      expect(rig.errorOf(await rig.ask({ type, ...FIELDS }))).toMatchObject({
        error: 'upstream_error',
        message: `The exchange failed to respond: upstream returned HTTP ${status}.`,
      });
      expect(rig.meter.last).toMatchObject({ outcome: 'released' });
    }
    expect(rig.asked(type)).toHaveLength(REFUSALS.length);
  });

  it.each(kindsOf('passThrough'))('[INFO-32] is a client error if we did not: %s', async (type) => {
    for (const [status, text] of REFUSALS) {
      rig.respond(type, { status, text });
      expect(rig.errorOf(await rig.ask({ type, ...FIELDS }))).toMatchObject({
        error: 'invalid_request',
        message: 'The exchange rejected the fields of this query.',
      });
      expect(rig.meter.last).toMatchObject({ outcome: 'released' });
    }
  });
});
