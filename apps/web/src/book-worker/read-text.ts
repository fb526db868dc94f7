/** As many characters at a time as a call takes arguments in every browser. */
const PIECE = 4_096;

const NOT_ASCII = /[\x80-\xff]/;

const decoder = new TextDecoder();

/**
 * Bytes of UTF-8 as a text of the script alone. One that `TextDecoder` makes belongs to the browser as well: it outlives every
 * quick collection, and the full one has to visit it. So only a text that is not ASCII is left to it.
 */
export function readText(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(from, from + PIECE));
  }
  return NOT_ASCII.test(text) ? decoder.decode(bytes) : text;
}
