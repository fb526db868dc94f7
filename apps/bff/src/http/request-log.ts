import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError, HttpErrorCode } from '@l4desk/protocol';
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from '../log/log.ts';
import type { Principal } from './auth/principal.ts';

/** What handlers keep in `response.locals` for the log line of their request. */
export interface RequestNotes {
  principal?: Principal;
  /** The query kind of an `/info` call. */
  kind?: string;
  error?: ApiError;
}

/** Returns the typed `response.locals`. */
export function notesOf(response: Pick<Response, 'locals'>): RequestNotes {
  return response.locals;
}

/** Creates a generator of request ids that are unique across processes. */
export function requestIds(): () => string {
  const start = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count}`;
  };
}

/** Errors whose cause the operator has to fix. */
const FAULTS: ReadonlySet<HttpErrorCode> = new Set(['internal_error', 'database_unavailable']);

/**
 * Gives each request an id and logs one line when it is over. Requests without a valid credential are logged at `debug`, so
 * that strangers cannot fill the log; `/metrics` counts them. Queries and headers may hold keys and are not logged (OPS-4).
 */
export function requestLog(logger: Logger): RequestHandler {
  const nextId = requestIds();
  return pinoHttp<Request, Response>({
    logger,
    quietReqLogger: true,
    quietResLogger: true,
    serializers: { req: () => undefined },
    genReqId: (_request, response) => {
      const id = nextId();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_request, response) => {
      const { error, principal } = notesOf(response);
      if (error !== undefined && FAULTS.has(error.code)) return 'error';
      if (error !== undefined && error.status >= 500) return 'warn';
      if (principal === undefined) return 'debug';
      return statusOf(response) < 400 ? 'info' : 'warn';
    },
    customSuccessMessage: (_request, response) => messageOf(response),
    customErrorMessage: (_request, response) => messageOf(response),
    customSuccessObject: lineOf,
    customErrorObject: (request, response, _error, given) => lineOf(request, response, given),
  });
}

/** The status, or 499 if the client disconnected. At the end of a complete response it is not destroyed yet. */
function statusOf(response: ServerResponse): number {
  return response.destroyed ? 499 : response.statusCode;
}

function messageOf(response: Response): string {
  const status = statusOf(response);
  if (status === 499) return 'client disconnected';
  if (status >= 500) return 'request failed';
  return status >= 400 ? 'request refused' : 'request';
}

function lineOf(request: Request, response: Response, given: { readonly responseTime?: number }) {
  const { principal, kind, error } = notesOf(response);
  return {
    method: request.method,
    path: loggedPath(request),
    status: statusOf(response),
    ms: given.responseTime,
    address: request.ip,
    kind,
    account: principal?.accountId,
    credential: principal?.credentialId,
    via: principal?.via,
    error: error?.code,
    at: error?.path,
    // Only upstream failures add information for the operator; other messages just repeat the code.
    why: error !== undefined && error.status > 500 ? error.message : undefined,
    err: error !== undefined && FAULTS.has(error.code) ? error.cause : undefined,
  };
}

/** Maximum characters of a path in the log, and of the raw path that is decoded: a character may be encoded repeatedly. */
const PATH_LENGTH_MAX = { logged: 100, sent: 400 };

/** The path without its query, truncated, and with keys that were put into it by mistake masked, however they are encoded. */
export function loggedPath({ url = '/' }: IncomingMessage): string {
  const [path = ''] = percentDecoded(url.split(/[?#]/, 1)[0]?.slice(0, PATH_LENGTH_MAX.sent) ?? '').split(/[?#]/, 1);
  return path.replaceAll(/l4[ks]_[0-9A-Za-z]*/gi, '***').slice(0, PATH_LENGTH_MAX.logged);
}

/** Decodes percent-encoded ASCII characters until none is left: `%256C` becomes `%6C`, then `l`. */
function percentDecoded(path: string): string {
  if (!path.includes('%')) return path;
  const decoded = path.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded === path ? path : percentDecoded(decoded);
}
