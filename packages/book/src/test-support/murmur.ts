/**
 * MurmurHash3 x86 128 with seed 0 as its author describes it, in bigint and over a whole text at once: an implementation of the
 * checksum's definition that shares nothing with the one under test.
 */
export function murmur128(text: string): string {
  const data = Array.from(text, (character) => BigInt(character.charCodeAt(0)));
  const c = [0x239b961bn, 0xab0e9789n, 0x38b34ae5n, 0xa1e38b93n];
  const kRotation = [15n, 16n, 17n, 18n];
  const hRotation = [19n, 17n, 15n, 13n];
  const added = [0x561ccd1bn, 0x0bcaa747n, 0x96cd1c35n, 0x32ac3b17n];
  const h = [0n, 0n, 0n, 0n];
  const at = (list: readonly bigint[], index: number): bigint => list[index & 3] as bigint;
  const mixed = (k: bigint, lane: number) => u32(rotate(u32(k * at(c, lane)), at(kRotation, lane)) * at(c, lane + 1));
  const wordAt = (start: number): bigint =>
    data.slice(start, start + 4).reduce((word, byte, index) => word | (byte << BigInt(8 * index)), 0n);
  const whole = data.length - (data.length % 16);
  for (let start = 0; start < whole; start += 16) {
    for (let lane = 0; lane < 4; lane += 1) {
      const next = at(h, lane) ^ mixed(wordAt(start + 4 * lane), lane);
      h[lane] = u32((rotate(next, at(hRotation, lane)) + at(h, lane + 1)) * 5n + at(added, lane));
    }
  }
  const length = BigInt(data.length);
  for (let lane = 0; lane < 4; lane += 1) h[lane] = at(h, lane) ^ mixed(wordAt(whole + 4 * lane), lane) ^ length;
  spread(h);
  for (let lane = 0; lane < 4; lane += 1) h[lane] = finish(at(h, lane));
  spread(h);
  return h.map((word) => word.toString(16).padStart(8, '0')).join('');
}

function spread(h: bigint[]): void {
  const [h1 = 0n, h2 = 0n, h3 = 0n, h4 = 0n] = h;
  const sum = u32(h1 + h2 + h3 + h4);
  h.splice(0, 4, sum, u32(h2 + sum), u32(h3 + sum), u32(h4 + sum));
}

function finish(word: bigint): bigint {
  let mixed = word ^ (word >> 16n);
  mixed = u32(mixed * 0x85ebca6bn);
  mixed ^= mixed >> 13n;
  mixed = u32(mixed * 0xc2b2ae35n);
  return mixed ^ (mixed >> 16n);
}

function u32(value: bigint): bigint {
  return BigInt.asUintN(32, value);
}

function rotate(value: bigint, bits: bigint): bigint {
  return u32((value << bits) | (value >> (32n - bits)));
}
