import { L4Book } from '@l4desk/book';
import {
  type BookChange,
  type BookViewQuery,
  type DecimalString,
  type L2BookQuery,
  l2BookSubscription,
} from '@l4desk/protocol';
import { generatedCapture, order, realCapture, wallet } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { endRigs, FeedRig } from '../test-support/feed-rig.ts';
import { bruteForce, groupedTotals, priceTotals, units } from '../test-support/l2-book.ts';
import { BookViews } from './book-views.ts';
import { levelsJson } from './levels.ts';

afterEach(endRigs);

const l2Book = (fields: object = {}): L2BookQuery =>
  l2BookSubscription.parse({ type: 'l2Book', coin: 'BTC', ...fields });

/** The views of one live book, and what they report. */
function viewsOf(book: L4Book) {
  const said: string[] = [];
  const views = new BookViews({
    coin: () => ({ book, time: 7 }),
    liveCoins: () => ['BTC'],
    changed: (_, data) => said.push(data),
  });
  return { said, views };
}

async function watching(...queries: readonly BookViewQuery[]) {
  const rig = await FeedRig.start(['BTC', 'ETH', 'SOL']);
  const said = new Map<string, string[]>();
  rig.feed.onView(({ key, data }) => said.set(key, [...(said.get(key) ?? []), data]));
  for (const query of queries) rig.feed.watchView(query);
  await rig.hold('BTC', 'ETH');
  const all = (place = 0) => (said.get(JSON.stringify(queries[place])) ?? []).map((data) => JSON.parse(data));
  return { rig, all, last: (place = 0) => all(place).at(-1) };
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
    'with %j equals the sum of the orders of the book, after each block',
    async (fields, levels, nSigFigs, mantissa) => {
      const { rig, last } = await watching(l2Book(fields));
      for (let count = 0; count < 25; count += 1) {
        const { time } = await rig.step();
        const { coin, time: said, levels: shown } = last();
        expect([coin, said <= time]).toEqual(['BTC', true]);
        expect(shown).toEqual(bruteForce(rig.upstream.book('BTC').levels(), levels, nSigFigs, mantissa));
        const read = JSON.parse((await rig.feed.readL2Book(l2Book(fields))) ?? '');
        expect(read).toEqual({ ...last(), time });
      }
      expect(await rig.feed.readL2Book(l2Book({ coin: 'SOL' }))).toBeNull();
    },
  );

  test.each([realCapture() ?? generatedCapture()])('equals the sums of the orders of a capture: $name', (capture) => {
    const { book } = L4Book.build('BTC', capture.levels);
    const { said, views } = viewsOf(book);
    for (const { changes, statuses, time } of capture.batches) book.apply(changes, statuses, time);
    const totals = priceTotals(book.levels());
    for (const [nSigFigs, mantissa] of [
      [0, 1],
      [5, 1],
      [5, 2],
      [5, 5],
      [4, 1],
      [3, 1],
      [2, 1],
    ] as const) {
      views.watch(l2Book(nSigFigs === 0 ? {} : { nSigFigs, ...(mantissa === 1 ? {} : { mantissa }) }));
      expect(JSON.parse(said.at(-1) ?? '').levels).toEqual(groupedTotals(totals, 20, nSigFigs, mantissa));
    }
  });

  test('is exact with a level without size, and with a size that exceeds a double', () => {
    const bid = (oid: number, limitPx: DecimalString, sz: DecimalString) => order({ oid, limitPx, sz });
    const orders = [bid(1, '81307.0', '0.0'), bid(2, '81306.0', '12345678901234567890.5'), bid(3, '79999.0', '1.0')];
    const { book } = L4Book.build('BTC', [orders, []]);
    for (const nSigFigs of [0, 5, 2]) {
      const levels = JSON.parse(`[[${levelsJson(book, 'B', { nSigFigs: nSigFigs || null, mantissa: null }, 20)}],[]]`);
      expect(levels).toEqual(bruteForce([orders, []], 20, nSigFigs));
    }
  });

  test.each([
    [{}, 20, undefined],
    [{ fast: true }, 5, undefined],
    [{ fast: false }, 20, undefined],
    [{ fast: true, nLevels: 7 }, 7, undefined],
    [{ nSigFigs: 5, mantissa: 2 }, 20, '0.3'],
    [{ nSigFigs: 2, fast: true }, 5, '0.3'],
  ] as const)('[CHAN-30] has the shape of the exchange with %j', (fields, levels, spread) => {
    const side = (name: 'A' | 'B', first: number, step: number) =>
      Array.from({ length: 30 }, (_, place) =>
        order({
          oid: 2 * place + (name === 'B' ? 0 : 1),
          side: name,
          limitPx: `${(first + step * place) / 10}`,
          sz: '1.0',
        }),
      );
    const { book } = L4Book.build('BTC', [side('B', 999_997, -100), side('A', 1_000_000, 100)]);
    const { said, views } = viewsOf(book);
    views.watch(l2Book(fields));
    const sent = JSON.parse(said[0] ?? '');
    const shape = [
      'coin',
      'time',
      'levels',
      ...(spread ? ['spread'] : []),
      ...('fast' in fields && fields.fast ? ['fast'] : []),
    ];
    expect(Object.keys(sent)).toEqual(shape);
    expect([sent.spread, sent.levels.map((of: unknown[]) => of.length <= levels)]).toEqual([spread, [true, true]]);
    expect('nSigFigs' in fields || sent.levels[0].length === levels).toBe(true);
  });

  test('[CHAN-30] has no spread while a side is empty', () => {
    const { book } = L4Book.build('BTC', [[order({ oid: 1, limitPx: '100.0' })], []]);
    const { said, views } = viewsOf(book);
    views.watch(l2Book({ nSigFigs: 5 }));
    expect(Object.keys(JSON.parse(said[0] ?? ''))).toEqual(['coin', 'time', 'levels']);
  });

  test('is reported as soon as the book is live, and not after blocks that leave it unchanged', async () => {
    const { rig, all } = await watching(l2Book({ nLevels: 1 }));
    expect(all()).toHaveLength(1);
    for (let count = 0; count < 40; count += 1) await rig.step();
    const bodies = all().map(({ levels }) => JSON.stringify(levels));
    expect(bodies.some((body, place) => body === bodies[place - 1])).toBe(false);
  });
});

