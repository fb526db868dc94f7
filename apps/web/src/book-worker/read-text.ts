/** Characters per call of `String.fromCharCode`. */
const PIECE = 512;

const NOT_ASCII = /[\x80-\xff]/;

const decoder = new TextDecoder();

/** The arguments of a call for a whole piece, in an array used again: from a typed array, `apply` makes a new one each time. */
const codes = Array.from({ length: PIECE }, () => 0);

/**
 * Decodes UTF-8 bytes into a string that only the JavaScript heap owns. A string from `TextDecoder` also belongs to the browser:
 * it survives every minor garbage collection, and the major one has to visit it. So `TextDecoder` is used only for text that is
 * not ASCII.
 */
export function readText(bytes: Uint8Array): string {
  let text = '';
  let from = 0;
  for (; from + PIECE <= bytes.length; from += PIECE) {
    for (let at = 0; at < PIECE; at += 1) codes[at] = bytes[from + at] ?? 0;
    text += Reflect.apply(String.fromCharCode, null, codes);
  }
  text += Reflect.apply(String.fromCharCode, null, bytes.subarray(from));
  return NOT_ASCII.test(text) ? decoder.decode(bytes) : text;
}
