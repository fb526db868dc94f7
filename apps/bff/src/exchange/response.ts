import { isUtf8 } from 'node:buffer';
import { UpstreamError } from './upstream-error.ts';

/** A response that is passed through is parsed, to check that it is JSON, only up to this size. */
const PARSED_BYTES_MAX = 64 * 1024;

const CLOSING: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

/** The unmodified body of a 2xx response of the info endpoint. Callers of a shared call get the same instance. */
export class UpstreamResponse {
  readonly bytes: Buffer;
  #json: { readonly value: unknown } | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
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
   * Throws UpstreamError if the body is not JSON. A large body is only checked at its ends, because parsing it would
   * cost more than the rest of the call, and a truncated one never becomes a response: what is left is a page or text
   * that the upstream itself sends.
   */
  checkJson(): void {
    const { bytes } = this;
    if (bytes.length <= PARSED_BYTES_MAX) {
      this.json();
      return;
    }
    const first = bytes.find(isVisible);
    if (first === undefined || CLOSING.get(first) !== bytes.findLast(isVisible) || !isUtf8(bytes)) throw notJson();
  }

  /** Like `refusalOf`, for a response that is passed through. */
  refusal(): string | undefined {
    // A refusal is short ASCII text, so no other body is parsed for this.
    if (this.bytes.length > PARSED_BYTES_MAX || !this.bytes.includes('"error"')) return undefined;
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

/** Whether a byte is not white space. */
function isVisible(byte: number): boolean {
  return byte !== 0x20 && (byte < 0x09 || byte > 0x0d);
}
