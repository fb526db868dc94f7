import { BookHash } from '../engine/checksum.ts';
import type { FastEngine } from './fast-engine.ts';
import { NONE } from './order-store.ts';

/** The checksum of SPEC.md, written from the arrays without making a text. */
export function fastChecksum(engine: FastEngine): string {
  const { levels, orderStore: store, pxScale, szScale } = engine;
  const pxPower = Number(`1e${pxScale}`);
  const szPower = Number(`1e${szScale}`);
  const hash = new BookHash();
  for (const { side, index } of [engine.bids, engine.asks]) {
    const walk = index.walk();
    for (let level = walk.next(); level !== NONE; level = walk.next()) {
      const px = levels.px[level] as number;
      let slot = levels.head[level] as number;
      for (; slot !== NONE; slot = store.next[slot] as number) {
        hash.text(side === 'B' ? 'B ' : 'A ');
        hash.amount(px, pxScale, pxPower);
        hash.text(' ');
        hash.whole(store.oid[slot] as number);
        hash.text(' ');
        hash.amount(store.sz[slot] as number, szScale, szPower);
        hash.endLine();
      }
    }
  }
  return hash.digest();
}
