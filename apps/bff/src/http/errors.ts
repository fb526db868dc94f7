import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorBody, HTTP_ERRORS, type HttpErrorCode } from '@l4desk/protocol';
import { DatabaseError } from '../database/database-error.ts';

/** The credits that an operation needed, those used in this calendar month (UTC), the month's limit, and when the next month begins, in ms. */
export interface CreditStanding {
  readonly needed: number;
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: number;
  /** It would suffice but for what calls under way hold, which may come free again; left out where it would not. */
  readonly heldOnly?: boolean;
}

/** What an error may carry beside its code and sentence. */
export interface ServiceErrorDetail {
  /** The field at fault, for example `users[3]` (D5). */
  readonly path?: string;
  /** The query kind as it was sent, of `unsupported_type` (D4). */
  readonly type?: string;
  /** Where the account stands, of `credits_exhausted` (D11). */
  readonly credits?: CreditStanding;
  /** Headers the answer needs: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong inside; logged, never answered (D1). */
  readonly cause?: unknown;
}

/** A request that is answered with an error of the closed list (D1). Its message is a whole sentence and holds no secret. */
export class ServiceError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly credits: CreditStanding | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: HttpErrorCode, message: string, detail: ServiceErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = HTTP_ERRORS[code];
    this.retryable = this.status === 429 || this.status >= 502;
    this.path = detail.path;
    this.type = detail.type;
    this.credits = detail.credits;
    this.headers = detail.headers ?? {};
  }
}

/**
 * The error a caller sees for anything that was thrown: a ServiceError as it is, a database that is full or held as
 * `database_unavailable`, the unexpected as `internal_error`.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof DatabaseError && (thrown.code === 'unwritable' || thrown.code === 'locked')) {
    return new ServiceError('database_unavailable', 'The database cannot be written at the moment; try again.', {
      headers: { 'Retry-After': '1' },
      cause: thrown,
    });
  }
  return new ServiceError('internal_error', 'The service failed to answer; the failure is in its log.', {
    cause: thrown,
  });
}

/** The refusal of a method that a path does not have (INFO-14). */
export function methodNotAllowed(allow: string): ServiceError {
  return new ServiceError('method_not_allowed', `This path answers ${allow} only.`, { headers: { Allow: allow } });
}

/** The body of an error answer (D1). */
function errorBody(error: ServiceError): ErrorBody {
  return {
    error: error.code,
    message: error.message,
    code: error.status,
    msg: error.message,
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.type === undefined ? {} : { type: error.type }),
    ...(error.credits === undefined ? {} : creditFields(error.credits)),
  };
}

function creditFields({ needed, used, limit, resetsAt }: CreditStanding) {
  return { needed, used, limit, resets_at: resetsAt } satisfies Partial<ErrorBody>;
}

/** Headers of every error answer, plain HTTP or refused upgrade. */
function errorHeaders(error: ServiceError, body: Buffer): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...error.headers,
  };
}

/** Answers a request with an error. An answer that has begun cannot be changed any more: its connection is cut. */
export function sendError(res: ServerResponse, error: ServiceError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  for (const [name, value] of Object.entries(errorHeaders(error, body))) res.setHeader(name, value);
  res.statusCode = error.status;
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** Refuses a WebSocket upgrade with an ordinary HTTP answer and ends the connection (D24). */
export function refuseUpgrade(socket: Duplex, error: ServiceError, more: Readonly<Record<string, string>> = {}): void {
  const body = Buffer.from(JSON.stringify(errorBody(error)));
  const headers = { ...errorHeaders(error, body), ...more, Connection: 'close' };
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
