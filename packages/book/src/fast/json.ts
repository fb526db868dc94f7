import type { Side } from '@l4desk/protocol';
import { AsciiWriter, asciiBytes, asciiJson } from '../engine/ascii-writer.ts';
import { NONE } from './order-store.ts';
import type { StoredBook } from './stored-book.ts';

const PIECE_BYTES = 65_536;
const COMMA = 44;

/**
 * The orders of a side as JSON in ASCII, comma separated, in pieces of about 64 KB; written from the arrays, without objects.
 */
export function* sideJson(book: StoredBook, side: Side): Generator<Uint8Array, void, undefined> {
  const { levels, orderStore: store, pxScale, szScale } = book;
  const walk = book.sideAt(side).index.walk();
  const beforePx = asciiBytes(`","coin":${asciiJson(book.coin)},"side":"${side}","limitPx":"`);
  let out = new AsciiWriter(PIECE_BYTES);
  let first = true;
  for (let level = walk.next(); level !== NONE; level = walk.next()) {
    const px = levels.px(level);
    let slot = levels.head(level);
    for (; slot !== NONE; slot = store.next(slot)) {
      if (!first) out.code(COMMA);
      first = false;
      if (!store.writeJson(out, slot, beforePx, px, pxScale, szScale)) out.text(asciiJson(book.orderAt(slot)));
      if (out.length < PIECE_BYTES) continue;
      yield out.bytes.subarray(0, out.length);
      out = new AsciiWriter(PIECE_BYTES);
    }
  }
  if (out.length > 0) yield out.bytes.subarray(0, out.length);
}
