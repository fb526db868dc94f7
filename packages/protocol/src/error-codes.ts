// Codes, statuses and titles, which programs use for decisions. The sentences are in `error-catalogue.ts`, so that a page or a
// client that shows none of them need not include them.

/** The facts about an error code that a program needs. */
export interface ErrorCodeFacts {
  readonly status: number;
  /** Whether the same call may succeed within minutes, without a change by the caller, the owner or the operator. */
  readonly retryable: boolean;
  /** What happened, in two to four words, as a heading. */
  readonly title: string;
}

/** Every `error` that a failed HTTP response can carry (D1). The list is closed. */
export const ERROR_CODES = {
  method_not_allowed: { status: 405, retryable: false, title: 'Method not allowed' },
  not_found: { status: 404, retryable: false, title: 'Not found' },
  unauthorized: { status: 401, retryable: false, title: 'Invalid credential' },
  wrong_credential: { status: 403, retryable: false, title: 'Wrong kind of key' },
  forbidden_origin: { status: 403, retryable: false, title: 'Address not accepted' },
  body_too_large: { status: 413, retryable: false, title: 'Request body too large' },
  unsupported_media_type: { status: 415, retryable: false, title: 'Unsupported content type' },
  invalid_json: { status: 400, retryable: false, title: 'Invalid JSON' },
  invalid_request: { status: 400, retryable: false, title: 'Invalid request' },
  unsupported_type: { status: 400, retryable: false, title: 'Unknown query kind' },
  unknown_coin: { status: 400, retryable: false, title: 'Unknown coin' },
  unsupported_coin: { status: 400, retryable: false, title: 'Unsupported coin' },
  // A retry succeeds next month at the earliest.
  credits_exhausted: { status: 402, retryable: false, title: 'Not enough credits' },
  // The connection was slow, but may not be next time.
  request_timeout: { status: 408, retryable: true, title: 'Request timed out' },
  headers_too_large: { status: 431, retryable: false, title: 'Request headers too large' },
  unmet_expectation: { status: 417, retryable: false, title: 'Expectation not supported' },
  upgrade_required: { status: 426, retryable: false, title: 'WebSocket required' },
  // After the requested wait, a retry shows whether the credential is known.
  too_many_attempts: { status: 429, retryable: true, title: 'Too many attempts' },
  too_many_requests: { status: 429, retryable: true, title: 'Too many requests' },
  upstream_error: { status: 502, retryable: true, title: 'The exchange failed' },
  upstream_timeout: { status: 504, retryable: true, title: 'The exchange took too long' },
  upstream_busy: { status: 503, retryable: true, title: 'The exchange is busy' },
  // Not retryable: the operator has to configure another upstream.
  not_served_upstream: { status: 501, retryable: false, title: 'Not served upstream' },
  book_not_ready: { status: 503, retryable: true, title: 'Book not ready' },
  ledger_unavailable: { status: 503, retryable: true, title: 'Credits unavailable' },
  database_unavailable: { status: 503, retryable: true, title: 'Database unavailable' },
  shutting_down: { status: 503, retryable: true, title: 'Service shutting down' },
  // Not retryable: the operator has to build the pages and restart the service.
  dashboard_not_built: { status: 503, retryable: false, title: 'Dashboard not built' },
  // Not expected to last: another request, or a later one, may succeed.
  internal_error: { status: 500, retryable: true, title: 'The service failed' },
} as const satisfies Readonly<Record<string, ErrorCodeFacts>>;

/** The code of a failed HTTP response, from the closed list of `ERROR_CODES`. */
export type HttpErrorCode = keyof typeof ERROR_CODES;

/** How sentences of the stream's error channel begin (D20 to D22). The client's text follows exactly as sent. */
export const STREAM_ERRORS = {
  alreadySubscribed: 'Already subscribed: ',
  alreadyUnsubscribed: 'Already unsubscribed: ',
  invalidSubscription: 'Invalid subscription ',
  unreadable: 'Error parsing JSON into valid websocket request: ',
} as const;
