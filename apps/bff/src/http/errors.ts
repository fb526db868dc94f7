import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DatabaseError } from '@l4desk/ledger';
import { ApiError, type CreditStanding, type ErrorBody } from '@l4desk/protocol';

/**
 * Converts anything that was thrown into the error that the client sees: an ApiError stays as it is, an unwritable or
 * temporarily failing database becomes `database_unavailable`, an undecodable path `invalid_request`, anything else
 * `internal_error`.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DatabaseError && (thrown.code === 'unwritable' || thrown.retryable)) {
    return new ApiError('database_unavailable', { headers: { 'Retry-After': '1' }, cause: thrown });
  }
  // Express refuses a path parameter that it cannot decode.
  if (thrown instanceof URIError) return new ApiError('invalid_request', 'The path is not correctly percent-encoded.');
  return new ApiError('internal_error', { cause: thrown });
}

/** Creates the refusal of a method that a path does not support (INFO-14). */
export function methodNotAllowed(allow: string): ApiError {
  return new ApiError('method_not_allowed', `This path supports ${allow} only.`, { headers: { Allow: allow } });
}

/** The body of an error response (D1). Undefined fields are omitted from its JSON. */
function errorBody(error: ApiError): ErrorBody {
  return {
    error: error.code,
    message: error.message,
    code: error.status,
    msg: error.message,
    path: error.path,
    type: error.type,
    ...(error.credits && creditFields(error.credits)),
  };
}

function creditFields({ needed, used, limit, resetsAt }: CreditStanding) {
  return { needed, used, limit, resets_at: resetsAt } satisfies Partial<ErrorBody>;
}

/** Headers of every error response, both plain HTTP and refused upgrades. */
function errorHeaders(error: ApiError, body: Buffer): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...error.headers,
  };
}

/** Responds with an error. If the response has already started, it cannot be changed and its connection is destroyed. */
export function sendError(res: ServerResponse, error: ApiError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  for (const [name, value] of Object.entries(errorHeaders(error, body))) res.setHeader(name, value);
  res.statusCode = error.status;
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** Refuses a WebSocket upgrade with an ordinary HTTP response and closes the connection (D24). */
export function refuseUpgrade(socket: Duplex, error: ApiError, more: Readonly<Record<string, string>> = {}): void {
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  const headers = { ...errorHeaders(error, body), ...more, Connection: 'close' };
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
