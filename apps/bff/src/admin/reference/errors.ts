import { ERROR_CATALOGUE, type ErrorBody, type ErrorEntry, type HttpErrorCode } from '@l4desk/protocol';

/** An error of the catalogue, with an example body. */
export interface ReferenceError extends ErrorEntry {
  readonly body: ErrorBody;
}

/** Example error bodies: the message with its values filled in, plus the fields that only some errors carry. */
const EXAMPLES: Partial<Readonly<Record<HttpErrorCode, Partial<ErrorBody>>>> = {
  method_not_allowed: { message: 'This path supports POST only.' },
  too_many_attempts: { message: 'Too many unknown credentials from this address; try again in 60 s.' },
  wrong_credential: { message: 'This requires an API key; a ServiceKey was given.' },
  body_too_large: { message: 'The body must be at most 65536 bytes.' },
  headers_too_large: { message: 'The request headers must be at most 16 KiB.' },
  invalid_request: {
    message:
      'The field users[3] must be a wallet address: 0x and 40 hexadecimal digits, but has 1 digit after 0x, not 40.',
    path: 'users[3]',
  },
  unsupported_type: { type: 'openorders' },
  unknown_coin: { path: 'coin' },
  unsupported_coin: { path: 'coin' },
  upstream_error: { message: 'The exchange failed to respond: upstream returned HTTP 500.' },
  not_served_upstream: { message: 'The upstream of this service does not serve historicalOrders.' },
  upstream_timeout: { message: 'The exchange did not respond within 1000 ms.' },
  book_not_ready: { message: 'The book of BTC is not ready yet.' },
  credits_exhausted: {
    message: '25 credits are needed and 1 of 20 are used this month; they reset at 2026-12-01T00:00:00.000Z.',
    needed: 25,
    used: 1,
    limit: 20,
    resets_at: 1_796_083_200_000,
  },
};

/** The complete list of errors for the reference. */
export const REFERENCE_ERRORS: readonly ReferenceError[] = Object.values(ERROR_CATALOGUE).map((entry) => {
  const { code, status } = entry;
  const { message = entry.message, ...fields } = EXAMPLES[code] ?? {};
  return { ...entry, body: { error: code, message, code: status, msg: message, ...fields } };
});

/** Additional headers of a response with this status. */
export function headersOf(status: number): Readonly<Record<string, string>> {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': 'Bearer' };
    case 405:
      return { Allow: 'methods that the path supports' };
    case 429:
    case 503:
      return { 'Retry-After': 'seconds to wait' };
    default:
      return {};
  }
}
