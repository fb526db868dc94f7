/** How a call to the info endpoint failed. */
export type UpstreamFailure =
  /** No complete response within the caller's deadline. */
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /**
   * The exchange returned 429 (`upstream`), its limit is used up by our own count (`limit`, UP-3), the account's queue
   * is full (`queue`, UP-24), the call's turn did not come (`deadline`), or there was no memory for the response
   * (`memory`).
   */
  | { readonly kind: 'busy'; readonly retryAfterMs: number; readonly reason: keyof typeof BUSY_TEXTS }
  /** A response other than 2xx; `text` is the beginning of its body. */
  | { readonly kind: 'status'; readonly status: number; readonly text: string }
  /** No response, or an incomplete one; `code` is the system's error code, such as ECONNREFUSED. */
  | { readonly kind: 'unreachable'; readonly code: string | null }
  /** A complete response that cannot be used. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** A call to the info endpoint failed. The message names no host (INFO-7). */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;

  constructor(failure: UpstreamFailure, options?: ErrorOptions) {
    super(sentenceOf(failure), options);
    this.name = 'UpstreamError';
    this.failure = failure;
  }
}

/** Reasons why a call cannot be made or its response cannot be read, as sentence fragments. */
export const BUSY_TEXTS = {
  upstream: 'the request limit of the exchange is reached',
  limit: 'the request limit of the exchange is reached',
  queue: 'too many calls of this account are waiting for the exchange',
  deadline: 'the call could not be sent to the exchange in time',
  memory: 'too many responses of the exchange are being read',
} as const;

function sentenceOf(failure: UpstreamFailure): string {
  switch (failure.kind) {
    case 'timeout':
      return `upstream did not respond within ${failure.afterMs} ms`;
    case 'busy':
      return BUSY_TEXTS[failure.reason];
    case 'status':
      return `upstream returned HTTP ${failure.status}`;
    case 'unreachable':
      return `upstream cannot be reached${failure.code === null ? '' : ` (${failure.code})`}`;
    case 'unusable':
      return `upstream sent ${failure.problem}`;
  }
}
