import { RecordingError } from './recording-error.ts';
import { readUtf8, UTF8_BYTES_MAX, writeUtf8 } from './utf8.ts';

const FIRST_CAPACITY = 256;

/** A growing byte buffer. Numbers are whole. `varint` writes 7 bits per byte, lowest first. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far. Valid until the next write. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a whole number from 0 to 2^53 - 1. Throws RangeError for any other number, because it could not be read back. */
  varint(value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw new RangeError(`${value} cannot be recorded.`);
    this.#room(8);
    let rest = value;
    while (rest > 0x7f) {
      // Bitwise operators would truncate the number past 32 bits.
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a whole number from -2^52 to 2^52. Small numbers take few bytes, whatever their sign. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  bytes(from: Uint8Array): void {
    this.#room(from.length);
    this.#bytes.set(from, this.#length);
    this.#length += from.length;
  }

  /** Writes a text, preceded by its length in bytes. */
  text(text: string): void {
    this.#room(8 + text.length * UTF8_BYTES_MAX);
    // The length is known only after encoding, so the text is written past the space for it and then moved.
    const start = this.#length + 8;
    const end = writeUtf8(this.#bytes, start, text);
    this.varint(end - start);
    this.#bytes.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  /** Writes `digits` hexadecimal digits of `text` from `start`, two per byte. */
  hex(text: string, start: number, digits: number): void {
    this.#room(digits / 2);
    for (let at = start; at < start + digits; at += 2) {
      this.#bytes[this.#length++] = (digit(text.charCodeAt(at)) << 4) | digit(text.charCodeAt(at + 1));
    }
  }

  #room(bytes: number): void {
    const needed = this.#length + bytes + 8;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** Reads what `ByteWriter` wrote. Throws RecordingError `damaged` when read past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw ended();
    this.#at += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 128;
      if (factor > 2 ** 49) throw ended();
    }
    if (value > Number.MAX_SAFE_INTEGER) throw ended();
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Returns the next `length` bytes without copying them. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw ended();
    const piece = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return piece;
  }

  text(): string {
    const length = this.varint();
    const start = this.#at;
    this.bytes(length);
    return readUtf8(this.#bytes, start, this.#at);
  }

  /** Returns the next bytes as lower-case hexadecimal digits, two per byte. */
  hex(digits: number): string {
    let text = '';
    for (let count = 0; count < digits; count += 2) text += HEX[this.byte()] as string;
    return text;
  }
}

function ended(): RecordingError {
  return new RecordingError('damaged', 'A part of the recording ends too early or holds an impossible number.');
}
