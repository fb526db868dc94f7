import { until } from '@l4desk/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Served } from './support/served.ts';

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'XRP', 'DOGE', 'BNB', 'AVAX'];

/** Requested swaps of adjacent blocks per round. */
const SWAPS = 5;

let served: Served;
beforeAll(async () => {
  // Swapped blocks wait for each other, however slow the machine is.
  served = await Served.start({ L4_REORDER_MS: '10000' });
});
afterAll(() => served[Symbol.asyncDispose]());

const cases = [1, 2, 8].flatMap((count) => [1, 4].map((pace) => [count, pace] as const));

it.each(cases)(
  '[UP-22] swapped adjacent blocks of one coin cause no gap: %i coins followed, at %i times the exchange’s pace',
  async (count, pace) => {
    const { venue } = served.stack;
    const coins = COINS.slice(0, count);
    await using spec = served.specClient(coins);
    const blocks = () => Math.min(...coins.map((coin) => spec.position(coin)?.height ?? 0));
    await spec.until(() => blocks() > 0);
    await venue.pace(pace);
    for (let swap = 0; swap < SWAPS; swap += 1) {
      await venue.fault({ kind: 'reorder', coin: 'BTC' });
      const { height } = await until('the swap', async () => {
        const state = await venue.state();
        return state.faults.length === 0 && state;
      });
      await spec.until(() => (spec.position('BTC')?.height ?? 0) > height + 2);
    }
    await venue.pace(0);
    const { height } = await venue.state();
    await until('all blocks', async () => (await served.metric('l4desk_feed_height')) >= height);
    for (const coin of coins) {
      const { levels } = await venue.book(coin);
      await spec.until(() => spec.book(coin)?.difference(levels) === undefined);
    }
    expect([spec.gaps, spec.violations]).toEqual([[], []]);
    expect(await served.metric('l4desk_feed_books_lost_total')).toBe(0);
  },
);
