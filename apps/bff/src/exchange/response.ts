import { isUtf8 } from 'node:buffer';
import { UpstreamError } from './upstream-error.ts';

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
}

/** Text of a top-level `error`, with which the exchange refuses a call at status 200 (BATCH-17); undefined if absent. */
export function refusalOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
  return typeof value.error === 'string' ? value.error : 'the call was refused';
}

function notJson(cause?: unknown): UpstreamError {
  return new UpstreamError({ kind: 'unusable', problem: 'a response that is not JSON' }, { cause });
}
