import { L4Book } from '@l4desk/book';
import { add, compare, multiply, sum } from '@l4desk/decimal';
import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { Chance, order, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { LEVEL_SORTS, LevelList, type LevelListQuery, type ListedOrder, type ListedOwner } from './level-list.ts';

const QUEUE: LevelListQuery = {
  sort: 'place',
  descending: false,
  owner: null,
  tif: null,
  minSz: null,
  byOwner: false,
  open: [],
};

const SEED = 4_711;
const chance = new Chance(SEED);
const UPPER = wallet(0xab).toUpperCase().replace('X', 'x') as Address;
const OWNERS = [wallet(1), wallet(2), wallet(0xab), UPPER, null];

/** Orders at some prices around a row, in queue order of their side. */
function drawn(side: Side): L4Order[] {
  const prices: DecimalString[] = ['98', '99.5', '100', '100.0', '100.5', '101', '104.5', '105'];
  const orders = Array.from({ length: 60 }, (_, index) =>
    order({
      oid: index + 1,
      side,
      limitPx: chance.pick(prices),
      sz: `${chance.int(0, 9)}.${chance.int(0, 99)}` as DecimalString,
      user: chance.pick(OWNERS),
      tif: chance.pick(['Alo', 'Gtc', null]),
      timestamp: 1_000 + chance.int(0, 20),
    }),
  );
  return orders.toSorted((a, b) => (side === 'B' ? -1 : 1) * compare(a.limitPx, b.limitPx));
}

/** The row's orders, found by checking each one: asks round up to the tick of 5, bids down. */
function plainQueue(orders: readonly L4Order[], side: Side) {
  const [low, high] = side === 'A' ? ['95', '100'] : ['100', '104.999'];
  const isIn = ({ limitPx }: L4Order) =>
    side === 'A'
      ? compare(limitPx, low as DecimalString) > 0 && compare(limitPx, high as DecimalString) <= 0
      : compare(limitPx, low as DecimalString) >= 0 && compare(limitPx, high as DecimalString) <= 0;
  const own = orders.filter(isIn);
  return own.map((item, place) => ({ item, place, szAhead: sum(own.slice(0, place).map(({ sz }) => sz)) }));
}

const userOf = ({ user }: L4Order) => user?.toLowerCase() ?? null;
const textOf = (text: string) =>
  compare(text as DecimalString, '0') === 0 ? '0' : text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

describe(`the orders of a row, listed as asked (seed ${SEED})`, () => {
  const cases = Array.from({ length: 60 }, () => {
    const side = chance.pick(['A', 'B'] as const);
    const query: LevelListQuery = {
      sort: chance.pick([...LEVEL_SORTS]),
      descending: chance.happens(0.5),
      owner: chance.pick([null, { users: [UPPER], text: '' }, { users: [], text: wallet(1).slice(-4) }]),
      tif: chance.pick([null, 'Alo', 'none']),
      minSz: chance.pick([null, '3', '2.505']),
      byOwner: chance.happens(0.5),
      open: chance.pick([[], [wallet(0xab), ''], [wallet(1)]]),
    };
    return { side, query, orders: drawn(side) };
  });

  it('have their true places, sizes ahead and exact sums, however they are sorted', () => {
    for (const { side, query, orders } of cases) {
      const { book } = L4Book.build('BTC', side === 'B' ? [orders, []] : [[], orders]);
      const list = new LevelList(book, { side, px: '100', tick: '5' }, query);
      const queue = plainQueue(orders, side);
      const isListed = ({ item }: (typeof queue)[number]) =>
        (query.owner === null ||
          (userOf(item) !== null &&
            (query.owner.users.some((user) => user.toLowerCase() === userOf(item)) ||
              (query.owner.text !== '' && userOf(item)?.includes(query.owner.text))))) &&
        (query.tif === null || (item.tif ?? 'none') === query.tif) &&
        (query.minSz === null || compare(item.sz, query.minSz) >= 0);
      const wanted = queue.filter(isListed);
      const lines = list.lines(0, 1_000);
      expect(lines.map(({ index }) => index)).toEqual(lines.map((_, index) => index));
      expect(list.length).toBe(lines.length);
      expect(list.orders).toBe(wanted.length);
      expect(list.wallets).toBe(new Set(wanted.map(({ item }) => userOf(item))).size);
      expect(compare(list.sz, sum(wanted.map(({ item }) => item.sz)))).toBe(0);
      const notionals = wanted.map(({ item }) => multiply(item.limitPx, item.sz));
      expect(compare(list.notional, sum(notionals))).toBe(0);
      for (const line of lines.filter((one): one is ListedOrder => one.kind === 'order')) {
        const own = wanted.find(({ item }) => item.oid === line.oid);
        expect(own && { place: own.place, szAhead: textOf(own.szAhead) }).toEqual({
          place: line.place,
          szAhead: line.szAhead,
        });
        expect(list.indexOf(line.oid)).toBe(line.index);
      }
      const owners = lines.filter((one): one is ListedOwner => one.kind === 'owner');
      const plainOwners = owners.map(({ user }) => {
        const own = wanted.filter(({ item }) => userOf(item) === user);
        const sz = textOf(sum(own.map(({ item }) => item.sz)));
        return { user, orders: own.length, sz, place: own[0]?.place, isOpen: query.open.includes(user ?? '') };
      });
      expect(owners.map(({ user, orders: n, sz, place, isOpen }) => ({ user, orders: n, sz, place, isOpen }))).toEqual(
        plainOwners,
      );
      const open = owners.filter(({ isOpen }) => isOpen).reduce((all, { orders: count }) => all + count, 0);
      expect(owners).toHaveLength(query.byOwner ? list.wallets : 0);
      expect(lines).toHaveLength(query.byOwner ? owners.length + open : wanted.length);
      expect(list.lines(2, 3)).toEqual(lines.slice(2, 5));
    }
  });

  const keys: Readonly<Record<LevelListQuery['sort'], (item: L4Order) => readonly [number, string]>> = {
    place: () => [0, ''],
    sz: ({ sz }) => [Math.round(Number(sz) * 100), ''],
    age: ({ timestamp }) => [-timestamp, ''],
    owner: (item) => [0, userOf(item) ?? 'zzz'],
  };

  it.each(LEVEL_SORTS)('are sorted by %s, ties in queue order, and add up down the list', (sort) => {
    const orders = drawn('A');
    const { book } = L4Book.build('BTC', [[], orders]);
    const queue = plainQueue(orders, 'A');
    for (const descending of [false, true]) {
      const list = new LevelList(book, { side: 'A', px: '100', tick: '5' }, { ...QUEUE, sort, descending });
      const way = descending ? -1 : 1;
      const wanted = queue.toSorted((a, b) => {
        const [[x, s], [y, t]] = [keys[sort](a.item), keys[sort](b.item)];
        const byKey = x - y || (s < t ? -1 : s > t ? 1 : 0);
        return sort === 'place' ? way * (a.place - b.place) : way * byKey || a.place - b.place;
      });
      const lines = list.lines(0, 1_000) as readonly ListedOrder[];
      expect(lines.map(({ oid }) => oid)).toEqual(wanted.map(({ item }) => item.oid));
      let cumSz: DecimalString = '0';
      for (const [at, line] of lines.entries()) {
        cumSz = add(cumSz, wanted[at]?.item.sz ?? '0');
        expect(compare(line.cumSz, cumSz)).toBe(0);
      }
    }
  });

  it('reject an invalid minimum size', () => {
    const { book } = L4Book.build('BTC', [[], drawn('A')]);
    expect(() => new LevelList(book, { side: 'A', px: '100', tick: '5' }, { ...QUEUE, minSz: '-1' })).toThrow(
      RangeError,
    );
  });
});
