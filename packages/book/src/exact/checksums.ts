import { formatUnits } from '@l4desk/decimal';
import type { Side } from '@l4desk/protocol';
import { BookHash } from '../engine/checksum.ts';
import { type RollingOrder, rollingChecksumOf } from '../engine/rolling-checksum.ts';
import type { ExactLevel } from './level.ts';

/** The levels of both sides, best first. */
type ExactSides = Readonly<Record<Side, readonly ExactLevel[]>>;

/** The checksum of SPEC.md. */
export function exactChecksum(sides: ExactSides, scale: number): string {
  const hash = new BookHash();
  for (const side of ['B', 'A'] as const) {
    for (const level of sides[side]) {
      const px = formatUnits(level.px, scale);
      for (const { order, sz } of level.orders) {
        hash.out.text(`${side} ${px} ${order.oid} ${formatUnits(sz, scale)}`);
        hash.endLine();
      }
    }
  }
  return hash.digest();
}

/** The rolling checksum, computed from scratch. */
export function exactRollingChecksum({ B, A }: ExactSides): string {
  return rollingChecksumOf(rollingOrders([...B, ...A]));
}

function* rollingOrders(levels: readonly ExactLevel[]): Generator<RollingOrder, void, undefined> {
  for (const { orders } of levels) {
    let ahead = 0;
    for (const { order, side } of orders) {
      yield { side, px: order.limitPx, oid: order.oid, sz: order.sz, ahead };
      ahead = order.oid;
    }
  }
}
