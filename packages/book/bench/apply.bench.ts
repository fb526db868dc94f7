import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from '@l4desk/config/bench';
import type { DecimalString, Side } from '@l4desk/protocol';
import { L4Book } from '../src/index.ts';
import { type Feed, type FeedBlock, generateFeed } from './support/feed.ts';
import { atLeast, atMost, collectGarbage, Rounds, round, timed } from './support/measure.ts';
import { realFeed } from './support/real-feed.ts';

const CHUNK_BLOCKS = 15;

/** The order-level book of ccxt: floats, no owner; `storeArray([price, size, id])`, size 0 removes. */
interface CcxtSide {
  storeArray(delta: [px: number | undefined, sz: number, id: number]): void;
}

interface CcxtBook {
  readonly bids: CcxtSide;
  readonly asks: CcxtSide;
}

/** The order-level book of coinbase-pro: exact, trees of price levels with a queue each; new orders join at the back. */
interface CoinbaseBook {
  add(order: { readonly id: number; readonly side: CoinbaseSide; readonly price: string; readonly size: string }): void;
  remove(id: number): void;
  change(change: {
    readonly order_id: number;
    readonly side: CoinbaseSide;
    readonly price: string;
    readonly old_size: string;
    readonly new_size: string;
  }): void;
}

type CoinbaseSide = 'buy' | 'sell';

const require = createRequire(import.meta.url);

/** Loaded by path, because ccxt does not export it separately and its main export would load every exchange. */
async function ccxtBook({ levels: [bids, asks] }: Feed): Promise<CcxtBook> {
  const directory = dirname(require.resolve('ccxt'));
  const url = pathToFileURL(join(directory, '..', 'js', 'src', 'base', 'ws', 'OrderBook.js')).href;
  const module: { IndexedOrderBook: new () => CcxtBook } = await import(url);
  const book = new module.IndexedOrderBook();
  for (const { limitPx, sz, oid } of bids) book.bids.storeArray([Number(limitPx), Number(sz), oid]);
  for (const { limitPx, sz, oid } of asks) book.asks.storeArray([Number(limitPx), Number(sz), oid]);
  return book;
}

function applyToCcxt(book: CcxtBook, { changes }: FeedBlock): void {
  for (const change of changes) {
    const side = change.side === 'B' ? book.bids : book.asks;
    if (change.kind === 'remove') side.storeArray([undefined, 0, change.oid]);
    else side.storeArray([Number(change.px), Number(change.kind === 'insert' ? change.sz : change.newSz), change.oid]);
  }
}

/** Loaded by path, because the package's entry would load clients whose packages are not installed. */
function coinbaseBook({ levels }: Feed): CoinbaseBook {
  const Orderbook: new () => CoinbaseBook = require('coinbase-pro/lib/orderbook.js');
  const book = new Orderbook();
  for (const { oid, side, limitPx, sz } of levels.flat()) {
    book.add({ id: oid, side: coinbaseSide(side), price: limitPx, size: sz });
  }
  return book;
}

function applyToCoinbase(book: CoinbaseBook, { changes }: FeedBlock): void {
  for (const change of changes) {
    const { oid, px } = change;
    const side = coinbaseSide(change.side);
    if (change.kind === 'remove') book.remove(oid);
    else if (change.kind === 'insert') book.add({ id: oid, side, price: px, size: change.sz });
    else book.change({ order_id: oid, side, price: px, old_size: change.origSz, new_size: change.newSz });
  }
}

function coinbaseSide(side: Side): CoinbaseSide {
  return side === 'B' ? 'buy' : 'sell';
}

/**
 * Applies the blocks of a feed in chunks, each chunk to every book in turn. The peers ignore statuses, which provide the fields
 * of an order besides place, price and size; ours applies them or, in a second book, the diffs alone. From each chunk, ccxt
 * gets `ccxtBlocks`: it is hundreds of times slower, and rates are per diff, so a part is enough if blocks are alike.
 */
