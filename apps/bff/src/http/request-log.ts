import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiError, HttpErrorCode } from '@l4desk/protocol';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../log/log.ts';
import type { ClientAddress } from './auth/credential-check.ts';
import type { Principal } from './auth/principal.ts';

/** What handlers keep in `response.locals` for the log line of their request. */
export interface RequestNotes {
  principal?: Principal;
  kind?: string;
  error?: ApiError;
}

export function notesOf(response: Pick<Response, 'locals'>): RequestNotes {
  return response.locals;
}

/** Errors whose cause the operator has to fix. */
const FAULTS: ReadonlySet<HttpErrorCode> = new Set(['internal_error', 'database_unavailable']);

/**
 * Counts a request that is over, with the path of its route. Paths without a route count as `other`, so that callers
 * cannot create series. The status is 499 if the client disconnected.
 */
export type CountRequest = (route: string, status: number, ms: number) => void;

/** Gives each request an id, counts it, and logs one line without queries and headers, which may hold keys (OPS-4). */
export function requestLog(logger: Logger, addressOf: ClientAddress, count: CountRequest): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    // A socket that has closed has no address any more.
    const address = addressOf(request);
    const reqId = randomUUID();
    response.setHeader('X-Request-Id', reqId);
    let status = 499;
    response.once('finish', () => {
      // Node emits it for a response that was aborted, too.
      if (!response.destroyed) status = response.statusCode;
    });
    response.once('close', () => {
      const ms = performance.now() - began;
      count(routeOf(request), status, ms);
      const level = levelOf(status, notesOf(response));
      if (logger.isLevelEnabled(level))
        logger[level]({ reqId, ...fieldsOf(request, response, status, ms), address }, messageOf(status));
    });
    next();
  };
}

function routeOf(request: Request): string {
  const route = request.route as { readonly path: string } | undefined;
  return route?.path ?? 'other';
}

function levelOf(status: number, { error, principal }: RequestNotes): 'debug' | 'info' | 'warn' | 'error' {
  if (error !== undefined && FAULTS.has(error.code)) return 'error';
  if (error !== undefined && error.status >= 500) return 'warn';
  if (principal === undefined) return 'debug';
  return status < 400 ? 'info' : 'warn';
}

function messageOf(status: number): string {
  if (status === 499) return 'client disconnected';
  if (status >= 500) return 'request failed';
  return status >= 400 ? 'request refused' : 'request';
}

function fieldsOf(request: Request, response: Response, status: number, ms: number) {
  const { principal, kind, error } = notesOf(response);
  return {
    method: request.method,
    path: loggedPath(request),
    status,
    ms: Math.round(ms),
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
