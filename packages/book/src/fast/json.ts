import type { Side } from '@l4desk/protocol';
import type { FastEngine } from './fast-engine.ts';
import { NONE } from './order-store.ts';

const PIECE = 65_536;

/** The orders of a side as JSON, comma separated, in pieces of about 64 KB. */
export function* sideJson(engine: FastEngine, side: Side): Generator<string, void, undefined> {
  const { levels, orderStore: store, szScale } = engine;
  const walk = engine.sideAt(side).index.walk();
  const middle = `","coin":${JSON.stringify(engine.coin)},"side":"${side}","limitPx":"`;
  let piece = '';
  let comma = '';
  for (let level = walk.next(); level !== NONE; level = walk.next()) {
    const head = `${middle}${levels.text(level)}","sz":"`;
    let slot = levels.head[level] as number;
    for (; slot !== NONE; slot = store.next[slot] as number) {
      piece += comma + store.json(slot, head, szScale) ;
      comma = ',';
      if (piece.length >= PIECE) {
        yield piece;
        piece = '';
      }
    }
  }
  if (piece !== '') yield piece;
}
