import { L4Book } from '@l4desk/book';
import { type CoinBatch, decodeUpdates } from '@l4desk/protocol';
import { BusyFeed, Chance, SourceBook } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { bookDifference } from './book-difference.ts';
import { differenceBetween } from './difference.ts';
import { History } from './history.ts';
import { type BlockMark, placeAtHeight, type TimeLine } from './time-line.ts';

/** `npm run soak -- insight` takes a book as large as that of BTC, and as many blocks as are kept. */
const [ORDERS, BLOCKS] = process.env.L4DESK_INSIGHT_SOAK === undefined ? [400, 800] : [51_000, 4_000];

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const OTHER_EPOCH = '0e0d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2b';

/** A source with one book, and a reader that follows its blocks. */
class Life {
  readonly history: History;
  readonly source: SourceBook;
  book: L4Book;
  height = 100;
  seq = 0;
  epoch = EPOCH;

  constructor(chance: Chance, orders: number, bounds?: ConstructorParameters<typeof History>[1]) {
    this.source = new SourceBook('BTC', chance, orders);
    this.history = new History('BTC', bounds);
    this.book = L4Book.build('BTC', this.source.levels()).book;
    this.begin('');
  }

  get mark() {
    return { height: this.height, time: this.height * 67, epoch: this.epoch, seq: this.seq };
  }

  begin(reason: string): void {
    this.book = L4Book.build('BTC', this.source.levels()).book;
    this.history.begin(this.book, this.mark, reason);
  }

  /** One block of the source that the reader does not receive. */
  miss(): CoinBatch {
    const { diffs, statuses } = this.source.block();
    const prev_seq = this.seq;
    this.height += 1;
    this.seq += 1;
    const entry = { coin: 'BTC', seq: this.seq, prev_seq, order_statuses: statuses, book_diffs: diffs };
    const { height, epoch } = this;
    const updates = { time: height * 67, block_height: height, epoch, cursor: '', book_diffs: [entry] };
    return decodeUpdates(updates).coins[0] as CoinBatch;
  }

  live(): void {
    const batch = this.miss();
    this.book.apply(batch.changes, batch.statuses, batch.time);
    this.history.add(batch);
  }
}

/** A time line of some stretches, whose heights begin anywhere. */
function lineOf(chance: Chance) {
  const marks: BlockMark[] = [];
  const stretches: [number, number][] = [];
  for (let stretch = chance.int(1, 5); stretch > 0; stretch -= 1) {
    const first = marks.length;
    let height = chance.int(100, 130);
    for (let block = chance.int(1, 9); block > 0; block -= 1) {
      marks.push({ height, time: height, epoch: EPOCH, seq: marks.length });
      height += chance.int(1, 4);
    }
    stretches.push([first, marks.length - 1]);
  }
  const gaps = stretches.slice(1).map(([place]) => ({ place }));
  const line = {
    first: 0,
    last: marks.length - 1,
    gaps,
    markAt: (place: number) => marks[place],
  } as unknown as TimeLine;
  return { line, marks, stretches, height: (place: number) => marks[place]?.height ?? Number.NaN };
}

