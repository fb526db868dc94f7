import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from '../zod.ts';
import { INFO_KINDS, type InfoKind } from './kinds.ts';
import { decodeRequest } from './request.ts';

const KINDS = Object.keys(INFO_KINDS) as InfoKind[];

const wallet = fc.stringMatching(/^[0-9a-fA-F]{40}$/).map((digits) => `0x${digits}`);

/** Values that a field should not hold, usually. */
const odd = fc.oneof(
  fc.constantFrom('', null, 0, -0, -1, 1.5, 2001, 2 ** 53, 1e300, [], {}, '0x', 'BTC'),
  fc.array(fc.oneof(wallet, fc.jsonValue()), { maxLength: 60 }),
  fc.jsonValue(),
);

function mostly<T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: odd });
}

/** Every field that some kind has, and one that none has; each may be missing. */
const fields = fc.record(
  {
    users: mostly(fc.array(wallet, { minLength: 1, maxLength: 52 })),
    user: mostly(wallet),
    dex: mostly(fc.constantFrom('', 'xyz', null)),
    coin: mostly(fc.constantFrom('BTC', 'xyz:GOLD', '@107', 'PURR/USDC')),
    limit: mostly(fc.integer({ min: 1, max: 4_000 })),
    startTime: mostly(fc.nat()),
    endTime: mostly(fc.option(fc.nat())),
    oid: mostly(fc.oneof(fc.nat(), fc.constant(`0x${'aB'.repeat(16)}`))),
    nSigFigs: mostly(fc.integer({ min: 2, max: 5 })),
    mantissa: mostly(fc.constantFrom(2, 5, null)),
    aggregateByTime: mostly(fc.boolean()),
    reversed: mostly(fc.boolean()),
    req: mostly(
      fc.record({
        coin: mostly(fc.constant('BTC')),
        interval: mostly(fc.constant('1h')),
        startTime: mostly(fc.nat()),
        endTime: mostly(fc.option(fc.nat())),
      }),
    ),
    outcome: mostly(fc.nat()),
    tokenId: mostly(fc.constant('0x00')),
    vaultAddress: mostly(wallet),
    builder: mostly(wallet),
    source: mostly(wallet),
    token: mostly(fc.nat()),
    id: mostly(fc.nat()),
    later: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const body = fc
  .tuple(fc.constantFrom(...KINDS), fields)
  .map(([type, rest]): { type: InfoKind } & Record<string, unknown> => ({ ...rest, type }));

describe('decodeRequest', () => {
  it('[INFO-6, INFO-17] returns for any body a request, or a field of the kind with its problem', () => {
    fc.assert(
      fc.property(body, (request) => {
        const { request: schema } = INFO_KINDS[request.type];
        const decoded = decodeRequest(schema, request);
        if (decoded.kind === 'request') return;
        const { shape } = 'in' in schema ? schema.in : schema;
        expect(Object.keys(shape)).toContain(decoded.path.split(/[.[]/)[0]);
        expect(decoded.problem).toMatch(/^(?:is|has|must) /);
      }),
      { numRuns: 200 },
    );
  });

  it('[INFO-17] returns a result for any JSON value and every kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (anything) => {
        for (const kind of KINDS) {
          expect(decodeRequest(INFO_KINDS[kind].request, anything).kind).toBe('refused');
        }
      }),
    );
  });

  it('reads its own result as the same request: wallets are normalized, limits applied', () => {
    fc.assert(
      fc.property(body, (request) => {
        const schema = INFO_KINDS[request.type].request;
        const decoded = decodeRequest(schema, request);
        if (decoded.kind === 'refused') return;
        const forwarded: unknown = JSON.parse(JSON.stringify(decoded.request));
        expect(JSON.stringify(decodeRequest(schema, forwarded))).toBe(JSON.stringify(decoded));
      }),
      { numRuns: 200 },
    );
  });

  it('[INFO-22] treats an optional field that is null as missing, in every kind that has one', () => {
    const optional = KINDS.flatMap((kind) => {
      const { properties, required } = z.toJSONSchema(INFO_KINDS[kind].request, { io: 'input' });
      const names = Object.keys(properties ?? {}).filter((name) => required?.includes(name) !== true);
      return names.map((name) => [kind, name] as const);
    });
    expect(optional).toContainEqual(['historicalOrders', 'limit']);
    const user = `0x${'a'.repeat(40)}`;
    const needed = { user, users: [user], coin: 'BTC', startTime: 1, oid: 1, vaultAddress: user, id: 1 };
    for (const [kind, name] of optional) {
      const { request } = INFO_KINDS[kind];
      const { [name as 'coin']: _, ...rest } = { ...needed, type: kind };
      const absent = decodeRequest(request, rest);
      expect(absent.kind).toBe('request');
      expect([kind, name, decodeRequest(request, { ...rest, [name]: null })]).toEqual([kind, name, absent]);
    }
  });
});
