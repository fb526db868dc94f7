/** Encodes and decodes UTF-8, including lone surrogates: JSON may contain them, and a recording returns every text unchanged. */

/** The most bytes that `writeUtf8` needs for one UTF-16 code unit. */
export const UTF8_BYTES_MAX = 3;

/** Writes `text` at `start` and returns the position after it. There must be room for `UTF8_BYTES_MAX` bytes per code unit. */
export function writeUtf8(bytes: Uint8Array, start: number, text: string): number {
  let at = start;
  for (let index = 0; index < text.length; index += 1) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      const low = text.charCodeAt(index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        index += 1;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
        continue;
      }
    }
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}

/** Characters joined per call. More arguments would overflow the stack. */
const PIECE = 4_096;

/** Returns the text of the bytes from `start` to `end` (exclusive), as `writeUtf8` wrote them. */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let units: number[] = [];
  for (let at = start; at < end; ) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      units.push(first);
      at += 1;
    } else if (first < 0xe0) {
      units.push(((first & 0x1f) << 6) | tail(bytes, at + 1));
      at += 2;
    } else if (first < 0xf0) {
      units.push(((first & 0x0f) << 12) | (tail(bytes, at + 1) << 6) | tail(bytes, at + 2));
      at += 3;
    } else {
      const code =
        (((first & 0x07) << 18) | (tail(bytes, at + 1) << 12) | (tail(bytes, at + 2) << 6) | tail(bytes, at + 3)) -
        0x10000;
      units.push(0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff));
      at += 4;
    }
    if (units.length >= PIECE) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}

function tail(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) & 0x3f;
}
