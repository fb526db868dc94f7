import { expect, test } from '../fixtures/test.ts';

/** A large coin, one with a small price and one of a builder dex, each with its finest tick and a coarser one. */
const COINS = [
  { coin: 'BTC', ticks: ['1', '10'] },
  { coin: 'kPEPE', ticks: ['0.000001', '0.00002'] },
  { coin: 'xyz:GOLD', ticks: ['0.1', '5'] },
] as const;

test("[WEB-10, BOOK-1] the grid equals the exchange's own book at stepped blocks, with fine and coarse ticks", async ({
  desk,
  stack,
}) => {
  for (const [at, { coin, ticks }] of COINS.entries()) {
    await test.step(coin, async () => {
      const search = `?tick=${ticks[0]}`;
      await (at === 0 ? desk.open(coin, search) : desk.openNext(coin, search));
      await desk.expectBook(await stack.venue.book(coin), ticks[0]);
      for (const tick of ticks) {
        await desk.page.getByLabel('Grouping').selectOption(tick);
        for (const blocks of [1, 20]) {
          await stack.venue.step(blocks);
          await desk.expectBook(await stack.venue.book(coin), tick);
        }
      }
      expect((await desk.proof()).gaps).toBe(0);
    });
  }
});
