import { L4Book } from '@l4desk/book';
import {
  type Address,
  type BookChange,
  type DecimalString,
  type L4Order,
  type Side,
  UnreadStatuses,
} from '@l4desk/protocol';
import { type BookCapture, fuzzRuns, generatedCapture, order, realCapture, wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QueueLife, QueueLives } from './index.ts';
import { PlainQueues } from './test-support/plain-queues.ts';

/** How many blocks of each recording pass between full comparisons, which are slow with 51,000 orders. */
const recordings = [
  { capture: generatedCapture(), stride: 1 },
  { capture: realCapture(), stride: 5 },
].flatMap(({ capture, stride }) => (capture === undefined ? [] : [{ capture, name: capture.name, stride }]));

/** A step of a random block: an order is inserted, resized or removed. */
const step = fc.record({
  act: fc.constantFrom('insert', 'insert', 'before', 'resize', 'remove', 'execute'),
  pick: fc.nat(1_000),
  user: fc.nat(3),
  side: fc.constantFrom<Side[]>('B', 'A'),
  price: fc.nat(1),
  sz: fc.constantFrom<DecimalString[]>('1', '2.5', '0.125', '3.0', '0.0000001', '0'),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Resting {
  readonly oid: number;
  readonly user: Address;
  readonly side: Side;
  readonly px: DecimalString;
  sz: DecimalString;
}

/** Draws changes that fit the resting orders. */
class Drawn {
  readonly resting: Resting[] = [];
  #oid = 1_000;

  change({ act, pick, user, side, price, sz }: Step): { readonly change: BookChange; readonly executed: boolean } {
    const target = this.resting[pick % Math.max(1, this.resting.length)];
    if (target === undefined || act === 'insert' || act === 'before') {
      this.#oid += 1;
      const beside = act === 'before' ? target : undefined;
      const px: DecimalString = side === 'B' ? (price === 0 ? '99.0' : '98') : price === 0 ? '101' : '102.50';
      const own = {
        oid: this.#oid,
        user: wallet(user),
        side: beside?.side ?? side,
        px: beside?.px ?? px,
        sz: sz === '0' ? '4' : sz,
      } as const;
      this.resting.push(own);
      return { change: { kind: 'insert', ...own, insertBefore: beside?.oid ?? null }, executed: false };
    }
    const { oid, user: owner, side: at, px } = target;
    const executed = act === 'execute';
    if (act === 'resize' || (executed && pick % 2 === 0)) {
      const origSz = target.sz;
      target.sz = executed ? '0.0' : sz;
      return { change: { kind: 'resize', oid, user: owner, side: at, px, origSz, newSz: target.sz }, executed };
    }
    this.resting.splice(this.resting.indexOf(target), 1);
    return { change: { kind: 'remove', oid, user: owner, side: at, px }, executed };
  }
}

describe('queue lives', () => {
  it('equal lists that are searched at every change, with orders inserted in front of others', () => {
    const blocks = fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 12 });
    const watching = fc.record({ at: fc.nat(8), users: fc.subarray([0, 1, 2, 3]) });
    fc.assert(
      fc.property(blocks, watching, watching, fc.nat(12), (drawn, first, second, resetAt) => {
        const source = new Drawn();
        const { book } = L4Book.build('BTC', [[], []]);
        const plain = new PlainQueues([]);
        const lives = new QueueLives();
        for (const [height, steps] of drawn.entries()) {
          const now = { height, time: height * 70 };
          const changes = steps.map((each) => source.change(each));
          const executed = new Set(changes.flatMap(({ change, executed: is }) => (is ? [change] : [])));
          const events = plain.apply(
            changes.map(({ change }) => change),
            (change) => executed.has(change),
            now,
          );
          const block = changes.map(({ change }) => change);
          expect(book.apply(block, [], now.time)).toEqual([]);
          lives.apply(book, events, now);
          for (const { at, users } of [first, second]) {
            if (at !== height) continue;
            lives.watch(book, users.map(wallet), now);
            plain.watch(users.map(wallet), now);
          }
          if (resetAt === height) {
            lives.reset(book, plain.users, now);
            plain.reset(now);
          }
          expect([...lives.lives()].sort((a, b) => a.oid - b.oid)).toEqual(plain.lives());
          for (const side of ['B', 'A'] as const) {
            const near = [...lives.nearest(side, 3)];
            expect(near.map(({ oid }) => oid)).toEqual(plain.nearest(side).slice(0, 3));
            expect(near).toEqual(near.map(({ oid }) => lives.life(oid)));
          }
        }
      }),
      fuzzRuns(100),
    );
  });

  it.each(recordings)(
    'along $name they equal such lists, and their places equal those of the book after every block',
    ({ capture, stride }) => {
      const { book } = L4Book.build('BTC', capture.levels);
      const plain = new PlainQueues(capture.levels.flat());
      const lives = new QueueLives();
      const users = watchedWallets(capture);
      const start = { height: 1, time: 1 };
      lives.watch(book, users, start);
      plain.watch(users, start);
      for (const [index, { changes, statuses, time, height }] of capture.batches.entries()) {
        const now = { height, time };
        const said = statuses instanceof UnreadStatuses ? statuses.read() : statuses;
        const named = new Set(said.map(({ order: { oid } }) => oid));
        const events = plain.apply(changes, (change) => isUnexplained(change) && !named.has(change.oid), now);
        book.apply(changes, statuses, time);
        lives.apply(book, events, now);
        const found = [...lives.lives()].sort((a, b) => a.oid - b.oid);
        expectPlaces(book, found);
        if (index % stride !== 0 && index !== capture.batches.length - 1) continue;
        const expected = plain.lives();
        expect(found.length).toBeGreaterThan(0);
        expectSame(found, expected);
      }
    },
  );

  it('past the bound an order is counted but not followed, and no longer counted once it leaves', () => {
    const orders = Array.from({ length: 5_002 }, (_, index) =>
      order({ oid: index + 1, side: 'B', limitPx: '99', sz: '1' }),
    );
    const { book } = L4Book.build('BTC', [orders, []]);
    const lives = new QueueLives();
    lives.watch(book, [wallet(1)], { height: 1, time: 1 });
    expect([...lives.lives()].length).toBe(5_000);
    expect(lives.unfollowed).toBe(2);
    const last = orders.at(-1) as L4Order;
    const place = { oid: last.oid, user: wallet(1), side: 'B', level: '99' } as const;
    book.apply([{ kind: 'remove', oid: last.oid, user: wallet(1), side: 'B', px: '99' }], [], 2);
    lives.apply(book, [{ act: 'remove', kind: 'canceled', ...place, from: '1', to: '0', behind: null }], {
      height: 2,
      time: 2,
    });
    expect(lives.unfollowed).toBe(1);
    expect(lives.life(5_000)).toMatchObject({ joinedBehind: { orders: 0 }, level: { orders: 5_001 } });
  });
});

