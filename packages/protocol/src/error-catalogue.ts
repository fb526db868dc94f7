import { CLOSE_CODES, type CloseCodeName } from './close-codes.ts';
import { ERROR_CODES, type ErrorCodeFacts, type HttpErrorCode, STREAM_ERRORS } from './error-codes.ts';

/** Where an error can occur: `POST /info`, `GET /platform/usage/`, an upgrade of `/ws`, or the dashboard's requests. */
export type ErrorPlace = 'info' | 'usage' | 'stream' | 'pages';

/** The texts of one error code. They are Markdown, except for `message`. */
export interface ErrorWords {
  /** The sentence that is sent unless the service names, for example, a limit or a field. */
  readonly message: string;
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Default: everywhere. */
  readonly places?: readonly ErrorPlace[];
}

const EVERYWHERE = ['info', 'usage', 'stream', 'pages'] as const;

/** Errors that occur before a request is known to be an upgrade. */
const REQUESTS = ['info', 'usage', 'pages'] as const;

const WORDS: Readonly<Record<HttpErrorCode, ErrorWords>> = {
  method_not_allowed: {
    message: 'This path does not support this method.',
    meaning: 'The path exists, but not with this method; `Allow` lists those it supports.',
    remedy: 'Use one of those: queries are `POST /info`.',
  },
  not_found: {
    message: 'No resource at this path.',
    meaning: 'No resource at this path. Paths are case-sensitive, and a trailing slash matters.',
    remedy: 'Check the address.',
    places: REQUESTS,
  },
  unauthorized: {
    message: 'The key is unknown.',
    meaning: 'The key is missing, malformed, unknown or revoked, the session has ended, or the link was used.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` (stream: `?key=<API_KEY>`), or sign in again.',
  },
  wrong_credential: {
    message: 'Wrong kind of credential.',
    meaning: 'A ServiceKey where an API key is needed, or the reverse; or a session without the needed key.',
    remedy: 'Use the kind that the message names; in a browser, sign in again with it.',
  },
  forbidden_origin: {
    message: 'Sessions work only on pages of this service; other sites need their own key.',
    meaning: 'A session was used from a page of another site, or under a host name that is not the service’s.',
    remedy: 'Open the dashboard at the address in `PUBLIC_URL`; programs use a key.',
  },
  body_too_large: {
    message: 'The request body is too large.',
    meaning: 'The body is over the limit (64 KiB by default).',
    remedy: 'Send less per request.',
    places: ['info', 'pages'],
  },
  unsupported_media_type: {
    message: 'The body must be sent as Content-Type: application/json.',
    meaning: 'The body is not `application/json` in UTF-8, or it is compressed.',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
    places: ['info', 'pages'],
  },
  invalid_json: {
    message: 'The body is not valid JSON.',
    meaning: 'The body is not valid JSON.',
    remedy: 'Check quotes and trailing commas.',
    places: ['info', 'pages'],
  },
  invalid_request: {
    message: 'The request is invalid.',
    meaning:
      'A field or parameter is missing or invalid, the exchange has no such `dex` or refused the fields, or the handshake of the WebSocket is malformed.',
    remedy: 'Correct the field that `path` names, if there is one.',
  },
  unsupported_type: {
    message: 'Unknown query type.',
    meaning: 'No query kind has this `type`. Nothing was sent to the exchange.',
    remedy: 'Check the spelling; names are case-sensitive.',
    places: ['info'],
  },
  unknown_coin: {
    message: 'The exchange has no perp with this name; names are case-sensitive.',
    meaning: 'The exchange has no perp with this name (for `fundingHistory` and passed-through kinds: no coin).',
    remedy: 'Check spelling, letter case and the prefix of a builder market (`xyz:GOLD`).',
    places: ['info'],
  },
  unsupported_coin: {
    message: 'Order-level books are available for perps only, not for spot or outcome coins.',
    meaning: 'A spot (`@107`, `PURR/USDC`) or outcome (`#12`) coin; only perps have order-level books.',
    remedy: 'Request a perp.',
    places: ['info'],
  },
  credits_exhausted: {
    message: 'The account does not have enough credits for this call.',
    meaning:
      'The call costs `needed` credits, but `used` of the `limit` of this month (UTC) are used. The next begins at `resets_at` (ms).',
    remedy: 'Wait until `resets_at`, make a cheaper call, or raise the plan.',
    places: ['info', 'stream'],
  },
  request_timeout: {
    message: 'Request not fully received in time.',
    meaning: 'Not fully received in time: 20 s for the headers, 30 s for all of it. The connection is closed.',
    remedy: 'Retry; send faster, or less.',
    places: REQUESTS,
  },
  headers_too_large: {
    message: 'The request headers are too large.',
    meaning: 'The headers are over 16 KiB. The connection is closed.',
    remedy: 'Send fewer cookies or shorter headers.',
    places: REQUESTS,
  },
  unmet_expectation: {
    message: 'The only supported Expect header is 100-continue.',
    meaning: 'The `Expect` header asks for something other than `100-continue`.',
    remedy: 'Remove the header.',
    places: REQUESTS,
  },
  upgrade_required: {
    message: 'The stream at /ws is a WebSocket: send Upgrade: websocket.',
    meaning: 'A plain HTTP request to `/ws`, which is a WebSocket.',
    remedy: 'Connect with a WebSocket client.',
    places: ['stream'],
  },
  too_many_attempts: {
    message: 'Too many unknown credentials from this address.',
    meaning:
      'Too many unknown credentials from this address within a minute. A valid one is never refused for this; a revoked one is still 401.',
    remedy: 'Check that the whole key was copied; wait `Retry-After` seconds.',
  },
  too_many_requests: {
    message: 'Too many requests at once.',
    meaning:
      'Too many sign-ins with one key within a minute, open stream connections with one key, or waiting usage queries of one account. The message says which.',
    remedy: 'Wait `Retry-After` seconds; close connections that are not needed.',
    places: ['usage', 'stream', 'pages'],
  },
  upstream_error: {
    message: 'The exchange failed to respond.',
    meaning: 'The exchange could not be reached, failed, or sent an unusable response. Nothing was charged.',
    remedy: 'Retry.',
    places: ['info', 'pages'],
  },
  not_served_upstream: {
    message: 'The upstream of this service does not serve this kind of query.',
    meaning:
      'The upstream does not know this kind: a node’s own info server serves few. `/readyz` lists such kinds. Nothing was charged.',
    remedy: 'The operator sets `UPSTREAM_INFO_URL` to a server that serves it.',
    places: ['info'],
  },
  upstream_timeout: {
    message: 'The exchange did not respond in time.',
    meaning: 'The exchange did not respond in time. Nothing was charged.',
    remedy: 'Retry.',
    places: ['info'],
  },
  upstream_busy: {
    message: 'The request limit of the exchange is reached.',
    meaning:
      'The request limit of the exchange is reached, or too many calls of the account or responses of the exchange are pending. Nothing was charged.',
    remedy: 'Wait `Retry-After` seconds; make fewer calls at a time.',
    places: ['info'],
  },
  book_not_ready: {
    message: 'The list of coins is not loaded yet.',
    meaning: 'The coin’s book, or the list of coins, was not ready within the deadline (5 s by default).',
    remedy: 'Retry after `Retry-After` seconds.',
    places: ['info', 'stream'],
  },
  ledger_unavailable: {
    message: 'The charge could not be recorded, so nothing was charged.',
    meaning:
      'The database (full, locked or unreachable) did not accept the charge: the response was withheld, and nothing was charged.',
    remedy: 'Retry after `Retry-After` seconds; the cause is in the service’s log.',
    places: ['info', 'stream'],
  },
  database_unavailable: {
    message: 'The database is temporarily unavailable.',
    meaning: 'The database (full, locked or unreachable) could not be used; nothing was changed.',
    remedy: 'Retry after `Retry-After` seconds; the cause is in the service’s log.',
  },
  shutting_down: {
    message: 'The service is shutting down.',
    meaning: 'The service is shutting down.',
    remedy: 'Retry after `Retry-After` seconds.',
  },
  dashboard_not_built: {
    message: 'The dashboard is not built: run npm run build and start the service again.',
    meaning: 'The service runs, but its pages have not been built.',
    remedy: 'The operator runs `npm run build` and starts the service again.',
    places: ['pages'],
  },
  internal_error: {
    message: 'Internal error; the cause is in the service’s log.',
    meaning: 'Uncaught exception in the service.',
    remedy: 'Retry; if it persists, give the operator the `X-Request-Id`.',
  },
};

