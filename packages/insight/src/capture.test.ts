import { L4Book } from '@l4desk/book';
import { type Address, type DecimalString, type ReadCoinBatch, UnreadStatuses } from '@l4desk/protocol';
import { type BookCapture, generatedCapture, realCapture, SpecBook, wallet } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { FlowMemory, recordBlock } from './flow/record-block.ts';
import {
  figures,
  LENS_DISTANCES,
  OwnersMemory,
  ownerLens,
  owners,
  queuePlaces,
  queuePlacesOf,
  sweep,
  sweptOrders,
} from './index.ts';
import { type Lists, placesByOwner, sweepOf, sweptOf } from './test-support/brute-force.ts';
import { figuresOf, lensOf, ownersNear } from './test-support/brute-lens.ts';

/** `npm run soak -- insight`: nothing is left out. */
const IS_SOAK = process.env.L4DESK_INSIGHT_SOAK !== undefined;

/**
 * Every `stride` blocks places, owners and sweeps are compared for every wallet, and of owner lens and figures one query in
 * turn. What these carry on from block to block is read after every block.
 */
const recordings = [
  { recording: generatedCapture(), blocks: 60, stride: 3 },
  { recording: realCapture(), blocks: 51, stride: 7 },
].flatMap(({ recording, ...rest }) => (recording === undefined ? [] : [{ recording, name: recording.name, ...rest }]));

/** The last distance is that of most of the book; no side of it can fill the last size or the last notional. */
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

  /** Placement times by oid: from the last status of a block for an order, otherwise the block's time. */
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

/** What is compared of owner lens and figures: usually one query of each list in turn; sometimes all of them. */
interface Turn {
  readonly place: number;
  readonly isWhole: boolean;
}

function asked<T>(list: readonly T[], { place, isWhole }: Turn): readonly T[] {
  return isWhole ? list : list.filter((_, index) => index === place % list.length);
}

/** Every distance, size and notional, for both sides. */
function expectOwnersAndSweeps(book: L4Book, lists: Lists): void {
  for (const withinBps of DISTANCES) expectSame(owners(book, withinBps), ownersNear(lists, withinBps));
  for (const side of ['buy', 'sell'] as const) {
    for (const sz of SIZES) {
      expectSame(sweep(book, side, { sz }), sweepOf(lists, side, { sz }));
      expectSame(sweptOrders(book, side, { sz }, 500), sweptOf(lists, side, { sz }).slice(0, 500));
    }
    for (const ntl of NOTIONALS) {
      const amount = { ntl, szDecimals: SZ_DECIMALS };
      expectSame(sweep(book, side, amount), sweepOf(lists, side, amount));
    }
  }
}

/** For every wallet of the book, and for those that the block changed. */
function expectPlaces(book: L4Book, lists: Lists, batch: ReadCoinBatch): void {
  const touched = batch.changes.map(({ user }) => user);
  const resting = [...lists.B, ...lists.A].map(({ user }) => user as Address);
  const users = new Set([...touched, ...resting]);
  const places = placesByOwner(lists, () => true);
  const found = queuePlacesOf(book, users);
  expect([...found.keys()]).toEqual([...users]);
  // Field by field: as texts, tens of thousands of places take much longer.
  const wrong = [...found].find(([user, own]) => !isSameList(own, places.get(user) ?? []))?.[0];
  expect({ wrong, places: wrong && found.get(wrong) }).toEqual({
    wrong: undefined,
    places: wrong && places.get(wrong),
  });
  const [someone = wallet(1)] = touched;
  expect(queuePlaces(book, someone)).toEqual(places.get(someone) ?? []);
}

/** State updated with the changes of each block. */
interface Carried {
  readonly lens: OwnersMemory;
  readonly figures: OwnersMemory;
}

/** Reads the updated state after every block and, if `lists` are given, compares it with a fresh read and with what they produce. */
function expectLens(book: L4Book, carried: Carried, plain: PlainBook, clock: number, turn: Turn, lists?: Lists): void {
  const placedAt = (oid: number) => plain.placed.get(oid) ?? Number.NaN;
  const limit = turn.isWhole ? {} : { limit: 40 };
  for (const withinBps of asked(LENS_DISTANCES, turn)) {
    for (const wallShare of asked(['0.02', '0.005', '0.1'] as const, turn)) {
      const question = { withinBps, wallShare, clock: clock + turn.place, ...limit };
      const updated = ownerLens(book, question, carried.lens);
      if (lists === undefined) continue;
      const anew = ownerLens(book, question);
      expectSame(updated, anew);
      expectSame(anew, lensOf(lists, placedAt, question));
    }
  }
  const updated = figures(book, '1', carried.figures);
  if (lists === undefined) return;
  const anew = figures(book, '1');
  expectSame(updated, anew);
  expectSame(anew, figuresOf(lists, '1'));
}

it.each(recordings)(
  'along $name places, owners, sweeps, owner lens and figures equal an independent computation',
  ({ recording, blocks, stride }) => {
    const { book } = L4Book.build('BTC', recording.levels);
    const plain = new PlainBook(recording.levels);
    const flow = new FlowMemory();
    const carried = { lens: new OwnersMemory(), figures: new OwnersMemory() };
    const batches = recording.batches.slice(0, blocks);
    for (const [index, batch] of batches.entries()) {
      const { events, findings } = recordBlock(book, batch, flow);
      expect(findings).toEqual([]);
      expect(book.settle()).toEqual([]);
      for (const memory of Object.values(carried)) memory.note(book, events);
      plain.apply(batch);
      const turn = { place: Math.floor(index / stride), isWhole: IS_SOAK || index === batches.length - 1 };
      const lists = index % stride === 0 || turn.isWhole ? plain.lists() : undefined;
      expectLens(book, carried, plain, batch.time, turn, lists);
      if (lists === undefined) continue;
      expectPlaces(book, lists, batch);
      expectOwnersAndSweeps(book, lists);
    }
  },
);

function isSameList(actual: readonly object[], expected: readonly object[]): boolean {
  return actual.length === expected.length && actual.every((one, at) => isSame(one, expected[at] ?? {}));
}

function isSame(a: object, b: object): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => Reflect.get(a, key) === Reflect.get(b, key));
}

/** Compares as text, which is fast for thousands of wallets. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
}
