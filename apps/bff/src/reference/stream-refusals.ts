import { HTTP_ERRORS, type HttpErrorCode } from '@l4desk/protocol';

/** Why an upgrade of `/ws` is refused: with what, when, and a sentence as the service writes it. */
export interface StreamRefusal {
  readonly error: HttpErrorCode;
  readonly status: number;
  readonly when: string;
  readonly message: string;
}

const refusal = (error: HttpErrorCode, when: string, message: string): StreamRefusal => {
  return { error, status: HTTP_ERRORS[error], when, message };
};

/** Every refusal of an upgrade (D24), by status. Those of 429 and 503 carry `Retry-After` (AUTH-27). */
export const STREAM_REFUSALS: readonly StreamRefusal[] = [
  refusal(
    'invalid_request',
    'the handshake is not one of WebSocket version 13',
    'Bad WebSocket handshake: Missing or invalid Sec-WebSocket-Version header.',
  ),
  refusal('unauthorized', 'no key, an unknown or a revoked one, or a session that has ended', 'The key is not known.'),
  refusal(
    'credits_exhausted',
    'the account’s credits do not suffice for a minute of one coin',
    '1 credit is needed and 8 of 8 are used this month; the next month begins 2026-12-01T00:00:00.000Z.',
  ),
  refusal(
    'wrong_credential',
    'a ServiceKey, or a session without an API key',
    'This needs an API key; a ServiceKey was given.',
  ),
  refusal(
    'forbidden_origin',
    'a session used from another site, or under a name that the service does not go by',
    'A session needs the Origin that a browser sends; other clients use a key.',
  ),
  refusal('method_not_allowed', 'another method than GET', 'An upgrade is a GET.'),
  refusal(
    'upgrade_required',
    'a request that does not upgrade to a WebSocket',
    'The stream at /ws is a WebSocket: send Upgrade: websocket.',
  ),
  refusal(
    'too_many_attempts',
    'an unknown key, after too many unknown credentials from this address; a valid key is never refused for that',
    'Too many unknown credentials from this address; try again in 42 s.',
  ),
  refusal(
    'too_many_requests',
    'the key has as many connections open as one may have',
    'This key has 100 stream connections open already; close one first.',
  ),
  refusal(
    'book_not_ready',
    'the list of coins is not read yet, just after the start',
    'The list of coins is not loaded yet; try again.',
  ),
  refusal(
    'ledger_unavailable',
    'the account’s credits cannot be read',
    'The credits could not be charged, so nothing was; try again.',
  ),
  refusal('shutting_down', 'the service is about to end', 'The service is shutting down.'),
  refusal(
    'internal_error',
    'a fault of the service; X-Request-Id leads to its log',
    'The service failed to answer; the failure is in its log.',
  ),
];
