// Conversion between text and book: frames and snapshots read, snapshots written, a ladder filled, bytes per order.
import type { BenchRow } from '@l4desk/config/bench';
import { type BookLevels, decodeL4BookSnapshot, type L4Order, readUpdatesText } from '@l4desk/protocol';
import { L4Book, LadderWindow } from '../src/index.ts';
import { type Feed, generateFeed } from './support/feed.ts';
import { atLeast, atMost, collectGarbage, median, ms, Rounds, round, timed } from './support/measure.ts';

const ROUNDS = 15;
const COIN = 'BTC';

/** A book in its simplest form: whole orders by oid. */
type OrderMap = Map<number, L4Order>;

function mapOf(levels: BookLevels): OrderMap {
  return new Map(levels.flatMap((side) => side.map((order) => [order.oid, order] as const)));
}

/**
 * Frames of the stream, text to book, compared with JSON.parse and a Map of orders. The book applies a frame's diffs at once
 * and reads its statuses later; the second row includes both.
 */
function frames(feed: Feed): readonly BenchRow[] {
  const { book } = L4Book.build(COIN, feed.levels);
  const map = mapOf(feed.levels);
  const rounds = new Rounds<'ours' | 'settled' | 'peer'>();
  for (const { text } of feed.blocks) {
    let ours = Number.NaN;
    rounds.round({
      ours: () => {
        ours = timed(() => readIntoBook(book, text));
        return ours;
      },
      settled: () => ours + timed(() => book.settle()),
      peer: () => timed(() => readIntoMap(map, text)),
    });
  }
  const peer = `JSON.parse + Map ${ms(rounds.median('peer'))}`;
  return [
    atLeast('frame text to book, 135 KB', ms(rounds.median('ours')), peer, rounds.ratio('peer', 'ours'), 2),
    {
      item: 'the same, its statuses read and checked too',
      ours: ms(rounds.median('settled')),
      limit: peer,
      ratio: round(rounds.ratio('peer', 'settled')),
      bar: 'none',
      pass: true,
    },
  ];
}

function readIntoBook(book: L4Book, text: string): void {
  const batch = readUpdatesText(text);
  if (batch === undefined) throw new Error('a frame in an unusual form');
  for (const { changes, statuses, time } of batch.coins) {
    if (book.apply(changes, statuses, time).length > 0) throw new Error('a finding');
  }
}

function readIntoMap(map: OrderMap, text: string): void {
  const details = new Map<number, L4Order>();
  const { book_diffs: coins } = JSON.parse(text).data.Updates;
  for (const { order_statuses: statuses, book_diffs: diffs } of coins) {
    for (const { order } of statuses) details.set(order.oid, order);
    for (const { oid, raw_book_diff: raw, px } of diffs) {
      const resting = map.get(oid) ?? details.get(oid);
      if (raw === 'remove' || resting === undefined) map.delete(oid);
      else map.set(oid, { ...resting, limitPx: px, sz: raw.new?.sz ?? raw.update.newSz });
    }
  }
}

/** A whole snapshot, text to book, compared with JSON.parse alone; and book to text compared with JSON.stringify. */
function snapshots(feed: Feed): readonly BenchRow[] {
  const head = { coin: COIN, time: 1, height: 1, epoch: '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a', seq: 1 };
  const text = JSON.stringify({ ...head, levels: feed.levels });
  const { book } = L4Book.build(COIN, feed.levels);
  const reading = new Rounds<'ours' | 'peer'>();
  const writing = new Rounds<'ours' | 'peer'>();
  for (let count = 0; count < ROUNDS; count += 1) {
    collectGarbage();
    reading.round({
      ours: () => timed(() => L4Book.build(COIN, decodeL4BookSnapshot(JSON.parse(text), COIN).levels)),
      peer: () => timed(() => JSON.parse(text)),
    });
    writing.round({
      ours: () => timed(() => [...book.levelsJson()]),
      peer: () => timed(() => Buffer.from(JSON.stringify(feed.levels))),
    });
  }
  const [parse, stringify] = [ms(reading.median('peer')), ms(writing.median('peer'))];
  const size = feed.name;
  return [
    atMost(
      `snapshot text to book, ${size}`,
      ms(reading.median('ours')),
      `JSON.parse ${parse}`,
      reading.ratio('ours', 'peer'),
      2,
    ),
    atMost(
      `snapshot to text, ${size}`,
      ms(writing.median('ours')),
      `JSON.stringify ${stringify}`,
      writing.ratio('ours', 'peer'),
      1,
    ),
  ];
}

