import { isAscii, isUtf8 } from 'node:buffer';
import { UpstreamError } from './upstream-error.ts';

/** A response that is passed through is parsed, to check that it is JSON, only up to this size. */
const PARSED_BYTES_MAX = 64 * 1024;

/** Closing bracket by opening bracket. */
const CLOSING: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

/** The unmodified body of a 2xx response of the info endpoint. Callers of a shared call get the same instance. */
export class UpstreamResponse {
  /** The body in the chunks in which it was read. Most responses are passed through and never joined. */
  readonly chunks: readonly Buffer[];
  readonly byteLength: number;
  #bytes: Buffer | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
    this.byteLength = chunks.reduce((size, chunk) => size + chunk.length, 0);
  }

  /** The body as one buffer. */
  get bytes(): Buffer {
    this.#bytes ??=
      this.chunks.length === 1 && this.chunks[0] !== undefined ? this.chunks[0] : Buffer.concat(this.chunks);
    return this.#bytes;
  }

  /** The parsed body, which must not be modified. Throws UpstreamError if it is not JSON in UTF-8. */
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

  /** The elements of a body that is a JSON array. Throws UpstreamError if it is not one. */
  rows(): readonly unknown[] {
    const value = this.json();
    if (!Array.isArray(value))
      throw new UpstreamError({ kind: 'unusable', problem: 'a response that is not a JSON array' });
    return value;
  }

  /**
   * Throws UpstreamError if a response that is passed through is not JSON. A body of up to 64 KiB is parsed. Parsing a
   * larger body would cost more than the rest of the call, and truncation in transit is already ruled out: a body shorter
   * than its declared length, or without its last chunk, never becomes a response. That leaves an upstream that itself
   * sends something else (an HTML page, plain text, a body cut before it was framed), which shows at the ends: the text
   * must be UTF-8 and begin with a bracket that its last character closes.
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

  /** Like `refusalOf`, for a response that is passed through. */
  refusal(): string | undefined {
    // A refusal is short ASCII text, so no other body is parsed for this.
    if (this.byteLength > PARSED_BYTES_MAX || !this.bytes.includes('"error"')) return undefined;
    return refusalOf(this.json());
  }
}

/** Text of a top-level `error`, with which the exchange refuses a call at status 200 (BATCH-17); undefined if absent. */
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

/** The first byte that is not white space. */
function firstInk(chunks: readonly Buffer[]): number | undefined {
  for (const chunk of chunks) {
    const byte = chunk.find(isInk);
    if (byte !== undefined) return byte;
  }
  return undefined;
}

/** The last byte that is not white space. */
function lastInk(chunks: readonly Buffer[]): number | undefined {
  for (const chunk of chunks.toReversed()) {
    const byte = chunk.findLast(isInk);
    if (byte !== undefined) return byte;
  }
  return undefined;
}
