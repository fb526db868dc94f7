import { asciiBytes } from '../engine/ascii-writer.ts';
import { BookHash } from '../engine/checksum.ts';
import { NONE } from './order-store.ts';
import type { StoredBook } from './stored-book.ts';

const SPACE = 32;

/** The checksum of SPEC.md, written from the arrays without creating strings. */
export function fastChecksum(book: StoredBook): string {
  const { levels, orderStore: store, pxScale, szScale } = book;
  const hash = new BookHash();
  const { out } = hash;
  for (const { side, index } of [book.bids, book.asks]) {
    const letter = asciiBytes(`${side} `);
    const walk = index.walk();
    for (let level = walk.next(); level !== NONE; level = walk.next()) {
      const px = levels.px(level);
      let slot = levels.head(level);
      for (; slot !== NONE; slot = store.next(slot)) {
        out.copy(letter);
        out.amount(px, pxScale, 0);
        out.code(SPACE);
        out.whole(store.oid(slot));
        out.code(SPACE);
        out.amount(store.sz(slot), szScale, 0);
        hash.endLine();
      }
    }
  }
  return hash.digest();
}
