import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from '@l4desk/config/bench';
import type { DecimalString } from '@l4desk/protocol';
import { L4Book } from '../src/index.ts';
import { type Feed, type FeedBlock, generateFeed } from './support/feed.ts';
import { atLeast, atMost, collectGarbage, Rounds, round, timed } from './support/measure.ts';
import { realFeed } from './support/real-feed.ts';

const CHUNK_BLOCKS = 15;

// The other peer of the bar, the order book of coinbase-pro, is not measured here: its package (0.9.0, the last) depends on
// `request` and `ws` 4, both given up with known holes, which a checkout for work on this project should not carry.

/** The order-level book of ccxt: floats, no owner; `storeArray([price, size, id])`, size 0 removes. */
interface CcxtSide {
  storeArray(delta: [px: number | undefined, sz: number, id: number]): void;
}

interface CcxtBook {
  readonly bids: CcxtSide;
  readonly asks: CcxtSide;
}

/** It is not among ccxt's exports, which would load every exchange. */
async function ccxtBook(): Promise<CcxtBook> {
  const directory = dirname(createRequire(import.meta.url).resolve('ccxt'));
  const url = pathToFileURL(join(directory, '..', 'js', 'src', 'base', 'ws', 'OrderBook.js')).href;
  const module: { IndexedOrderBook: new () => CcxtBook } = await import(url);
  return new module.IndexedOrderBook();
}

function applyToCcxt(book: CcxtBook, { changes }: FeedBlock): void {
  for (const change of changes) {
    const side = change.side === 'B' ? book.bids : book.asks;
    if (change.kind === 'remove') side.storeArray([undefined, 0, change.oid]);
    else side.storeArray([Number(change.px), Number(change.kind === 'insert' ? change.sz : change.newSz), change.oid]);
  }
}

/** Blocks of a feed in chunks, each applied to both books in turn. */
async function againstCcxt(feed: Feed): Promise<BenchRow> {
  const { book } = L4Book.build('BTC', feed.levels);
  const ccxt = await ccxtBook();
  for (const [side, orders] of [
    [ccxt.bids, feed.levels[0]],
    [ccxt.asks, feed.levels[1]],
  ] as const) {
    for (const { limitPx, sz, oid } of orders) side.storeArray([Number(limitPx), Number(sz), oid]);
  }
  const rounds = new Rounds<'ours' | 'ccxt'>();
  let diffs = 0;
  let count = 0;
  for (let at = 0; at < feed.blocks.length; at += CHUNK_BLOCKS) {
    const chunk = feed.blocks.slice(at, at + CHUNK_BLOCKS);
    diffs += chunk.reduce((sum, block) => sum + block.changes.length, 0);
    count += 1;
    rounds.round({
      ours: () => timed(() => applyAll(book, chunk)),
      ccxt: () => timed(() => chunk.map((block) => applyToCcxt(ccxt, block))),
    });
  }
  const rate = (name: 'ours' | 'ccxt') => `${round(diffs / count / rounds.median(name))}k diffs/s`;
  const item = `apply, ${feed.name}`;
  return atLeast(item, rate('ours'), `ccxt IndexedOrderBook ${rate('ccxt')}`, rounds.ratio('ccxt', 'ours'), 100);
}

function applyAll(book: L4Book, blocks: readonly FeedBlock[]): void {
  for (const { changes, statuses, time } of blocks) {
    const findings = book.apply(changes, statuses, time);
    if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
  }
}

/** The same flow of changes on books of two sizes. */
function growth(): BenchRow {
  const [small, large] = [6_000, 600_000].map((orders) => {
    const feed = generateFeed({ orders, blocks: 120 });
    return { feed, book: L4Book.build('BTC', feed.levels).book };
  });
  if (small === undefined || large === undefined) throw new Error('two sizes');
  collectGarbage();
  const rounds = new Rounds<'small' | 'large'>();
  for (let at = 0; at < 120; at += CHUNK_BLOCKS) {
    rounds.round({
      small: () => timed(() => applyAll(small.book, small.feed.blocks.slice(at, at + CHUNK_BLOCKS))),
      large: () => timed(() => applyAll(large.book, large.feed.blocks.slice(at, at + CHUNK_BLOCKS))),
    });
  }
  const each = (name: 'small' | 'large') => `${round((rounds.median(name) / CHUNK_BLOCKS / 248) * 1e6)} ns a diff`;
  return atMost(
    'apply, 600,000 orders',
    each('large'),
    `6,000 orders ${each('small')}`,
    rounds.ratio('large', 'small'),
    4,
  );
}

/** Levels entered and left anywhere in a book, where a sorted array would move half of it each time. */
function farLevels(): BenchRow {
  const times = [2_000, 200_000].map((count) => {
    const bids = Array.from({ length: count }, (_, index) => count - index);
    const { book } = L4Book.build('BTC', [[], []]);
    const at = (oid: number, px: number) => ({
      oid,
      user: '0x1c1c270b573d55b68b3d14722b5d5d401511bed0' as const,
      side: 'B' as const,
      px: px.toFixed() as DecimalString,
    });
    book.apply(
      bids.map((px, index) => ({ kind: 'insert', ...at(index, px), sz: '1.0', insertBefore: null })),
      [],
      0,
    );
    const changes = Array.from({ length: 20_000 }, (_, index) => {
      const place = at(1e9 + index, 1 + ((index * 7_919) % count));
      const px = `${place.px}.5` as DecimalString;
      return [
        { kind: 'insert' as const, ...place, px, sz: '1.0' as const, insertBefore: null },
        { kind: 'remove' as const, ...place, px },
      ];
    }).flat();
    const rounds = Array.from({ length: 7 }, () => timed(() => book.apply(changes, [], 0)));
    return (Math.min(...rounds) / changes.length) * 1e6;
  });
  const [few = Number.NaN, many = Number.NaN] = times;
  const item = 'open and close levels anywhere, 200,000 levels a side';
  return atMost(item, `${round(many)} ns a diff`, `2,000 levels ${round(few)} ns`, many / few, 4);
}

export default async function* bench(): AsyncGenerator<BenchRow, void, undefined> {
  yield await againstCcxt(generateFeed({ orders: 60_000, blocks: 150 }));
  const real = realFeed();
  if (real !== undefined) yield await againstCcxt(real);
  yield growth();
  yield farLevels();
}
