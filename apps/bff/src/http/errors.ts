import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DatabaseError, LedgerError } from '@l4desk/ledger';
import { ApiError, type CreditStanding, type ErrorBody, REQUEST_BODY_BYTES_MAX } from '@l4desk/protocol';
import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Converts anything that was thrown into the error that the client sees. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof LedgerError) {
    const { code, message, credits } = thrown;
    return code === 'credits_exhausted'
      ? new ApiError(code, message, credits === undefined ? {} : { credits })
      : new ApiError(code, { headers: { 'Retry-After': '1' }, cause: thrown });
  }
  if (thrown instanceof DatabaseError && (thrown.code === 'unwritable' || thrown.retryable)) {
    return new ApiError('database_unavailable', { headers: { 'Retry-After': '1' }, cause: thrown });
  }
  // Express refuses a path parameter that it cannot decode.
  if (thrown instanceof URIError) return new ApiError('invalid_request', 'The path is not correctly percent-encoded.');
  return bodyError(thrown) ?? new ApiError('internal_error', { cause: thrown });
}

/** Maps an error of `express.json`. Its own message may quote the body, which may hold a secret. */
function bodyError(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof Error && 'type' in thrown)) return undefined;
  switch (thrown.type) {
    case 'entity.too.large':
      return bodyTooLarge('limit' in thrown ? Number(thrown.limit) : REQUEST_BODY_BYTES_MAX);
    case 'entity.parse.failed':
    case 'entity.verify.failed':
      return new ApiError('invalid_json');
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', 'The body must not be compressed (no Content-Encoding).');
    case 'charset.unsupported':
      return new ApiError('unsupported_media_type', 'The body must be encoded in UTF-8.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('invalid_request', 'The body is incomplete.');
    default:
      return undefined;
  }
}

export function bodyTooLarge(bytesMax: number): ApiError {
  return new ApiError('body_too_large', `The body must be at most ${bytesMax} bytes.`);
}

/** Creates the refusal of a method that a path does not support (INFO-14). */
export function notAllowed(allow: string): ApiError {
  return new ApiError('method_not_allowed', `This path supports ${allow} only.`, { headers: { Allow: allow } });
}

/** Refuses the methods that a route has no handler for. */
export function methodNotAllowed(allow: string): RequestHandler {
  return () => {
    throw notAllowed(allow);
  };
}

/** Responds with whatever a handler has thrown. The error stays in `response.locals` for the log. */
export const errorHandler: ErrorRequestHandler = (thrown, _request, response, _next) => {
  if (response.destroyed) return;
  const error = toApiError(thrown);
  response.locals.error = error;
  sendError(response, error);
};

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
