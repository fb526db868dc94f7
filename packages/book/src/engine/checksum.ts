import { AsciiWriter } from './ascii-writer.ts';

const BLOCK = 16;
const CAPACITY = 65_536;
const NEWLINE = 10;

/**
 * The checksum of SPEC.md: MurmurHash3 x86 128 with seed 0 over the ASCII text of the book, one line per order. Lines are
 * written to `out`, each ended by `endLine`.
 */
export class BookHash {
  readonly out = new AsciiWriter(CAPACITY);
  private hashed = 0;
  private h1 = 0;
  private h2 = 0;
  private h3 = 0;
  private h4 = 0;

  endLine(): void {
    this.out.code(NEWLINE);
    if (this.out.length >= CAPACITY) this.flush();
  }

  /** 32 hexadecimal digits. Nothing may be appended after this call. */
  digest(): string {
    this.flush();
    return this.finish();
  }

  private flush(): void {
    const { bytes, length } = this.out;
    const whole = length - (length % BLOCK);
    let { h1, h2, h3, h4 } = this;
    for (let at = 0; at < whole; at += BLOCK) {
      h1 ^= mix1(word(bytes, at));
      h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
      h2 ^= mix2(word(bytes, at + 4));
      h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
      h3 ^= mix3(word(bytes, at + 8));
      h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
      h4 ^= mix4(word(bytes, at + 12));
      h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
    }
    this.h1 = h1;
    this.h2 = h2;
    this.h3 = h3;
    this.h4 = h4;
    this.hashed += whole;
    bytes.copyWithin(0, whole, length);
    this.out.length = length - whole;
  }

  private finish(): string {
    const { bytes, length } = this.out;
    const total = this.hashed + length;
    bytes.fill(0, length, BLOCK);
    let { h1, h2, h3, h4 } = this;
    if (length > 12) h4 ^= mix4(word(bytes, 12));
    if (length > 8) h3 ^= mix3(word(bytes, 8));
    if (length > 4) h2 ^= mix2(word(bytes, 4));
    if (length > 0) h1 ^= mix1(word(bytes, 0));
    h1 ^= total;
    h2 ^= total;
    h3 ^= total;
    h4 ^= total;
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    h1 = finalMix(h1);
    h2 = finalMix(h2);
    h3 = finalMix(h3);
    h4 = finalMix(h4);
    h1 = (h1 + h2 + h3 + h4) | 0;
    return [h1, h2 + h1, h3 + h1, h4 + h1].map(hex).join('');
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

function mix1(k: number): number {
  return Math.imul(rotate(Math.imul(k, C1), 15), C2);
}

function mix2(k: number): number {
  return Math.imul(rotate(Math.imul(k, C2), 16), C3);
}

function mix3(k: number): number {
  return Math.imul(rotate(Math.imul(k, C3), 17), C4);
}

function mix4(k: number): number {
  return Math.imul(rotate(Math.imul(k, C4), 18), C1);
}

function finalMix(h: number): number {
  let mixed = h ^ (h >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
