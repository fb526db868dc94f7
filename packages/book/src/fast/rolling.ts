import { computeTerm, rollingDigest, term } from '../engine/rolling-checksum.ts';
import { NONE } from './order-store.ts';
import type { StoredBook } from './stored-book.ts';

/** A slot counts doubles, eight per order; a term is two words. */
const TERM_OF_SLOT = 4;

/** The rolling checksum of a book in arrays, updated with its changes. The term of each order is stored. */
export class FastRolling {
  private readonly book: StoredBook;
  private terms = new Int32Array(0);
  private a = 0;
  private b = 0;

  constructor(book: StoredBook) {
    this.book = book;
    const { levels, orderStore: store } = book;
    for (const { index } of [book.bids, book.asks]) {
      const walk = index.walk();
      for (let level = walk.next(); level !== NONE; level = walk.next()) {
        for (let slot = levels.head(level); slot !== NONE; slot = store.next(slot)) this.enter(slot);
      }
    }
  }

  digest(): string {
    return rollingDigest(this.a, this.b);
  }

  /** Adds an order that is now linked into its queue. */
  enter(slot: number): void {
    const { levels, orderStore: store, pxScale, szScale } = this.book;
    const level = store.levelOf(slot);
    const previous = store.previous(slot);
    const ahead = previous === NONE ? 0 : store.oid(previous);
    // Both are exact integers, so the quotient is the double nearest to the decimal.
    const px = levels.px(level) / (POWERS[pxScale] as number);
    const sz = store.sz(slot) / (POWERS[szScale] as number);
    computeTerm(levels.sideOf(level), px, store.oid(slot), sz, ahead);
    const at = slot / TERM_OF_SLOT;
    if (at >= this.terms.length) this.grow(at);
    const { terms } = this;
    const termA = term[0] as number;
    const termB = term[1] as number;
    terms[at] = termA;
    terms[at + 1] = termB;
    this.a = (this.a + termA) | 0;
    this.b = (this.b + termB) | 0;
  }

  /** Removes an order that leaves its place, or whose term is about to be renewed. */
  leave(slot: number): void {
    const at = slot / TERM_OF_SLOT;
    this.a = (this.a - (this.terms[at] as number)) | 0;
    this.b = (this.b - (this.terms[at + 1] as number)) | 0;
  }

  /** Renews the term of an order after its size, or the order in front of it, has changed. */
  renew(slot: number): void {
    this.leave(slot);
    this.enter(slot);
  }

  private grow(at: number): void {
    const terms = new Int32Array(Math.max(512, (at + 2) * 2));
    terms.set(this.terms);
    this.terms = terms;
  }
}

/** 10^0 to 10^15, all of them exact. */
const POWERS = Array.from({ length: 16 }, (_, scale) => Number(`1e${scale}`));
