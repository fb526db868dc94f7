/** Characters per call: a number of arguments that every browser accepts. */
const PIECE = 4_096;

const NOT_ASCII = /[\x80-\xff]/;

const decoder = new TextDecoder();

/**
 * Decodes UTF-8 bytes into a string that only the JavaScript heap owns. A string from `TextDecoder` also belongs to the browser:
 * it survives every minor garbage collection, and the major one has to visit it. So `TextDecoder` is used only for text that is
 * not ASCII.
 */
export function readText(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(from, from + PIECE));
  }
  return NOT_ASCII.test(text) ? decoder.decode(bytes) : text;
}
