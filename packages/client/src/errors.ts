import { type ErrorBody, errorBody, type HttpErrorCode } from '@l4desk/protocol';

/** Codes after which the same call may succeed later, without the caller changing anything. */
const RETRYABLE: ReadonlySet<HttpErrorCode> = new Set<HttpErrorCode>([
  'too_many_attempts',
  'upstream_error',
  'upstream_timeout',
  'upstream_busy',
  'book_not_ready',
  'ledger_unavailable',
  'shutting_down',
  'internal_error',
]);

/** The service answered with an error of its own (D1). `code` is from the closed list of `HTTP_ERRORS`. */
export class ServiceError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  /** The invalid field, for example `coin`; undefined when the error is about no single field. */
  readonly path: string | undefined;
  /** How long the service asked to wait, in ms; undefined when it did not. */
  readonly retryAfterMs: number | undefined;
  /** The whole answer, with the fields that only some codes have. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody, retryAfterMs?: number) {
    super(body.message);
    this.name = 'ServiceError';
    this.code = body.error;
    this.status = status;
    this.retryable = RETRYABLE.has(body.error);
    this.path = body.path;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

/** Why no answer came: `network` (no connection, or it broke), `status` (something else answered), `timeout`. */
export type TransportErrorCode = 'network' | 'status' | 'timeout';

/** The call did not reach the service, or something between answered in its place. Always worth another try. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;
  readonly retryable = true;
  /** The HTTP status of a foreign answer; undefined when there was none. */
  readonly status: number | undefined;

  constructor(code: TransportErrorCode, message: string, details: { status?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'TransportError';
    this.code = code;
    this.status = details.status;
  }
}

/** Reads a failed answer: the service's own error, or that of something in between. */
export function errorOfAnswer(status: number, text: string, retryAfter: string | null): ServiceError | TransportError {
  const body = errorBody.safeParse(parseJson(text));
  if (!body.success) return new TransportError('status', `HTTP ${status} without an error of the service`, { status });
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new ServiceError(status, body.data, Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
