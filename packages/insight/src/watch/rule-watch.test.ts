import { L4Book } from '@l4desk/book';
import { middle, subtract } from '@l4desk/decimal';
import {
  type BookChange,
  type BookLevels,
  type DecimalString,
  decodeUpdates,
  type L4Order,
  SIDES,
  type Side,
} from '@l4desk/protocol';
import { Chance, SourceBook, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { bookOf, listed, type Row } from '../test-support/books.ts';
import { sumOf, valueOf } from '../test-support/brute-force.ts';
import { RuleWatch } from './rule-watch.ts';
import type { WatchHit, WatchRule } from './rules.ts';

const MINE = wallet(7);

const at = (height: number, epoch = 'e1') => ({ height, time: height * 70, epoch });

const insert = (oid: number, sz: DecimalString, user = MINE): BookChange => ({
  kind: 'insert',
  oid,
  user,
  side: 'B',
  px: '99',
  sz,
  insertBefore: null,
});
const resize = (oid: number, origSz: DecimalString, newSz: DecimalString): BookChange => ({
  kind: 'resize',
  oid,
  user: MINE,
  side: 'B',
  px: '99',
  origSz,
  newSz,
});
const remove = (oid: number): BookChange => ({ kind: 'remove', oid, user: MINE, side: 'B', px: '99' });

const book = (bids: readonly Row[] = [['99', '1']], asks: readonly Row[] = [['101', '1']]) => bookOf({ bids, asks });

const facts = (hits: readonly WatchHit[]) => hits.map((hit) => hit.facts);

/** A watch that starts with an empty book, in which no state holds. */
const watching = (rules: readonly WatchRule[]) => {
  const watch = new RuleWatch('BTC', rules);
  expect(watch.onBook(bookOf({}), at(0))).toEqual([]);
  return {
    watch,
    /** After a block the book is this one. */
    becomes: (next: L4Book, height: number) => watch.onBlock([], next, at(height)),
  };
};

describe('a wallet that places or pulls', () => {
  const rules: readonly WatchRule[] = [
    { kind: 'wallet', user: MINE.toUpperCase().replace('0X', '0x') as typeof MINE, event: 'placed', minSz: '2' },
    { kind: 'wallet', user: MINE, event: 'pulled', minSz: '2' },
  ];

  it('fires for each block in which its resting size on a side changes by that much, over all its orders', () => {
    const watch = new RuleWatch('BTC', rules);
    const block = (changes: readonly BookChange[], height: number) => watch.onBlock(changes, book(), at(height));
    expect(watch.onBook(book([['99', '5', MINE, 1]]), at(1))).toEqual([]);
    expect(facts(block([insert(2, '1.5'), insert(3, '0.5'), insert(4, '9', wallet(8))], 2))).toEqual([
      { kind: 'wallet', user: MINE, side: 'B', event: 'placed', sz: '2' },
    ]);
    expect(block([insert(5, '1.999')], 3)).toEqual([]);
    // A requote removes and places the same size: nothing changed.
    expect(block([remove(1), insert(6, '5')], 4)).toEqual([]);
    expect(block([resize(6, '5', '1'), remove(2)], 5)).toEqual([
      {
        rule: 1,
        coin: 'BTC',
        height: 5,
        time: 350,
        facts: { kind: 'wallet', user: MINE, side: 'B', event: 'pulled', sz: '5.5' },
      },
    ]);
  });

  it('does not fire for an outage: a new book is a new start', () => {
    const watch = new RuleWatch('BTC', rules);
    watch.onBook(book([['99', '5', MINE, 1]]), at(1));
    expect(watch.onBook(book(), at(9))).toEqual([]);
    expect(watch.onBlock([remove(1)], book(), at(10))).toEqual([]);
  });
});

describe('rules about states', () => {
  it('a place fires for each order that reaches it, once until the order has left it', () => {
    const { becomes } = watching([{ kind: 'place', user: MINE, place: 2 }]);
    const third = book([
      ['99', '1'],
      ['99', '1'],
      ['99', '3', MINE, 70],
    ]);
    const second = book([
      ['99', '1'],
      ['99', '3', MINE, 70],
    ]);
    expect(becomes(third, 1)).toEqual([]);
    expect(facts(becomes(second, 2))).toEqual([
      { kind: 'place', user: MINE, oid: 70, side: 'B', px: '99', place: 2, of: 2 },
    ]);
    expect(becomes(second, 3)).toEqual([]);
    becomes(third, 4);
    expect(becomes(second, 5)).toHaveLength(1);
  });

  it('a wall is one wallet’s size at one price within the distance, computed exactly', () => {
    const { becomes } = watching([{ kind: 'wall', withinBps: '100', minSz: '3.0005' }]);
    const short = book([
      ['99', '3', MINE],
      ['99', '5', wallet(2)],
      ['98.9', '9', MINE],
    ]);
    expect(facts(becomes(short, 1))).toEqual([{ kind: 'wall', user: wallet(2), side: 'B', px: '99', sz: '5' }]);
    const both = book([
      ['99', '1.5', MINE],
      ['99', '5', wallet(2)],
      ['99', '1.5005', MINE],
    ]);
    expect(facts(becomes(both, 2))).toEqual([{ kind: 'wall', user: MINE, side: 'B', px: '99', sz: '3.0005' }]);
  });

  it('a suspect feed fires once while it lasts, a new epoch with its first book', () => {
    const { watch } = watching([{ kind: 'suspect' }, { kind: 'epoch' }]);
    const here = book();
    expect(facts(watch.onFeed('no block', at(1)))).toEqual([{ kind: 'suspect', reason: 'no block' }]);
    expect(watch.onFeed('no block', at(1))).toEqual([]);
    expect(watch.onFeed(null, at(2))).toEqual([]);
    expect(watch.onFeed('late', at(2))).toHaveLength(1);
    expect(facts(watch.onBook(here, at(3, 'e2')))).toEqual([{ kind: 'epoch', epoch: 'e2' }]);
    expect(watch.onBook(here, at(4, 'e2'))).toEqual([]);
  });
});

/** The mid of a book at first. */
function middleOf(source: SourceBook): DecimalString {
  const { book: first } = L4Book.build('BTC', source.levels());
  return middle(first.best('B')?.px ?? '0', first.best('A')?.px ?? '0');
}

/** The states that hold in a book, read from its orders alone: `rule what`. */
function statesOf([bids, asks]: BookLevels, rules: readonly WatchRule[]): ReadonlySet<string> {
  const sides: Readonly<Record<Side, readonly L4Order[]>> = { B: bids, A: asks };
  const [bid, ask] = [valueOf(bids[0]?.limitPx ?? '0'), valueOf(asks[0]?.limitPx ?? '0')];
  const near = (side: Side, withinBps: string) =>
    sides[side].filter(({ limitPx }) => {
      const away = 2n * valueOf(limitPx) - bid - ask;
      return (away < 0n ? -away : away) * 10_000n * valueOf('1') <= valueOf(withinBps) * (bid + ask);
    });
  const states = new Set<string>();
  rules.forEach((rule, index) => {
    const note = (what: string) => states.add(`${index} ${what}`);
    if (rule.kind === 'spread' && (ask - bid) * 20_000n * valueOf('1') > valueOf(rule.aboveBps) * (bid + ask)) note('');
    if (rule.kind === 'price') {
      const above = bid + ask - 2n * valueOf(rule.px);
      if (rule.reaches === 'above' ? above >= 0n : above <= 0n) note('');
    }
    if (rule.kind === 'imbalance') {
      const [b, a] = SIDES.map((side) => sumOf(near(side, rule.withinBps).map(listed))) as [bigint, bigint];
      const lean = b - a;
      if ((lean < 0n ? -lean : lean) * valueOf('1') > valueOf(rule.above) * (b + a)) note(lean < 0n ? 'A' : 'B');
    }
    for (const side of SIDES) {
      if (rule.kind === 'place') {
        for (const { oid, user, limitPx } of sides[side]) {
          const queue = sides[side].filter((other) => other.limitPx === limitPx).map((other) => other.oid);
          if (user === rule.user && queue.indexOf(oid) < rule.place) note(String(oid));
        }
      }
      if (rule.kind !== 'wall') continue;
      const sums = new Map<string, bigint>();
      for (const { user, limitPx, sz } of near(side, rule.withinBps)) {
        const key = `${side} ${limitPx} ${user}`;
        sums.set(key, (sums.get(key) ?? 0n) + valueOf(sz));
      }
      for (const [key, sum] of sums) if (sum >= valueOf(rule.minSz)) note(key);
    }
  });
  return states;
}

/** The state that a hit says has begun. */
function stateOf({ rule, facts: found }: WatchHit): string {
  switch (found.kind) {
    case 'place':
      return `${rule} ${found.oid}`;
    case 'wall':
      return `${rule} ${found.side} ${found.px} ${found.user}`;
    case 'imbalance':
      return `${rule} ${found.lean.startsWith('-') ? 'A' : 'B'}`;
    default:
      return `${rule} `;
  }
}

it('after every block exactly the states fire that have begun, also after blocks that were not seen', () => {
  const fired = new Set<number>();
  for (const seed of [5, 6, 7, 8]) {
    const chance = new Chance(seed);
    const source = new SourceBook('BTC', chance, 40);
    const rules: readonly WatchRule[] = [
      { kind: 'place', user: wallet(3), place: 1 },
      { kind: 'place', user: wallet(4), place: 3 },
      { kind: 'wall', withinBps: '25', minSz: '60' },
      { kind: 'wall', withinBps: '40', minSz: '30.5' },
      { kind: 'spread', aboveBps: '5' },
      { kind: 'imbalance', withinBps: '20', above: '0.2' },
      { kind: 'price', reaches: 'above', px: middleOf(source) },
      { kind: 'price', reaches: 'below', px: subtract(middleOf(source), '0.0001') },
    ];
    const watch = new RuleWatch('BTC', rules);
    let { book: moved } = L4Book.build('BTC', source.levels());
    watch.onBook(moved, at(0));
    let before = statesOf(source.levels(), rules);
    for (let height = 1; height <= 300; height += 1) {
      const { diffs, statuses } = source.block();
      const { coins } = decodeUpdates({
        epoch: 'e1e1e1e1-0000-4000-8000-000000000000',
        block_height: height,
        time: height * 70,
        cursor: `${height}:${height * 70}`,
        book_diffs: [{ coin: 'BTC', seq: height, prev_seq: height - 1, order_statuses: statuses, book_diffs: diffs }],
      });
      const changes = coins[0]?.changes ?? [];
      expect(moved.apply(changes, [], height)).toEqual([]);
      // Now and then a block is applied that the watch does not hear of, or another book takes over.
      if (chance.happens(0.05)) continue;
      const isNew = chance.happens(0.05);
      if (isNew) moved = L4Book.build('BTC', source.levels()).book;
      const hits = isNew ? watch.onBook(moved, at(height)) : watch.onBlock(changes, moved, at(height));
      const now = statesOf(source.levels(), rules);
      expect(hits.map(stateOf).sort(), `seed ${seed}, block ${height}`).toEqual(
        [...now].filter((state) => !before.has(state)).sort(),
      );
      before = now;
      for (const { rule } of hits) fired.add(rule);
    }
  }
  expect([...fired].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it.each<[WatchRule]>([
  [{ kind: 'wallet', user: MINE, event: 'placed', minSz: '0.00' }],
  [{ kind: 'place', user: MINE, place: 0 }],
  [{ kind: 'place', user: '0x1', place: 1 }],
  [{ kind: 'wall', withinBps: '-1', minSz: '1' }],
  [{ kind: 'price', reaches: 'above', px: '0.0' }],
  [{ kind: 'spread', aboveBps: '1e3' }],
  [{ kind: 'imbalance', withinBps: '5', above: 'x' as DecimalString }],
])('throws RangeError for a rule whose numbers are meaningless: %o', (rule) => {
  expect(() => new RuleWatch('BTC', [rule])).toThrow(RangeError);
});
