import type { BookViewQuery } from '@l4desk/protocol';
import { l2BookSubscription } from '@l4desk/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { endRigs, FeedRig } from '../test-support/feed-rig.ts';
import { bruteForce, units } from '../test-support/l2-book.ts';

afterEach(endRigs);

const l2Book = (fields: object = {}): BookViewQuery =>
  l2BookSubscription.parse({ type: 'l2Book', coin: 'BTC', ...fields });

async function watching(...queries: readonly BookViewQuery[]) {
  const rig = await FeedRig.start(['BTC', 'ETH']);
  const said = new Map<string, string[]>();
  rig.feed.onView(({ key, data }) => said.set(key, [...(said.get(key) ?? []), data]));
  const leases = queries.map((query) => rig.feed.watchView(query));
  await rig.hold('BTC', 'ETH');
  const all = (place = 0) => (said.get(leases[place]?.key ?? '') ?? []).map((data) => JSON.parse(data));
  return { rig, leases, all, last: (place = 0) => all(place).at(-1) };
}

describe('l2Book', () => {
  test.each([
    [{}, 20, 0, 1],
    [{ nLevels: 3 }, 3, 0, 1],
    [{ nLevels: 'all' }, 100_000, 0, 1],
    [{ nSigFigs: 5 }, 20, 5, 1],
    [{ nSigFigs: 5, mantissa: 2 }, 20, 5, 2],
    [{ nSigFigs: 5, mantissa: 5 }, 20, 5, 5],
    [{ nSigFigs: 4, mantissa: null }, 20, 4, 1],
    [{ nSigFigs: 3 }, 20, 3, 1],
    [{ nSigFigs: 2 }, 20, 2, 1],
  ] as const)(
    '[CHAN-2] with %j equals the sum of the orders of the book, after each block',
    async (fields, levels, nSigFigs, mantissa) => {
      const { rig, last } = await watching(l2Book(fields));
      for (let count = 0; count < 25; count += 1) {
        const { time } = await rig.step();
        const { coin, time: said, levels: shown } = last();
        expect([coin, said <= time]).toEqual(['BTC', true]);
        expect(shown).toEqual(bruteForce(rig.upstream.book('BTC').levels(), levels, nSigFigs, mantissa));
      }
    },
  );

  test('[CHAN-4] is reported as soon as the book is live, and not after blocks that leave it unchanged', async () => {
    const { rig, all } = await watching(l2Book({ nLevels: 1 }));
    expect(all()).toHaveLength(1);
    for (let count = 0; count < 40; count += 1) await rig.step();
    const bodies = all().map(({ levels }) => JSON.stringify(levels));
    expect(bodies.some((body, place) => body === bodies[place - 1])).toBe(false);
    const { key } = rig.feed.watchView(l2Book());
    const { key: same } = rig.feed.watchView(l2Book({ nSigFigs: null, mantissa: null }));
    expect(same).toBe(key);
  });
});

test('[CHAN-3] reports the best level of each side as bbo', async () => {
  const { rig, last } = await watching({ channel: 'bbo', coin: 'ETH' });
  for (let count = 0; count < 25; count += 1) {
    await rig.step();
    const bbo = bruteForce(rig.upstream.book('ETH').levels(), 1).map(([level]) => level ?? null);
    expect(last()).toEqual({ coin: 'ETH', time: expect.any(Number), bbo });
  }
});

test('[CHAN-5] reports the mid prices of followed coins as allMids', async () => {
  const { rig, last } = await watching({ channel: 'allMids' });
  await rig.step();
  const mids = ['BTC', 'ETH'].map((coin) => {
    const [bid = 0n, ask = 0n] = bruteForce(rig.upstream.book(coin).levels(), 1).map(([level]) =>
      units(level?.px ?? ''),
    );
    return [coin, (bid + ask) / 2n] as const;
  });
  const said = Object.entries<string>(last().mids).map(([coin, px]) => [coin, units(px)]);
  expect(said).toEqual(mids);
});

test('[CHAN-9] gives a new watcher the last message, even if it was sent to others', async () => {
  const { rig, leases, last } = await watching(l2Book({ nSigFigs: 3 }));
  for (let count = 0; count < 10; count += 1) await rig.step();
  const late = rig.feed.watchView(l2Book({ nSigFigs: 3 }));
  expect(JSON.parse(late.data ?? '')).toEqual(last());
  for (const lease of [late, ...leases]) lease.release();
  expect(late.data).toBeNull();
});

test('[CHAN-4] does not compute a view without watchers', async () => {
  const { rig, leases, all } = await watching(l2Book());
  leases[0]?.release();
  leases[0]?.release();
  const before = all().length;
  for (let count = 0; count < 5; count += 1) await rig.step();
  expect(all()).toHaveLength(before);
});
