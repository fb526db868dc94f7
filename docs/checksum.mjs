// The rolling checksum of a book (docs/checksum.md). `levels` are those of `l4BookSnapshot`.
const FACTORS = [
  [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09],
  [0xcc9e2d51, 0x1b873593, 0xe6546b65, 0x7feb352d, 0x846ca68b, 0x68e31da5, 0x2c1b3c6d, 0x297a2d39],
];
const SEEDS = { B: [0x243f6a88, 0x05a308d3], A: [0x13198a2e, 0x03707344] };

function mix(word) {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

// The eight 32-bit words of four little-endian doubles, each times its factor, modulo 2^32.
export function term({ side, limitPx, oid, sz }, ahead) {
  const words = new Uint32Array(Float64Array.of(Number(limitPx), oid, Number(sz), ahead).buffer);
  return [0, 1].map((lane) =>
    mix(words.reduce((sum, word, at) => (sum + Math.imul(word, FACTORS[lane][at])) | 0, SEEDS[side][lane])),
  );
}

export function checksum(levels) {
  const sums = [0, 0];
  for (const side of levels) {
    side.forEach((order, place) => {
      const previous = side[place - 1];
      const ahead = previous !== undefined && Number(previous.limitPx) === Number(order.limitPx) ? previous.oid : 0;
      term(order, ahead).forEach((word, lane) => (sums[lane] = (sums[lane] + word) | 0));
    });
  }
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}