test('reports the best level of each side as bbo', async () => {
  const { rig, last } = await watching({ channel: 'bbo', coin: 'ETH' });
  for (let count = 0; count < 25; count += 1) {
    await rig.step();
    const bbo = bruteForce(rig.upstream.book('ETH').levels(), 1).map(([level]) => level ?? null);
    expect(last()).toEqual({ coin: 'ETH', time: expect.any(Number), bbo });
  }
});

test('reports the mid prices of followed coins as allMids', async () => {
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

test('leaves out of allMids a coin whose book is lost, or that is no longer followed', async () => {
  const { rig, all, last } = await watching({ channel: 'allMids' });
  const lease = rig.feed.acquire('SOL');
  await rig.live('SOL');
  expect(Object.keys(last().mids)).toEqual(['BTC', 'ETH', 'SOL']);
  lease.release();
  rig.time.advance(30_000);
  await Promise.resolve();
  expect(Object.keys(last().mids)).toEqual(['BTC', 'ETH']);
  const said = all().length;
  rig.upstream.cut();
  await rig.until(() => !rig.feed.health().upstreamConnected);
  expect(last().mids).toEqual({});
  expect(all().slice(said), 'once for all that are lost together').toHaveLength(1);
});

test('leaves out of allMids a coin whose book has an empty side, until it has a price again', () => {
  const { book } = L4Book.build('BTC', [[order({ oid: 1, limitPx: '100.0' })], []]);
  const { said, views } = viewsOf(book);
  const apply = (change: BookChange) => {
    expect(book.apply([change], [], 0)).toEqual([]);
    views.changed([{ coin: 'BTC' }]);
  };
  const ask = { user: wallet(1), side: 'A', px: '101.0' } as const;
  views.watch({ channel: 'allMids' });
  apply({ kind: 'insert', oid: 2, sz: '1.0', insertBefore: null, ...ask });
  apply({ kind: 'remove', oid: 2, ...ask });
  apply({ kind: 'insert', oid: 3, sz: '2.0', insertBefore: null, ...ask });
  expect(said.map((data) => JSON.parse(data).mids)).toEqual([{}, { BTC: '100.5' }, {}, { BTC: '100.5' }]);
});