/** Queue lives and the book agree about the queue. */
function expectPlaces(book: L4Book, lives: readonly QueueLife[]): void {
  const told = lives.map(({ oid, ahead, level }) => [oid, ahead.orders, ahead.sz, level.orders, level.sz]);
  const places = lives.map(({ oid }) => {
    const place = book.place(oid);
    return [oid, place?.ordersAhead, place?.szAhead, place?.levelCount, place?.levelSz];
  });
  expectSame(told, places);
}

/** One comparison for thousands of entries, which are slow to compare one by one; a failure shows the first that differ. */
function expectSame(actual: readonly unknown[], expected: readonly unknown[]): void {
  const [own, other] = [actual, expected].map((list) => list.map((each) => JSON.stringify(each)));
  const different = own?.findIndex((text, index) => text !== other?.[index]) ?? 0;
  expect(own?.[different]).toBe(other?.[different]);
  expect(own).toHaveLength(other?.length ?? Number.NaN);
}

/** A loss that an execution would explain. */
function isUnexplained(change: BookChange): boolean {
  return change.kind === 'remove' || (change.kind === 'resize' && Number(change.newSz) < Number(change.origSz));
}

/** Wallets that change orders most, those that trade, and some with few resting orders, if there are any. */
function watchedWallets(capture: BookCapture): readonly Address[] {
  const owned = new Map<Address | null, number>();
  for (const { user } of capture.levels.flat()) owned.set(user, (owned.get(user) ?? 0) + 1);
  const changed = new Map<Address, number>();
  for (const { user, kind } of capture.batches.flatMap(({ changes }) => changes)) {
    changed.set(user, (changed.get(user) ?? 0) + (kind === 'resize' ? 100 : 1));
  }
  const busy = [...changed].sort(([, a], [, b]) => b - a).map(([user]) => user);
  const resting = capture.levels
    .flat()
    .flatMap(({ user }, index) => (index % 2_500 === 0 && user !== null ? [user] : []));
  const few = [...busy.slice(0, 20), ...resting].filter((user) => (owned.get(user) ?? 0) < 40);
  return few.length > 0 ? few : busy.slice(0, 1);
}