describe('travelling', () => {
  it('gives each of the last blocks at the rate of BTC its original checksum, back and forth, then goes live again', () => {
    const feed = new BusyFeed(ORDERS);
    const { book } = L4Book.build('BTC', feed.levels());
    const history = new History('BTC');
    history.begin(book, feed.start, '');
    const lived: string[] = [book.checksum()];
    const live = () => {
      const batch = feed.block();
      book.apply(batch.changes, batch.statuses, batch.time);
      history.add(batch);
      lived.push(book.checksum());
    };
    for (let block = 0; block < BLOCKS; block += 1) live();
    expect(history.last - history.first).toBeGreaterThanOrEqual(BLOCKS);
    const wrong: number[] = [];
    const look = (place: number) => {
      if (history.bookAt(place).checksum() !== lived[place]) wrong.push(place);
    };
    for (let place = history.last; place >= history.first; place -= 1) look(place);
    // While the past is shown, new blocks keep arriving: forward until none is left.
    for (let place = history.first; place <= history.last; place += 1) {
      if (place % 100 === 0) live();
      look(place);
    }
    expect(wrong).toEqual([]);
    expect(history.gaps).toEqual([]);
    expect(history.bookAt(history.last).levels()).toEqual(book.levels());
    history.release();
    expect(history.bookAt(history.last).checksum()).toBe(book.checksum());
  });

  it('restores every text and detail of a past book, including queue order', () => {
    const chance = new Chance(7_002);
    const life = new Life(chance, 40);
    const lived = [life.book.levels()];
    for (let block = 0; block < 120; block += 1) {
      life.live();
      lived.push(life.book.levels());
    }
    for (let place = life.history.last; place >= life.history.first; place -= 1) {
      const levels = life.history.bookAt(place).levels();
      expect(JSON.stringify({ seed: chance.seed, place, levels })).toBe(
        JSON.stringify({ seed: chance.seed, place, levels: lived[place] }),
      );
    }
  });

  it('keeps an epoch change and a rebuild as gaps, with what differs after them', () => {
    const life = new Life(new Chance(7_003), 60);
    const { history } = life;
    for (let block = 0; block < 10; block += 1) life.live();
    const before = L4Book.build('BTC', life.book.levels()).book;
    const from = life.mark;
    for (let block = 0; block < 7; block += 1) life.miss();
    life.epoch = OTHER_EPOCH;
    life.seq = 3;
    life.begin('epoch');
    const { book: rebuilt } = L4Book.build('BTC', life.book.levels());
    for (let block = 0; block < 10; block += 1) life.live();
    expect(history.gaps).toEqual([
      {
        place: 11,
        from,
        to: { height: 117, time: 117 * 67, epoch: OTHER_EPOCH, seq: 3 },
        reason: 'epoch',
        orders: bookDifference(before, rebuilt),
      },
    ]);
    expect(history.gaps[0]?.orders.length).toBeGreaterThan(0);
    expect(history.blockAt(11)).toBeUndefined();
    expect(history.bookAt(10).checksum()).toBe(before.checksum());
    expect(history.bookAt(11).checksum()).toBe(rebuilt.checksum());
    expect(history.bookAt(5).orderCount).toBeGreaterThan(0);
    expect(history.bookAt(21).checksum()).toBe(life.book.checksum());
    const across = differenceBetween(history, 4, 21);
    expect(across.orders).toEqual(bookDifference(history.bookAt(4), life.book));
    expect(across).toMatchObject({ blocks: 16, gaps: history.gaps });
    expect(differenceBetween(history, 12, 21).gaps).toEqual([]);
  });

  it('discards everything on a block that does not follow: nothing is invented', () => {
    const life = new Life(new Chance(7_004), 20);
    life.live();
    life.miss();
    expect(life.history.add(life.miss())).toBeUndefined();
    expect([life.history.first, life.history.last, life.history.size.blocks]).toEqual([-1, -1, 0]);
    expect(() => life.history.bookAt(1)).toThrow(RangeError);
  });

  it('keeps no more blocks, changes and stretches than its bounds, and a shown moment outlives its eviction', () => {
    const life = new Life(new Chance(7_005), 30, { blocks: 50, changes: 120, stretches: 2 });
    const { history } = life;
    for (let block = 0; block < 10; block += 1) life.live();
    const shown = history.bookAt(5);
    const checksum = shown.checksum();
    for (let block = 0; block < 300; block += 1) {
      life.live();
      expect(history.size.blocks).toBeLessThanOrEqual(50);
      expect(history.size.changes).toBeLessThanOrEqual(120);
      if (block % 100 === 99) life.begin('gap');
    }
    expect(history.gaps).toHaveLength(1);
    expect(history.first).toBeGreaterThan(200);
    expect(history.bookAt(5)).toBe(shown);
    expect(shown.checksum()).toBe(checksum);
    expect(() => history.bookAt(6)).toThrow('place 6 is not kept');
    expect(history.bookAt(history.last).checksum()).toBe(life.book.checksum());
  });

  it('finds the places of a height and a mark that a search of all places finds', () => {
    const chance = new Chance(7_009);
    for (let round = 0; round < 200; round += 1) {
      const line = lineOf(chance);
      const places = line.marks.map((_, place) => place);
      for (let height = 95; height < 150; height += 1) {
        const spanning = line.stretches.findLast(
          ([from, to]) => line.height(from) <= height && line.height(to) >= height,
        );
        const before = line.stretches.findLast(([from]) => line.height(from) <= height);
        const within =
          spanning && places.findLast((at) => at >= spanning[0] && at <= spanning[1] && line.height(at) <= height);
        const about = `seed ${chance.seed}, round ${round}, height ${height}`;
        expect([about, placeAtHeight(line.line, height)]).toEqual([about, within ?? before?.[1] ?? 0]);
      }
    }
  });
});
