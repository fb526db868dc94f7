import { meta, perpDexs } from '@l4desk/protocol/upstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { askInfo } from '../test-support/info-client.ts';

let venue: Venue;

beforeAll(async () => {
  venue = await startVenue({ size: 0.001, pace: 0 });
});

afterAll(async () => venue[Symbol.asyncDispose]());

const ask = async (body: unknown, headers?: Record<string, string>) => askInfo(venue, body, headers);

async function namesOf(request: object): Promise<readonly string[]> {
  const { status, text } = await ask(request);
  expect(status).toBe(200);
  return meta.parse(JSON.parse(text)).universe.map(({ name }) => name);
}

describe('meta', () => {
  it.each([{ type: 'meta' }, { type: 'meta', dex: '' }, { type: 'meta', dex: null }])(
    'for %j lists the perps of the canonical dex, BTC and ETH first',
    async (request) => {
      const names = await namesOf(request);
      expect(names.slice(0, 3)).toEqual(['BTC', 'ETH', 'SOL']);
      expect(names.length).toBeGreaterThanOrEqual(12);
      expect(names.filter((name) => name.includes(':'))).toEqual([]);
    },
  );

  it('lists the perps of a builder dex', async () => {
    expect(await namesOf({ type: 'meta', dex: 'xyz' })).toEqual(['xyz:GOLD', 'xyz:TSLA']);
  });

  it('has the fields that the exchange has', async () => {
    const response = JSON.parse((await ask({ type: 'meta' })).text) as Record<string, unknown>;
    expect(Object.keys(response)).toEqual(['universe', 'marginTables', 'collateralToken']);
    expect((response.universe as unknown[])[0]).toEqual({
      szDecimals: 5,
      name: 'BTC',
      maxLeverage: 40,
      marginTableId: 56,
    });
  });

  it('fails for an unknown dex like the exchange', async () => {
    expect(await ask({ type: 'meta', dex: 'nope' })).toMatchObject({ status: 500, text: 'null' });
  });

  it('lists only coins with a book, except delisted ones', async () => {
    for (const request of [{ type: 'meta' }, { type: 'meta', dex: 'xyz' }]) {
      const { universe } = meta.parse(JSON.parse((await ask(request)).text));
      for (const { name, isDelisted } of universe)
        expect((venue.book(name)?.levels[0].length ?? 0) > 0).toBe(isDelisted !== true);
    }
  });
});

describe('perpDexs', () => {
  it('names the builder dexes after the canonical one', async () => {
    const { status, text } = await ask({ type: 'perpDexs' });
    expect(status).toBe(200);
    expect(perpDexs.parse(JSON.parse(text)).map((dex) => dex?.name ?? null)).toEqual([null, 'xyz']);
  });
});

describe('other requests', () => {
  const REFUSAL = 'Failed to deserialize the JSON body into the target type';

  it.each([{ type: 'nope' }, {}, { type: 7 }, [], 'hello', '"meta"', '{', 'null', { type: 'meta', dex: 3 }])(
    '%j gets 422 with a text',
    async (body) => {
      expect(await ask(body)).toEqual({ status: 422, type: 'text/plain; charset=utf-8', text: REFUSAL });
    },
  );

  it('return a specific status for a wrong content type, method or path, or an oversized body', async () => {
    expect((await ask('{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await ask(`{"type":"${'x'.repeat(70_000)}"}`)).status).toBe(413);
    expect((await fetch(venue.infoUrl)).status).toBe(405);
    expect((await fetch(venue.infoUrl.replace('/info', '/other'))).status).toBe(404);
  });
});
