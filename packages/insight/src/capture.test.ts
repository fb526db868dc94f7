import { L4Book } from '@l4desk/book';
import { type Address, type DecimalString, type ReadCoinBatch, UnreadStatuses } from '@l4desk/protocol';
import { type BookCapture, generatedCapture, realCapture, SpecBook, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { FlowMemory, recordBlock } from './flow/record-block.ts';
import {
  FiguresMemory,
  figures,
  LENS_DISTANCES,
  OwnerLensMemory,
  ownerLens,
  owners,
  queuePlaces,
  queuePlacesOf,
  sweep,
  sweptOrders,
} from './index.ts';
import { type Lists, ownersNear, placesByOwner, sweepOf, sweptOf } from './test-support/brute-force.ts';
import { figuresOf, lensOf } from './test-support/brute-lens.ts';

/** Where the recording is missing, a generated one takes its place. */
const capture = realCapture() ?? generatedCapture();

const last = capture.batches.length - 1;

const DISTANCES: readonly DecimalString[] = ['0.1', '5', '10', '25', '50', '100', '2500'];
const SIZES: readonly DecimalString[] = ['0', '0.00001', '1', '12.5', '777.77777', '1000000'];
const NOTIONALS: readonly DecimalString[] = ['1', '1000', '1000000', '123456789.123456', '100000000000'];
/** Of BTC. */
const SZ_DECIMALS = 5;

/** The book as the judge of the conformance suite keeps it: plain arrays, no code of `book`. */
class PlainBook {
  readonly #book = new SpecBook((problem) => {
    throw new Error(problem);
  });

  /** Placement times by oid: what the last status of a block says of an order, else the block's time. */
  readonly placed = new Map<number, number>();

  constructor(levels: BookCapture['levels']) {
    for (const { oid, user, side, limitPx: px, sz, timestamp } of levels.flat()) {
      this.placed.set(oid, timestamp);
      this.#book.insert({ oid, user: String(user), side, px, sz });
    }
  }

  apply({ changes, statuses, time }: ReadCoinBatch): void {
    const said = statuses instanceof UnreadStatuses ? statuses.read() : statuses;
    for (const { oid, kind } of changes) {
      if (kind !== 'insert') continue;
      const status = said.findLast(({ order }) => order.oid === oid)?.order;
      this.placed.set(oid, status === undefined || status.isTrigger ? time : status.timestamp);
    }
    for (const change of changes) {
      const { oid, user, side, px } = change;
      if (change.kind === 'insert') {
        this.#book.insert({ oid, user, side, px, sz: change.sz }, change.insertBefore ?? undefined);
      } else if (change.kind === 'resize') this.#book.update(oid, { side, px }, change.origSz, change.newSz);
      else this.#book.remove(oid, { side, px });
    }
  }

  lists(): Lists {
    return { B: this.#book.side('B'), A: this.#book.side('A') };
  }
}

/** What is asked after block `index`: one of a list in turn, all of them at the end. */
function turn<T>(list: readonly T[], index: number): readonly T[] {
  return index === last ? list : list.filter((_, place) => place === index % list.length);
}

function expectOwnersAndSweeps(book: L4Book, lists: Lists, index: number): void {
  for (const withinBps of turn(DISTANCES, index)) {
    expect(owners(book, withinBps)).toEqual(ownersNear(lists, withinBps));
  }
  for (const side of ['buy', 'sell'] as const) {
    for (const sz of turn(SIZES, index)) {
      expect(sweep(book, side, { sz })).toEqual(sweepOf(lists, side, { sz }));
      expectSame(sweptOrders(book, side, { sz }, 500), sweptOf(lists, side, { sz }).slice(0, 500));
    }
    for (const ntl of turn(NOTIONALS, index)) {
      const amount = { ntl, szDecimals: SZ_DECIMALS };
      expect(sweep(book, side, amount)).toEqual(sweepOf(lists, side, amount));
    }
  }
}

describe(`along ${capture.name}`, () => {
  it('[INS-13] places, owners and sweeps equal an independent computation after every block', () => {
    const { book } = L4Book.build('BTC', capture.levels);
    const plain = new PlainBook(capture.levels);
    for (const [index, batch] of capture.batches.entries()) {
      expect(book.apply(batch.changes, batch.statuses, batch.time)).toEqual([]);
      plain.apply(batch);
      const lists = plain.lists();
      // Every wallet in every tenth block and at the end, else all with an order at a price that the block changed: what
      // the package is compared with takes its time.
      const isWhole = index % 10 === 0 || index === last;
      const touched = batch.changes.map(({ user }) => user);
      const users = new Set([...touched, ...ownersOf(lists, isWhole ? undefined : batch)]);
      const places = placesByOwner(lists, (user) => users.has(user as Address));
      const found = queuePlacesOf(book, users);
      expect([...found.keys()]).toEqual([...users]);
      for (const [user, own] of found) expectSame(own, places.get(user) ?? []);
      const [someone = wallet(1)] = touched;
      expect(queuePlaces(book, someone)).toEqual(places.get(someone) ?? []);
      expectOwnersAndSweeps(book, lists, index);
    }
  });
});

describe(`owner lens and figures along ${capture.name}`, () => {
  it('[INS-19] they equal an independent computation after every block, read anew or carried on', () => {
    const { book } = L4Book.build('BTC', capture.levels);
    const plain = new PlainBook(capture.levels);
    const flow = new FlowMemory();
    const carried = { lens: new OwnerLensMemory(), figures: new FiguresMemory() };
    for (const [index, batch] of capture.batches.entries()) {
      const { events, findings } = recordBlock(book, batch, flow);
      expect(findings).toEqual([]);
      expect(book.settle()).toEqual([]);
      for (const memory of Object.values(carried)) memory.note(book, events);
      plain.apply(batch);
      const lists = plain.lists();
      const placedAt = (oid: number) => plain.placed.get(oid) ?? Number.NaN;
      for (const withinBps of turn(LENS_DISTANCES, index)) {
        // Every wallet in every tenth block and at the end.
        const limit = index % 10 === 0 || index === last ? {} : { limit: 40 };
        for (const wallShare of turn(['0.02', '0.005', '0.1'] as const, index)) {
          const question = { withinBps, wallShare, clock: batch.time + index, ...limit };
          const expected = lensOf(lists, placedAt, question);
          expectSame(ownerLens(book, question), expected);
          expectSame(ownerLens(book, question, carried.lens), expected);
        }
      }
      const expected = figuresOf(lists, '1');
      expect(figures(book, '1')).toEqual(expected);
      expect(figures(book, '1', carried.figures)).toEqual(expected);
    }
  });
});

/** Owners of the orders at prices that a block changed, or of all orders. */
function ownersOf(lists: Lists, batch: ReadCoinBatch | undefined): readonly Address[] {
  const changed = new Set(batch?.changes.map(({ side, px }) => `${side} ${px}`));
  return (['B', 'A'] as const).flatMap((side) => {
    const orders = lists[side].filter(({ px }) => batch === undefined || changed.has(`${side} ${px}`));
    return orders.map(({ user }) => user as Address);
  });
}

/** Compared as text, which is quick for thousands of wallets. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
}
