import { describe, expect, it } from 'vitest';
import { startVenue } from '../server.ts';
import { askInfo } from '../test-support/info-client.ts';
import { WeightLimit } from './weight-limit.ts';

describe('the weight limit', () => {
  it('allows one minute’s weight and then nothing until some of it is a minute old', () => {
    let now = 0;
    const limit = new WeightLimit(50, () => now);
    expect([limit.take('a', 20), limit.take('a', 20), limit.take('a', 20)]).toEqual([true, true, false]);
    expect(limit.take('a', 10)).toBe(true);
    expect(limit.take('b', 20)).toBe(true);
    now = 59_999;
    expect(limit.take('a', 2)).toBe(false);
    now = 60_000;
    expect(limit.take('a', 20)).toBe(true);
  });

  it('responds with 429 over the limit, using the weights of the exchange', async () => {
    // 20 and 25 for 500 entries, four times 2, and 20.
    await using venue = await startVenue({ coins: ['XRP'], size: 0.001, pace: 0, infoWeightPerMinute: 73 });
    const user = '0x00000000000000000000000000000000000000aa';
    const light = ['allMids', 'spotClearinghouseState', 'clearinghouseState', 'l2Book'];
    const calls = ['fundingHistory', ...light, 'openOrders', 'allMids', 'perpDexs'];
    const seen: number[] = [];
    for (const type of calls) seen.push((await askInfo(venue, { type, user, coin: 'XRP', startTime: 1 })).status);
    expect(seen).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(venue.state().info.pastLimit).toBe(2);
  });
});
