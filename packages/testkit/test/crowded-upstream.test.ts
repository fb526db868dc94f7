import { until } from '@l4desk/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Served } from './support/served.ts';

/**
 * The order-level server copies its exchange for each snapshot (90 ms at the exchange's own pace) and makes no blocks meanwhile.
 * Everything runs at three times the pace, blocks included. `npm run soak -- crowd` uses the real pace and the real time.
 */
const SPEED = Number(process.env.L4DESK_CROWD_SPEED ?? 3);
const LIVE_WITHIN_S = process.env.L4DESK_CROWD_SPEED === '1' ? 20 : Number.POSITIVE_INFINITY;
const EARLY = ['BTC', 'ETH'];
/** As many as one subscription may hold. */
const ARRAY = Array.from({ length: 64 }, (_, index) => `ALT${String(index + 1).padStart(3, '0')}`);

let served: Served;
beforeAll(async () => {
  served = await Served.start({
    VENUE_COINS: EARLY.join(),
    VENUE_EXTRA_COINS: '64',
    VENUE_SNAPSHOT_MS: String(90 / SPEED),
    VENUE_PACE: String(SPEED),
    VENUE_SIZE: '0.01',
    VENUE_STATUS_RATE: '0.02',
  });
});
afterAll(() => served[Symbol.asyncDispose]());

it('[L4-8] on an order-level server that pauses for each snapshot, the service brings 64 coins of one subscription live, without a gap in coins that were live before', async () => {
  await using early = served.specClient(EARLY);
  await early.until(() => EARLY.every((coin) => early.book(coin) !== undefined));
  const begun = performance.now();
  await using many = served.specClient(ARRAY);
  await until(
    () => `every coin to be live: ${ARRAY.filter((coin) => many.book(coin) === undefined).length} are not`,
    () => ARRAY.every((coin) => many.book(coin) !== undefined),
  );
  const seconds = (performance.now() - begun) / 1_000;
  process.stdout.write(`64 coins live after ${seconds.toFixed(1)} s\n`);
  expect(seconds).toBeLessThan(LIVE_WITHIN_S);
  // A gap shows with a coin's next entry.
  const height = (coin: string) => early.position(coin)?.height ?? 0;
  const before = EARLY.map(height);
  await early.until(() => EARLY.every((coin, index) => height(coin) > (before[index] ?? 0)));
  expect([...early.gaps, ...many.gaps, ...early.violations, ...many.violations]).toEqual([]);
  expect(await served.metric('l4desk_feed_events_total', '"upstreamConnects"')).toBe(1);
  expect(await served.metric('l4desk_feed_books_lost_total')).toBe(0);
  expect((await served.stack.venue.state()).counts.laggardsDropped).toBe(0);
});