/** The best 50 rows of both sides with their queues, compared with regrouping a Map of orders. */
function ladder(feed: Feed): BenchRow {
  const { book } = L4Book.build(COIN, feed.levels);
  const map = mapOf(feed.levels);
  const window = new LadderWindow(50, 64);
  const rounds = new Rounds<'ours' | 'peer'>();
  for (let count = 0; count < ROUNDS; count += 1) {
    rounds.round({
      ours: () => {
        const fills = 100;
        const each = () => {
          for (let fill = 0; fill < fills; fill += 1) for (const side of ['B', 'A'] as const) book.fill(window, side);
        };
        return timed(each) / fills;
      },
      peer: () => timed(() => regroup(map)),
    });
  }
  const peer = `Map regrouped ${ms(rounds.median('peer'))}`;
  return atLeast('top 50 with queues', ms(rounds.median('ours')), peer, rounds.ratio('peer', 'ours'), 50);
}

function regroup(map: OrderMap): readonly (readonly L4Order[])[] {
  const levels = { B: new Map<string, L4Order[]>(), A: new Map<string, L4Order[]>() };
  for (const order of map.values()) {
    const queue = levels[order.side].get(order.limitPx);
    if (queue === undefined) levels[order.side].set(order.limitPx, [order]);
    else queue.push(order);
  }
  return (['B', 'A'] as const).flatMap((side) => {
    const sign = side === 'B' ? -1 : 1;
    const sorted = [...levels[side]].sort(([a], [b]) => sign * (Number(a) - Number(b)));
    return sorted.slice(0, 50).map(([, queue]) => queue);
  });
}

/**
 * Bytes per order with all its fields, compared with a Map of wire objects: heap and typed arrays after a garbage collection,
 * and after blocks that arrived as texts, including all that is retained of these texts.
 */
function memory(feed: Feed): BenchRow {
  const text = JSON.stringify(feed.levels);
  const orders = feed.levels[0].length + feed.levels[1].length;
  const bytes = (make: () => unknown) => {
    const figures = Array.from({ length: 5 }, () => {
      const before = used();
      const kept = make();
      const grown = used() - before;
      return kept === undefined ? Number.NaN : grown / orders;
    });
    return median(figures);
  };
  // Copies of the texts that nothing else retains.
  const messages = function* () {
    for (const block of feed.blocks) yield Buffer.from(block.text).toString();
  };
  const ours = bytes(() => {
    const { book } = L4Book.build(COIN, JSON.parse(text));
    for (const message of messages()) readIntoBook(book, message);
    if (book.isSettled) throw new Error('no text is kept: the worst case is not measured');
    return book;
  });
  const peer = bytes(() => {
    const map = mapOf(JSON.parse(text));
    for (const message of messages()) readIntoMap(map, message);
    return map;
  });
  return atMost('memory an order, all fields', `${round(ours)} bytes`, `Map ${round(peer)} bytes`, ours / peer, 0.45);
}

function used(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export default async function* bench(): AsyncGenerator<BenchRow, void, undefined> {
  // Enough blocks that compiled code reads most of them, as in a page that has been open for half a minute.
  yield* frames(generateFeed({ orders: 60_000, blocks: 400 }));
  const feed = generateFeed({ orders: 60_000, blocks: 150 });
  yield* snapshots(feed);
  yield ladder(feed);
  yield memory(feed);
}
