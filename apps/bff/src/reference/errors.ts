import { type ErrorBody, HTTP_ERRORS, type HttpErrorCode } from '@l4desk/protocol';

/** Where an error of the closed list can be met. */
export type Surface = 'info' | 'usage' | 'stream' | 'pages';

interface StatedError {
  readonly on: readonly Surface[];
  /** When it is answered, as a clause. */
  readonly when: string;
  /** A sentence as the service writes it. */
  readonly message: string;
  readonly more?: Partial<ErrorBody>;
}

const BOTH = ['info', 'usage'] as const;

/** Every error that an HTTP answer can carry: when, and how it reads. */
const STATED: Readonly<Record<HttpErrorCode, StatedError>> = {
  method_not_allowed: {
    on: BOTH,
    when: 'the path takes another method; Allow names it',
    message: 'This path takes POST only.',
  },
  not_found: {
    on: BOTH,
    when: 'nothing is at the path; a slash at the end counts',
    message: 'There is nothing at this path.',
  },
  unauthorized: {
    on: BOTH,
    when: 'no credential, a malformed, unknown or revoked one',
    message: 'The key is not known.',
  },
  wrong_credential: {
    on: BOTH,
    when: 'a good credential of the other kind',
    message: 'This needs an API key; a ServiceKey was given.',
  },
  forbidden_origin: {
    on: BOTH,
    when: 'a browser session used from another site, or an unknown Host',
    message: 'A session serves the pages of this service only; other sites need a key of their own.',
  },
  too_many_attempts: {
    on: BOTH,
    when: 'an unknown credential, after too many of them from this address; Retry-After says how long. A valid one is never refused for others, and a revoked one is 401',
    message: 'Too many unknown credentials from this address; try again in 42 s.',
  },
  too_many_requests: {
    on: ['usage'],
    when: 'too many usage queries of the account wait already; sign-ins and stream connections of one key have limits too',
    message: 'Too many usage queries of this account wait already; try again in 1 s.',
  },
  body_too_large: { on: ['info'], when: 'the body is over the limit', message: 'The body is over 65536 bytes.' },
  unsupported_media_type: {
    on: ['info'],
    when: 'the body is not declared as application/json',
    message: 'The body must be application/json.',
  },
  invalid_json: { on: ['info'], when: 'the body is not JSON', message: 'The body is not JSON.' },
  invalid_request: {
    on: BOTH,
    when: 'a field or parameter is missing or wrong; path names it',
    message: 'The field users[3] must be a wallet address: 0x and 40 hexadecimal digits.',
    more: { path: 'users[3]' },
  },
  unsupported_type: {
    on: ['info'],
    when: 'there is no query kind of that type; nothing is forwarded',
    message: 'There is no query kind of this type.',
    more: { type: 'openorders' },
  },
  unknown_coin: {
    on: ['info'],
    when: 'the exchange trades no such coin',
    message: 'The exchange trades no perp called NOPE.',
    more: { path: 'coin' },
  },
  unsupported_coin: {
    on: ['info'],
    when: 'an order-level book of a spot or outcome coin',
    message: 'Order-level books are kept for perps only.',
    more: { path: 'coin' },
  },
  credits_exhausted: {
    on: ['info'],
    when: 'the call would cross the plan’s ceiling plus flex limit of this calendar month (UTC)',
    message: 'The credits of this month do not suffice for this call.',
    more: { needed: 25, used: 1_050_000, limit: 1_050_000, resets_at: 1_796_083_200_000 },
  },
  request_timeout: {
    on: ['info'],
    when: 'the request did not come to its end in time; the connection is closed',
    message: 'The request did not come to its end in time.',
  },
  headers_too_large: {
    on: BOTH,
    when: 'the headers are over 16 KiB; the connection is closed',
    message: 'The headers must have at most 16 KiB.',
  },
  unmet_expectation: {
    on: BOTH,
    when: 'an Expect header that asks for something else than 100-continue',
    message: 'The service meets no expectation but 100-continue.',
  },
  upgrade_required: {
    on: ['stream'],
    when: 'a request to /ws that does not upgrade to a WebSocket',
    message: 'The stream at /ws is a WebSocket: send Upgrade: websocket.',
  },
  upstream_error: {
    on: ['info'],
    when: 'the exchange cannot be reached, failed, or sent something unusable',
    message: 'The exchange failed: upstream returned HTTP 500.',
  },
  upstream_timeout: {
    on: ['info'],
    when: 'the exchange did not answer in time',
    message: 'The exchange did not answer within 5000 ms.',
  },
  upstream_busy: {
    on: ['info'],
    when: 'the exchange’s own request limit is reached, too many calls of the account wait for it, or too many of its answers are being read; Retry-After says how long',
    message: 'The request limit of the exchange is reached; try again later.',
  },
  book_not_ready: {
    on: ['info'],
    when: 'the book, or the list of coins, was not there within the deadline; Retry-After says how long',
    message: 'The book of BTC is not ready yet.',
  },
  ledger_unavailable: {
    on: BOTH,
    when: 'the database did not take or give the credits; nothing was charged',
    message: 'The credits could not be recorded; nothing was charged.',
  },
  database_unavailable: {
    on: BOTH,
    when: 'the database cannot be written (full, held or gone); Retry-After says how long',
    message: 'The database cannot be written at the moment; try again.',
  },
  shutting_down: {
    on: BOTH,
    when: 'the service is about to end; Retry-After says how long',
    message: 'The service is shutting down; try again in a moment.',
  },
  dashboard_not_built: {
    on: ['pages'],
    when: 'a page was asked for that was not built; never from a query',
    message: 'The dashboard is not built: run npm run build and start the service again.',
  },
  internal_error: {
    on: BOTH,
    when: 'a fault of the service; X-Request-Id leads to its log',
    message: 'The service failed to answer; the failure is in its log.',
  },
};

/** An error with its status and an example of its body. */
export interface ReferenceError {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly on: readonly Surface[];
  readonly when: string;
  readonly body: ErrorBody;
}

/** The closed list, as the reference shows it. */
export const REFERENCE_ERRORS: readonly ReferenceError[] = (Object.keys(HTTP_ERRORS) as HttpErrorCode[]).map((code) => {
  const { on, when, message, more } = STATED[code];
  const status = HTTP_ERRORS[code];
  return { code, status, on, when, body: { error: code, message, code: status, msg: message, ...more } };
});

/** Headers that an answer of a status carries beside its body. */
export function headersOf(status: number): Readonly<Record<string, string>> {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': 'Bearer' };
    case 405:
      return { Allow: 'the methods that the path takes' };
    case 429:
    case 503:
      return { 'Retry-After': 'seconds to wait' };
    default:
      return {};
  }
}
