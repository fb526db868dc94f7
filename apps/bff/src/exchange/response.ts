import { isAscii, isUtf8 } from 'node:buffer';
import { countRows, type JsonRow, jsonRows } from './json-rows.ts';
import { UpstreamError } from './upstream-error.ts';

/** Up to this many bytes a response that is passed on unread is parsed to see that it is JSON. */
const PARSED_BYTES_MAX = 64 * 1024;

/** Most characters of one element of a response that is read element by element: each is parsed in one go. */
const ROW_LENGTH_MAX = 1024 * 1024;

/** What closes each opening bracket. */
const CLOSING: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

/** The body of a 2xx response of the info endpoint, byte for byte as it came. Callers of one shared call share it. */
export class UpstreamResponse {
  /** The body in pieces as they were read: most responses are passed on and never joined. */
  readonly chunks: readonly Buffer[];
  readonly byteLength: number;
  #bytes: Buffer | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
    this.byteLength = chunks.reduce((size, chunk) => size + chunk.length, 0);
  }

  /** The body in one piece. */
  get bytes(): Buffer {
    this.#bytes ??=
      this.chunks.length === 1 && this.chunks[0] !== undefined ? this.chunks[0] : Buffer.concat(this.chunks);
    return this.#bytes;
  }

  /** The parsed body; must not be modified. Throws UpstreamError when it is not JSON in UTF-8. */
  json(): unknown {
    if (this.#json === undefined) {
      const { bytes } = this;
      if (!isUtf8(bytes)) throw notJson();
      try {
        this.#json = { value: JSON.parse(bytes.toString('utf8')) as unknown };
      } catch (error) {
        throw notJson(error);
      }
    }
    return this.#json.value;
  }

  /** The elements of the JSON array that the body is, one at a time; throws UpstreamError if the body is not an array (UP-28). */
  *rows(): Generator<JsonRow, void> {
    const { bytes } = this;
    if (!isUtf8(bytes)) throw notJson();
    try {
      yield* jsonRows(bytes.toString('utf8'), ROW_LENGTH_MAX);
    } catch (error) {
      // The parser's own message quotes the body.
      if (!(error instanceof SyntaxError)) throw error;
      throw new UpstreamError({ kind: 'unusable', problem: 'a response that is not a JSON array' }, { cause: error });
    }
  }

  /** How many elements the JSON array has that the body is, up to `most`; 0 for any other body. */
  rowCount(most: number): number {
    try {
      return countRows(this.bytes.toString('utf8'), most);
    } catch (error) {
      if (error instanceof SyntaxError) return 0;
      throw error;
    }
  }

  /**
   * Throws UpstreamError unless this is JSON, for a response that is passed on unread. A body of up to 64 KiB is parsed.
   * To parse a larger one would cost more than all the rest of passing it on, and its loss on the way is ruled out: a body
   * shorter than its declared length, or without its last chunk, never becomes a response. What is left is an upstream
   * that itself says something else (a page of HTML, a text, a body cut before it was framed), and that shows at the
   * ends: the text must be UTF-8 and begin with a bracket that its last character closes.
   */
  checkJson(): void {
    if (this.byteLength <= PARSED_BYTES_MAX) {
      this.json();
      return;
    }
    const first = firstInk(this.chunks);
    const isUnicode = this.chunks.every((chunk) => isAscii(chunk)) || isUtf8(this.bytes);
    if (first === undefined || CLOSING.get(first) !== lastInk(this.chunks) || !isUnicode) throw notJson();
  }

  /** What `refusalOf` says, for a response that is passed on unread. */
  refusal(): string | undefined {
    // A refusal is short ASCII text; nothing else is read for this.
    if (this.byteLength > PARSED_BYTES_MAX || !this.bytes.includes('"error"')) return undefined;
    return refusalOf(this.json());
  }
}

/** The text of a top-level `error`, by which the exchange refuses with status 200 (BATCH-17); undefined when there is none. */
export function refusalOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
  return typeof value.error === 'string' ? value.error : 'the call was refused';
}

function notJson(cause?: unknown): UpstreamError {
  return new UpstreamError({ kind: 'unusable', problem: 'a response that is not JSON' }, { cause });
}

function isInk(byte: number): boolean {
  return byte !== 0x20 && (byte < 0x09 || byte > 0x0d);
}

/** The first byte that is no white space. */
function firstInk(chunks: readonly Buffer[]): number | undefined {
  for (const chunk of chunks) {
    const byte = chunk.find(isInk);
    if (byte !== undefined) return byte;
  }
  return undefined;
}

/** The last byte that is no white space. */
function lastInk(chunks: readonly Buffer[]): number | undefined {
  for (const chunk of chunks.toReversed()) {
    const byte = chunk.findLast(isInk);
    if (byte !== undefined) return byte;
  }
  return undefined;
}
