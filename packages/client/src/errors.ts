import { type Address, ERROR_CODES, type ErrorBody, type HttpErrorCode, isObject, parsedJson } from '@l4desk/protocol';

/** The service responded with an error (D1). `code` is from the closed list of `ERROR_CODES`. */
export class ServiceError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  /** Whether the same call may succeed within minutes without anyone changing anything. */
  readonly retryable: boolean;
  /** The invalid field, for example `coin`. Undefined if the error is not about a single field. */
  readonly path: string | undefined;
  /** How long the service asked to wait, in ms. Undefined if it did not ask. */
  readonly retryAfterMs: number | undefined;
  /** The whole response body, including the fields that only some codes have. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody, retryAfterMs?: number) {
    super(body.message);
    this.name = 'ServiceError';
    this.code = body.error;
    this.status = status;
    this.retryable = ERROR_CODES[body.error].retryable;
    this.path = body.path;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

/**
 * Why there is no response: `network` (no connection, or it broke), `status` (something other than the service responded),
 * `timeout`.
 */
export type TransportErrorCode = 'network' | 'status' | 'timeout';

/** The call did not reach the service, or something in between responded instead. Always retryable. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;
  readonly retryable = true;
  /** The HTTP status, if something other than the service responded. Undefined without a response. */
  readonly status: number | undefined;
  /** How long such a response asked to wait, in ms. Undefined if it did not ask. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: TransportErrorCode,
    message: string,
    details: { readonly status?: number; readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'TransportError';
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/**
 * One wallet of a batch failed, but the others did not (BATCH-6). `message` is the service's: `upstream_error: <text>`, `upstream
 * returned HTTP <status>` or `overall batch timeout exceeded`. Always retryable.
 */
export class WalletError extends Error {
  readonly code = 'upstream_error';
  readonly retryable = true;
  /** The wallet, in lower case. */
  readonly user: Address;

  constructor(user: Address, message: string) {
    super(message);
    this.name = 'WalletError';
    this.user = user;
  }
}

/** Reads a failed response as the service's own error or as that of something in between. */
export function errorOfResponse(
  status: number,
  text: string,
  retryAfter: string | null,
): ServiceError | TransportError {
  const retryAfterMs = waitOf(retryAfter);
  const body = readErrorBody(text);
  if (body !== undefined) return new ServiceError(status, body, retryAfterMs);
  return new TransportError('status', `HTTP ${status} without an error of the service`, { status, retryAfterMs });
}

/** Reads `Retry-After` in seconds, as the service and most proxies send it. The date form is ignored. */
function waitOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null || !/^\d+(\.\d+)?$/.test(retryAfter)) return undefined;
  return Number(retryAfter) * 1000;
}

/** Written by hand, because a schema would add the schema library to pages that need none. */
function readErrorBody(text: string): ErrorBody | undefined {
  const body = parsedJson(text);
  if (!isObject(body)) return undefined;
  const { error, message, code, msg, path, type, needed, used, limit, resets_at } = body;
  if (!isHttpErrorCode(error) || typeof message !== 'string') return undefined;
  if (typeof code !== 'number' || typeof msg !== 'string') return undefined;
  const texts = { path, type };
  const counts = { needed, used, limit, resets_at };
  if (!areAll(isText, texts) || !areAll(isCount, counts)) return undefined;
  return { ...body, error, message, code, msg, ...texts, ...counts };
}

function isHttpErrorCode(value: unknown): value is HttpErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

/** Whether every field that is present has the expected type. Absent fields are undefined. */
function areAll<T, Fields extends Record<string, unknown>>(
  is: (value: unknown) => value is T,
  fields: Fields,
): fields is Fields & Record<keyof Fields, T | undefined> {
  return Object.values(fields).every((value) => value === undefined || is(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