export interface ErrorEntry extends ErrorCodeFacts, Required<ErrorWords> {
  readonly code: HttpErrorCode;
}

const CODES = Object.keys(ERROR_CODES) as HttpErrorCode[];

/** Every error of the closed list (D1). The service, its API reference and `docs/errors.md` are generated from it. */
export const ERROR_CATALOGUE = Object.fromEntries(
  CODES.map((code) => [code, { code, ...ERROR_CODES[code], places: EVERYWHERE, ...WORDS[code] }]),
) as Readonly<Record<HttpErrorCode, ErrorEntry>>;

/** A close code with its texts, in Markdown. */
export interface CloseCodeEntry {
  readonly code: number;
  readonly meaning: string;
  readonly remedy: string;
}

const CLOSE_WORDS: Readonly<Record<CloseCodeName, Omit<CloseCodeEntry, 'code'>>> = {
  goingAway: {
    meaning: 'The service is shutting down, or its feed restarted at an earlier block.',
    remedy: 'Reconnect and bootstrap again.',
  },
  policyViolation: {
    meaning: 'Too many frames in one message, or too many invalid messages.',
    remedy: 'Send messages in fewer frames, and valid JSON.',
  },
  messageTooBig: {
    meaning: 'A frame was over the limit.',
    remedy: 'Send smaller frames.',
  },
  internalError: {
    meaning:
      'Uncaught exception in the service, or the database has not accepted a charge for the stream for a minute.',
    remedy: 'Reconnect and bootstrap again.',
  },
  slowConsumer: {
    meaning:
      '`slow consumer`: too many unsent bytes. Batches are never skipped silently. A client that does not read the rest within a second sees 1006, and so does one that is cut off because all connections together hold too much.',
    remedy:
      'Read faster, subscribe to fewer coins, or request `"statuses":"book"`; then reconnect and bootstrap again.',
  },
  keyRevoked: {
    meaning: 'The key was revoked, or the session has ended.',
    remedy: 'Use a valid key, or sign in again.',
  },
  creditsExhausted: {
    meaning: 'The account has no credits left this month.',
    remedy: 'See `credits_exhausted`.',
  },
};

