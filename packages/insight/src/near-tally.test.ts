import { L4Book } from '@l4desk/book';
import type { BookChange, CoinBatch, DecimalString, L4Order } from '@l4desk/protocol';
import { BusyFeed, Chance, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { figures } from './figures.ts';
import { FlowMemory, recordBlock } from './flow/record-block.ts';
import { OwnersMemory } from './near-tally.ts';
import { ownerLens } from './owner-lens.ts';
import { bookOf } from './test-support/books.ts';

/** A book that changes block by block, with memories that are updated by its changes. */
class Carried {
  readonly book: L4Book;
  readonly lens = new OwnersMemory();
  readonly figures = new OwnersMemory();
  readonly #flow = new FlowMemory();
  #seq = 0;

  constructor(book: L4Book) {
    this.book = book;
  }

  apply(batch: Pick<CoinBatch, 'changes' | 'statuses' | 'time'>, isTold = true): void {
    this.#seq += 1;
    const mark = { coin: 'BTC', epoch: 'e', height: this.#seq, seq: this.#seq, prevSeq: this.#seq - 1 };
    const { events, findings } = recordBlock(this.book, { ...mark, ...batch }, this.#flow);
    if (findings.length > 0) throw new Error(JSON.stringify(findings));
    if (!isTold) return;
    this.lens.note(this.book, events);
    this.figures.note(this.book, events);
  }

  change(...changes: readonly BookChange[]): void {
    this.apply({ changes, statuses: [], time: 5_000 + this.#seq });
  }

  /** The result computed with the memories. As text, which is fast to compare for thousands of wallets. */
  said(withinBps: DecimalString, about: string, book = this.book): string {
    return saidOf(book, withinBps, about, this.lens, this.figures);
  }
}

/** The same, computed afresh unless memories are given. */
function saidOf(book: L4Book, withinBps: DecimalString, about: string, lens?: OwnersMemory, near?: OwnersMemory) {
  const query = { withinBps, clock: 9_000_000_000_000, wallShare: '0.005' } as const;
  return JSON.stringify([about, ownerLens(book, query, lens), figures(book, '1', near)]);
}

const [one, two] = [wallet(0xa1), wallet(0xb2)];

describe('a tally of the owners near the mid', () => {
  it('updated by the changes of each block equals a fresh one, while the mid moves', () => {
    const chance = new Chance(77);
    const feed = new BusyFeed(1_500);
    const unnamed = (order: L4Order) => (chance.happens(0.1) ? { ...order, user: null } : order);
    const [bids, asks] = feed.levels();
    const carried = new Carried(L4Book.build('BTC', [bids.map(unnamed), asks.map(unnamed)]).book);
    for (let block = 0; block < 80; block += 1) {
      // Now and then `note` is not called for a block, and the block is not read.
      carried.apply(feed.block(), !chance.happens(0.05));
      const about = `seed ${chance.seed}, block ${block}`;
      const withinBps = chance.pick(['5', '25', '100'] as const);
      // Read after every other block, so that changes of several blocks accumulate.
      if (chance.happens(0.5)) continue;
      expect(carried.said(withinBps, about)).toBe(saidOf(carried.book, withinBps, about));
    }
  });

  it('discards its state for another book and after a block that it did not receive', () => {
    const carried = new Carried(bookOf({ bids: [['99.9', '3', one, 1]], asks: [['100.1', '5', two, 4]] }));
    const other = bookOf({ bids: [['99.9', '8', two, 1]], asks: [['100.1', '1', one, 4]] });
    const grown = (oid: number) =>
      ({ kind: 'insert', oid, user: one, side: 'B', px: '99.9', sz: '2', insertBefore: null }) as const;
    expect(carried.said('100', 'first')).toBe(saidOf(carried.book, '100', 'first'));
    expect(carried.said('100', 'another book', other)).toBe(saidOf(other, '100', 'another book'));
    carried.change(grown(8));
    expect(carried.said('100', 'changed while another one was read')).toBe(
      saidOf(carried.book, '100', 'changed while another one was read'),
    );
    carried.apply({ changes: [grown(9)], statuses: [], time: 6_000 }, false);
    carried.change(grown(10));
    expect(carried.said('100', 'behind a block that was not told')).toBe(
      saidOf(carried.book, '100', 'behind a block that was not told'),
    );
  });
});