async function againstPeers(feed: Feed, ccxtBlocks: number): Promise<readonly BenchRow[]> {
  const { book } = L4Book.build('BTC', feed.levels);
  const { book: bare } = L4Book.build('BTC', feed.levels);
  const ccxt = await ccxtBook(feed);
  const coinbase = coinbaseBook(feed);
  const rounds = new Rounds<Ours | 'ccxt' | 'coinbase'>();
  for (let at = 0; at < feed.blocks.length; at += CHUNK_BLOCKS) {
    const chunk = feed.blocks.slice(at, at + CHUNK_BLOCKS);
    const each = (blocks: readonly FeedBlock[], apply: () => void) => () =>
      timed(apply) / blocks.reduce((sum, { changes }) => sum + changes.length, 0);
    const first = chunk.slice(0, ccxtBlocks);
    rounds.round({
      ours: each(chunk, () => applyAll(book, chunk)),
      diffs: each(chunk, () => applyAll(bare, chunk, 'diffs')),
      coinbase: each(chunk, () => chunk.forEach((block) => applyToCoinbase(coinbase, block))),
      ccxt: each(first, () => first.forEach((block) => applyToCcxt(ccxt, block))),
    });
  }
  const rate = (name: Ours | 'ccxt' | 'coinbase') => `${round(1 / rounds.median(name))}k diffs/s`;
  const against = (ours: Ours, peer: 'ccxt' | 'coinbase') =>
    [rate(ours), `${PEERS[peer]} ${rate(peer)}`, rounds.ratio(peer, ours)] as const;
  const [ours, limit, ratio] = against('ours', 'coinbase');
  return [
    atLeast(`apply, ${feed.name}`, ...against('ours', 'ccxt'), 100),
    atLeast(`apply, diffs alone, ${feed.name}`, ...against('diffs', 'coinbase'), 8),
    {
      item: `the same, its statuses taken too, ${feed.name}`,
      ours,
      limit,
      ratio: round(ratio),
      bar: 'none',
      pass: true,
    },
  ];
}

type Ours = 'ours' | 'diffs';

const PEERS = { ccxt: 'ccxt IndexedOrderBook', coinbase: 'coinbase-pro Orderbook' } as const;

function applyAll(book: L4Book, blocks: readonly FeedBlock[], what: 'all' | 'diffs' = 'all'): void {
  for (const { changes, statuses, time } of blocks) {
    const findings = book.apply(changes, what === 'all' ? statuses : [], time);
    if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
  }
}

/** The cost that the rolling checksum adds to the diffs: two otherwise identical books, chunk by chunk. */
function rolling(feed: Feed): BenchRow {
  const { book } = L4Book.build('BTC', feed.levels);
  const { book: proved } = L4Book.build('BTC', feed.levels);
  proved.rollingChecksum();
  const rounds = new Rounds<'bare' | 'proved'>();
  for (let at = 0; at < feed.blocks.length; at += CHUNK_BLOCKS) {
    const chunk = feed.blocks.slice(at, at + CHUNK_BLOCKS);
    const each = (of: L4Book, read: () => unknown) => () =>
      timed(() => {
        for (const { changes, statuses, time } of chunk) {
          of.apply(changes, statuses, time);
          read();
        }
      });
    rounds.round({
      bare: each(book, () => undefined),
      proved: each(proved, () => proved.rollingChecksum()),
    });
  }
  const perBlock = (name: 'bare' | 'proved') => `${round((rounds.median(name) / CHUNK_BLOCKS) * 1e3)} µs a block`;
  return atMost(
    `apply with the rolling checksum, ${feed.name}`,
    perBlock('proved'),
    `without ${perBlock('bare')}`,
    rounds.ratio('proved', 'bare'),
    1.05,
  );
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

/** Inserts and removes levels anywhere in a book, which in a sorted array would move half of it each time. */
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
  // Enough blocks that compiled code applies most of them, as in a page that has been open for half a minute.
  yield* await againstPeers(generateFeed({ orders: 60_000, blocks: 450 }), 1);
  const real = realFeed();
  if (real !== undefined) yield* await againstPeers(real, CHUNK_BLOCKS);
  yield rolling(generateFeed({ orders: 60_000, blocks: 450 }));
  yield growth();
  yield farLevels();
}