/** Every close code of the stream, in the order of their numbers. */
export const CLOSE_CATALOGUE: readonly CloseCodeEntry[] = (Object.keys(CLOSE_CODES) as CloseCodeName[]).map((name) => ({
  code: CLOSE_CODES[name],
  ...CLOSE_WORDS[name],
}));

/** A sentence of the stream's error channel: the connection stays open. `sentence` has its variable parts in braces. */
export interface StreamErrorEntry {
  readonly sentence: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every kind of sentence on the stream's error channel (D20 to D23, WS-33). */
export const STREAM_ERROR_CATALOGUE: readonly StreamErrorEntry[] = [
  {
    sentence: `${STREAM_ERRORS.alreadySubscribed}{json}`,
    meaning: 'The connection already has an equal subscription; nothing changed.',
    remedy: 'Nothing.',
  },
  {
    sentence: `${STREAM_ERRORS.alreadyUnsubscribed}{json}`,
    meaning: 'The connection has no such subscription. An array and a single coin are different subscriptions.',
    remedy: 'Send the same body as in the subscription.',
  },
  {
    sentence: `${STREAM_ERRORS.invalidSubscription}{json}: {reason}`,
    meaning:
      'The subscription was refused as a whole, and nothing was charged. The reason names the coin, the field or the missing credits.',
    remedy: 'Correct what the reason names.',
  },
  {
    sentence: `${STREAM_ERRORS.invalidSubscription}{json}: {coin} is not available upstream`,
    meaning:
      'Sent once, after the acknowledgement: the upstream refuses the coin, or has not delivered it for `L4_REBUILD_MAX_MS`. The subscription stays, and the coin costs nothing until it is live.',
    remedy: 'Wait: the service keeps trying, and the coin resumes with a gap.',
  },
  {
    sentence: `${STREAM_ERRORS.unreadable}{text}`,
    meaning: 'The frame is not a valid request.',
    remedy: 'Send one of the documented client messages, as JSON.',
  },
];
