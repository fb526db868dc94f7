import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { askInfo, infoJson } from '../test-support/info-client.ts';

const ANN = '0x00000000000000000000000000000000000000aa';
const BOB = '0x00000000000000000000000000000000000000bb';

let venue: Venue;

beforeAll(async () => {
  venue = await startVenue({ coins: ['XRP'], size: 0.001, pace: 0 });
});

afterAll(async () => venue[Symbol.asyncDispose]());

afterEach(async () => control({ kind: 'clear' }));

async function control(fault: object): Promise<number> {
  const response = await fetch(`${venue.controlUrl}/fault`, { method: 'POST', body: JSON.stringify(fault) });
  return response.status;
}

const spot = async (user: string) => askInfo(venue, { type: 'spotClearinghouseState', user });
const GOOD = { status: 200, type: 'application/json', text: '{"balances":[]}' };

describe('faults of the info API', () => {
  it.each([
    [{ effect: 'status' }, { status: 500, text: 'null' }],
    [
      { effect: 'status', status: 503, message: 'down' },
      { status: 503, text: 'down' },
    ],
    [{ effect: 'invalid-json' }, { status: 200, text: '{"balan' }],
    [{ effect: 'error' }, { status: 200, text: '{"error":"internal error"}' }],
    [
      { effect: 'error', message: 'Deployer missing' },
      { status: 200, text: '{"error":"Deployer missing"}' },
    ],
    [{ effect: 'rate-limit' }, { status: 429, text: 'null' }],
  ])('%j affects only its wallet, until it is cleared', async (fault, seen) => {
    expect(await control({ kind: 'info', user: ANN, ...fault })).toBe(200);
    for (let i = 0; i < 2; i += 1) {
      expect(await spot(ANN)).toMatchObject(seen);
      expect(await spot(BOB)).toEqual(GOOD);
    }
    await control({ kind: 'clear' });
    expect(await spot(ANN)).toEqual(GOOD);
  });

  it('a disconnect breaks the connection without a response', async () => {
    await control({ kind: 'info', effect: 'disconnect', user: ANN.toUpperCase().replace('X', 'x'), count: 1 });
    await expect(spot(ANN)).rejects.toThrow();
    expect(await spot(ANN)).toEqual(GOOD);
  });

  it('a slow call is delayed, others are not; clear releases it', async () => {
    await control({ kind: 'info', effect: 'slow', ms: 3_000_000, user: ANN });
    const calls = venue.state().info.calls.spotClearinghouseState ?? 0;
    const slow = spot(ANN);
    expect(await spot(BOB)).toEqual(GOOD);
    await expect.poll(() => venue.state().info.calls.spotClearinghouseState).toBe(calls + 2);
    await control({ kind: 'clear' });
    expect(await slow).toEqual(GOOD);
  });

  it('a slow call can fail when it ends', async () => {
    await control({ kind: 'info', effect: 'slow', ms: 1, user: ANN });
    await control({ kind: 'info', effect: 'status', status: 502, user: ANN });
    expect((await spot(ANN)).status).toBe(502);
  });

  it('a fault with a type and a count affects that many calls of that kind', async () => {
    await control({ kind: 'info', effect: 'status', type: 'allMids', count: 2 });
    expect(await infoJson(venue, { type: 'perpDexs' })).toEqual([null]);
    expect(venue.state().faults).toMatchObject([{ fault: { kind: 'info', effect: 'status' }, remaining: 2 }]);
    const seen: number[] = [];
    for (let i = 0; i < 3; i += 1) seen.push((await askInfo(venue, { type: 'allMids' })).status);
    expect(seen).toEqual([500, 500, 200]);
    expect(venue.state().faults).toEqual([]);
  });

  it.each([
    { kind: 'info' },
    { kind: 'info', effect: 'slow' },
    { kind: 'info', effect: 'nope' },
    { kind: 'info', effect: 'status', type: 'nope' },
    { kind: 'info', effect: 'status', status: 200 },
    { kind: 'info', effect: 'error', user: '0x12' },
    { kind: 'info', effect: 'error', count: 0 },
    { kind: 'info', effect: 'error', coin: 'BTC' },
  ])('%j is refused', async (fault) => {
    expect(await control(fault)).toBe(400);
    expect(venue.state().faults).toEqual([]);
  });
});
