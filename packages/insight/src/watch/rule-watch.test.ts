import { L4Book } from '@l4desk/book';
import type { BookChange, DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { bookOf, type Row } from '../test-support/books.ts';
import { RuleWatch } from './rule-watch.ts';
import type { WatchRule } from './rules.ts';
import { RuleTrial } from './try-rules.ts';

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

const facts = (hits: ReturnType<RuleWatch['look']>) => hits.map((hit) => hit.facts);

describe('[INS-40] a wallet that places or pulls', () => {
  const rules: readonly WatchRule[] = [
    { kind: 'wallet', user: MINE.toUpperCase().replace('0X', '0x') as typeof MINE, event: 'placed', minSz: '2' },
    { kind: 'wallet', user: MINE, event: 'pulled', minSz: '2' },
  ];

  it('fires for each block in which its resting size on a side changes by that much, over all its orders', () => {
    const watch = new RuleWatch('BTC', rules);
    expect(watch.onBook(book([['99', '5', MINE, 1]]), at(1))).toEqual([]);
    expect(facts(watch.onBlock([insert(2, '1.5'), insert(3, '0.5'), insert(4, '9', wallet(8))], at(2)))).toEqual([
      { kind: 'wallet', user: MINE, side: 'B', event: 'placed', sz: '2' },
    ]);
    expect(watch.onBlock([insert(5, '1.999')], at(3))).toEqual([]);
    // A requote removes and places the same size: nothing changed.
    expect(watch.onBlock([remove(1), insert(6, '5')], at(4))).toEqual([]);
    expect(watch.onBlock([resize(6, '5', '1'), remove(2)], at(5))).toEqual([
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
    expect(watch.onBlock([remove(1)], at(10))).toEqual([]);
  });
});

describe('[INS-40] rules about states', () => {
  it('a place fires for each order that reaches it, once until the order has left it', () => {
    const watch = new RuleWatch('BTC', [{ kind: 'place', user: MINE, place: 2 }]);
    const third = book([
      ['99', '1'],
      ['99', '1'],
      ['99', '3', MINE, 70],
    ]);
    const second = book([
      ['99', '1'],
      ['99', '3', MINE, 70],
    ]);
    expect(watch.look(third, at(1))).toEqual([]);
    expect(facts(watch.look(second, at(2)))).toEqual([
      { kind: 'place', user: MINE, oid: 70, side: 'B', px: '99', place: 2, of: 2 },
    ]);
    expect(watch.look(second, at(3))).toEqual([]);
    watch.look(third, at(4));
    expect(watch.look(second, at(5))).toHaveLength(1);
  });

  it('a wall is one wallet’s size at one price within the distance, computed exactly', () => {
    const watch = new RuleWatch('BTC', [{ kind: 'wall', withinBps: '100', minSz: '3.0005' }]);
    const short = book([
      ['99', '3', MINE],
      ['99', '5', wallet(2)],
      ['98.9', '9', MINE],
    ]);
    expect(facts(watch.look(short, at(1)))).toEqual([{ kind: 'wall', user: wallet(2), side: 'B', px: '99', sz: '5' }]);
    const both = book([
      ['99', '1.5', MINE],
      ['99', '5', wallet(2)],
      ['99', '1.5005', MINE],
    ]);
    expect(facts(watch.look(both, at(2)))).toEqual([{ kind: 'wall', user: MINE, side: 'B', px: '99', sz: '3.0005' }]);
  });

  it('spread and imbalance fire past their threshold, and for either side', () => {
    const watch = new RuleWatch('BTC', [
      { kind: 'spread', aboveBps: '200' },
      { kind: 'imbalance', withinBps: '150', above: '0.5' },
    ]);
    expect(watch.look(book(), at(1))).toEqual([]);
    expect(facts(watch.look(book([['99', '3.1']]), at(2)))).toEqual([{ kind: 'imbalance', lean: '0.512195' }]);
    expect(facts(watch.look(book([['99', '1']], [['101', '4']]), at(3)))).toEqual([
      { kind: 'imbalance', lean: '-0.600000' },
    ]);
    expect(facts(watch.look(book([['98.9', '1']], [['101', '4']]), at(4)))).toEqual([
      { kind: 'spread', bps: '210.105053' },
    ]);
    expect(watch.look(book([], [['101', '4']]), at(5))).toEqual([]);
  });

  it('a suspect feed fires once while it lasts, a new epoch with its first book', () => {
    const watch = new RuleWatch('BTC', [{ kind: 'suspect' }, { kind: 'epoch' }]);
    const here = book();
    watch.onBook(here, at(1));
    expect(facts(watch.look(here, at(1), 'no block'))).toEqual([{ kind: 'suspect', reason: 'no block' }]);
    expect(watch.look(here, at(1), 'no block')).toEqual([]);
    watch.look(here, at(2), null);
    expect(watch.look(here, at(2), 'late')).toHaveLength(1);
    expect(facts(watch.onBook(here, at(3, 'e2')))).toEqual([{ kind: 'epoch', epoch: 'e2' }]);
    expect(watch.onBook(here, at(4, 'e2'))).toEqual([]);
  });
});

it.each<[WatchRule]>([
  [{ kind: 'wallet', user: MINE, event: 'placed', minSz: '0.00' }],
  [{ kind: 'place', user: MINE, place: 0 }],
  [{ kind: 'place', user: '0x1', place: 1 }],
  [{ kind: 'wall', withinBps: '-1', minSz: '1' }],
  [{ kind: 'spread', aboveBps: '1e3' }],
  [{ kind: 'imbalance', withinBps: '5', above: 'x' as DecimalString }],
])('[INS-41] throws RangeError for a rule whose numbers are meaningless: %o', (rule) => {
  expect(() => new RuleWatch('BTC', [rule])).toThrow(RangeError);
});

describe('[INS-42] rules tried on the past', () => {
  it('count what would have fired; the first block only gives the starting state', () => {
    const rules: readonly WatchRule[] = [
      { kind: 'wallet', user: MINE, event: 'placed', minSz: '2' },
      { kind: 'place', user: MINE, place: 1 },
      { kind: 'place', user: MINE, place: 4 },
    ];
    const trial = new RuleTrial('BTC', rules, { hitsMax: 3 });
    expect(trial.result).toEqual({ blocks: 0, counts: [0, 0, 0], hits: [] });
    const { book: moved } = L4Book.build('BTC', book([['99', '5', MINE, 1]]).levels());
    trial.onBook(moved, at(1));
    for (let height = 2; height <= 9; height += 1) {
      const changes = [insert(height, '2')];
      expect(moved.apply(changes, [], height)).toEqual([]);
      trial.onBlock(changes, moved, at(height));
    }
    const tried = trial.result;
    expect({ blocks: tried.blocks, counts: tried.counts }).toEqual({ blocks: 9, counts: [8, 0, 3] });
    expect(tried.hits.map(({ rule, height }) => [rule, height])).toEqual([
      [0, 7],
      [0, 8],
      [0, 9],
    ]);
  });
});
