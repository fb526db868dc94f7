import { z } from './zod.ts';

/** Every `error` that an HTTP answer of the service can carry, with its status (D1). The list is closed. */
export const HTTP_ERRORS = {
  method_not_allowed: 405,
  not_found: 404,
  unauthorized: 401,
  wrong_credential: 403,
  forbidden_origin: 403,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_json: 400,
  invalid_request: 400,
  unsupported_type: 400,
  unknown_coin: 400,
  unsupported_coin: 400,
  credits_exhausted: 402,
  request_timeout: 408,
  headers_too_large: 431,
  unmet_expectation: 417,
  upgrade_required: 426,
  too_many_attempts: 429,
  too_many_requests: 429,
  upstream_error: 502,
  upstream_timeout: 504,
  upstream_busy: 503,
  book_not_ready: 503,
  ledger_unavailable: 503,
  database_unavailable: 503,
  shutting_down: 503,
  dashboard_not_built: 503,
  internal_error: 500,
} as const;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

export const httpErrorCode = z.enum(Object.keys(HTTP_ERRORS) as [HttpErrorCode, ...HttpErrorCode[]]);

/**
 * Body of every failed HTTP answer. `code` and `msg` repeat `error` and `message` in the form that public SDKs read (D1).
 * `path` names the invalid field, for example `users[3]`; `type` echoes an unsupported query kind. `credits_exhausted`
 * adds the credits `needed`, those `used` in this calendar month (UTC), the `limit`, and when the next month begins, in ms (D11).
 */
export const errorBody = z.looseObject({
  error: httpErrorCode,
  message: z.string(),
  code: z.int(),
  msg: z.string(),
  path: z.string().optional(),
  type: z.string().optional(),
  needed: z.int().nonnegative().optional(),
  used: z.int().nonnegative().optional(),
  limit: z.int().nonnegative().optional(),
  resets_at: z.int().nonnegative().optional(),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** WebSocket close codes that the service sends (D21, D22, D24, D30). */
export const CLOSE_CODES = {
  goingAway: 1001,
  policyViolation: 1008,
  messageTooBig: 1009,
  internalError: 1011,
  slowConsumer: 1013,
  keyRevoked: 4401,
  creditsExhausted: 4402,
} as const;

/** A message did not have the shape it must have. `path` leads to the field, for example `data.Updates.book_diffs[3].px`. */
export class WireFormatError extends Error {
  readonly code = 'wire_format';
  readonly retryable = false;
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.name = 'WireFormatError';
    this.path = path;
  }
}

/** The first problem a schema found, as a path like `users[3]` and one sentence. */
export function firstIssue(error: z.ZodError): { path: string; problem: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '', problem: 'is invalid' };
  let path = '';
  for (const key of issue.path) {
    path += typeof key === 'number' ? `[${key}]` : path === '' ? String(key) : `.${String(key)}`;
  }
  return { path, problem: issue.message };
}
