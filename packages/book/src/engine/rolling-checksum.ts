import type { DecimalString, Side } from '@l4desk/protocol';

const values = new Float64Array(4);
const words = new Int32Array(values.buffer);

/** The two words of the last computed term. */
export const term = new Int32Array(2);

/**
 * Computes the term of one resting order for the rolling checksum of SPEC.md, and writes it to `term`. Price and size are the
 * doubles nearest to them; `ahead` is the oid directly in front in the queue, 0 at its head.
 */
export function computeTerm(side: Side, px: number, oid: number, sz: number, ahead: number): void {
  values[0] = px;
  values[1] = oid;
  values[2] = sz;
  values[3] = ahead;
  const w0 = words[0] as number;
  const w1 = words[1] as number;
  const w2 = words[2] as number;
  const w3 = words[3] as number;
  const w4 = words[4] as number;
  const w5 = words[5] as number;
  const w6 = words[6] as number;
  const w7 = words[7] as number;
  let a = side === 'B' ? 0x243f6a88 : 0x13198a2e;
  let b = side === 'B' ? 0x05a308d3 : 0x03707344;
  a = (a + Math.imul(w0, 0x9e3779b1) + Math.imul(w1, 0x85ebca77)) | 0;
  b = (b + Math.imul(w0, 0xcc9e2d51) + Math.imul(w1, 0x1b873593)) | 0;
  a = (a + Math.imul(w2, 0xc2b2ae3d) + Math.imul(w3, 0x27d4eb2f)) | 0;
  b = (b + Math.imul(w2, 0xe6546b65) + Math.imul(w3, 0x7feb352d)) | 0;
  a = (a + Math.imul(w4, 0x165667b1) + Math.imul(w5, 0xd3a2646d)) | 0;
  b = (b + Math.imul(w4, 0x846ca68b) + Math.imul(w5, 0x68e31da5)) | 0;
  a = (a + Math.imul(w6, 0xfd7046c5) + Math.imul(w7, 0xb55a4f09)) | 0;
  b = (b + Math.imul(w6, 0x2c1b3c6d) + Math.imul(w7, 0x297a2d39)) | 0;
  term[0] = mix(a);
  term[1] = mix(b);
}

/** Spreads every bit of a word over the whole word. */
function mix(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** The checksum of two sums of words: sixteen hexadecimal digits. */
export function rollingDigest(a: number, b: number): string {
  return hex(a) + hex(b);
}

/** One order of the sum. Orders may come in any sequence that keeps each queue together. */
export interface RollingOrder {
  readonly side: Side;
  readonly px: DecimalString;
  readonly oid: number;
  readonly sz: DecimalString;
  readonly ahead: number;
}

/** Computes the rolling checksum of a whole book. */
export function rollingChecksumOf(orders: Iterable<RollingOrder>): string {
  let a = 0;
  let b = 0;
  for (const { side, px, oid, sz, ahead } of orders) {
    computeTerm(side, nearestDouble(px), oid, nearestDouble(sz), ahead);
    a = (a + (term[0] as number)) | 0;
    b = (b + (term[1] as number)) | 0;
  }
  return rollingDigest(a, b);
}

/** For hashing only: its bits distinguish decimals, and nothing is computed with it. */
function nearestDouble(decimal: DecimalString): number {
  return Number(decimal);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
