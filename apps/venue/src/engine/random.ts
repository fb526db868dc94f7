/**
 * A source of random numbers, passed in. The whole simulation derives from one seed, so the same seed gives the same
 * blocks.
 */
export interface Random {
  /** A whole number from 0 to 2^32 − 1. */
  u32(): number;
  /** A whole number from 0 to `below` − 1, for a `below` from 1 to 2^32. */
  int(below: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in `share` out of `of` cases. */
  chance(share: number, of: number): boolean;
  /** One of the items; throws RangeError if there are none. */
  pick<T>(items: readonly T[]): T;
  /**
   * A whole number from 1 to 2^`powers` − 1, for `powers` up to 30. Its power of two is drawn evenly: small numbers are
   * common, large ones rare.
   */
  octave(powers: number): number;
  /** A count with an average of `thousandths` / 1000: the whole part, plus one with the probability of the fraction. */
  times(thousandths: number): number;
  /** An independent stream for one part of the simulation, so that the draws of one part never affect another. */
  fork(label: string): Random;
}

const TWO_32 = 0x1_0000_0000;

/** A small, fast counter-based generator (sfc32), seeded with the text of the seed. */
export function seededRandom(seed: string): Random {
  let [a, b, c] = hashText(seed);
  let counter = 1;

  function u32(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }
  // The first outputs still correlate with the seed, so they are discarded.
  for (let i = 0; i < 12; i += 1) u32();

  function int(below: number): number {
    return Math.floor((u32() / TWO_32) * below);
  }

  return {
    u32,
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: (share, of) => int(of) < share,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[int(items.length)] as (typeof items)[number];
    },
    octave(powers) {
      const base = 1 << int(powers);
      return base + int(base);
    },
    times(thousandths) {
      const whole = Math.floor(thousandths / 1000);
      return whole + (int(1000) < thousandths - whole * 1000 ? 1 : 0);
    },
    fork: (label) => seededRandom(`${seed}/${label}`),
  };
}

/** Derives three well-mixed words from a text: FNV-1a with three different bases. */
function hashText(text: string): [number, number, number] {
  const words: [number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    words[0] = Math.imul(words[0] ^ code, 0x01000193);
    words[1] = Math.imul(words[1] ^ code, 0x01000193) + words[0];
    words[2] = Math.imul(words[2] ^ code, 0x01000193) + words[1];
  }
  return words;
}
