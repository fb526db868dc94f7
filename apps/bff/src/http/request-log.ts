import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError, HttpErrorCode } from '@l4desk/protocol';
import type { Logger } from '../log/log.ts';
import type { Principal } from './auth/principal.ts';
import { drain } from './body.ts';
import type { ClientAddress } from './client-address.ts';
import { sendError } from './errors.ts';
import type { LineBudget } from './line-budget.ts';
import { requestPath } from './respond.ts';

/** Fields that a handler adds to the log line of its request. */
export interface RequestNotes {
  principal?: Principal;
  /** The query kind of an `/info` call. */
  kind?: string;
  error?: ApiError;
}

const notes = new WeakMap<IncomingMessage, RequestNotes>();

/** Returns the notes of a request, created on first use. */
export function requestNotes(request: IncomingMessage): RequestNotes {
  const known = notes.get(request);
  if (known !== undefined) return known;
  const fresh: RequestNotes = {};
  notes.set(request, fresh);
  return fresh;
}

/** Responds with an error and records it for the log. Discards the rest of an unread body. */
export function refuse(response: ServerResponse, error: ApiError): void {
  if (!response.req.complete) drain(response.req);
  requestNotes(response.req).error = error;
  sendError(response, error);
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

export interface ObserveDeps {
  readonly log: Logger;
  readonly lines: LineBudget;
  /** Called for every request when it is over. */
  readonly measure: (path: string, status: number, ms: number) => void;
  readonly addressOf: ClientAddress;
}

/** Gives each request an id. When it is over, records one measurement and, within the budget, one log line. */
export function requestObserver({
  log,
  lines,
  measure,
  addressOf,
}: ObserveDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const nextId = requestIds();
  return (request, response) => {
    const reqId = nextId();
    const began = performance.now();
    const address = addressOf(request);
    response.setHeader('X-Request-Id', reqId);
    response.once('close', () => {
      const ms = Math.round((performance.now() - began) * 10) / 10;
      const { principal, kind, error } = requestNotes(request);
      const path = loggedPath(request);
      const status = response.writableFinished ? response.statusCode : 499;
      measure(path, status, ms);
      const isQuiet = status < 400 && (QUIET_PATHS.has(path) || path.startsWith('/assets/'));
      const isFree = principal === undefined || status >= 400;
      if (isFree && !isQuiet && !lines.takes(principal?.accountId, status)) return;
      const fields = {
        reqId,
        method: request.method,
        path,
        status,
        ms,
        address,
        kind,
        account: principal?.accountId,
        credential: principal?.credentialId,
        via: principal?.via,
        error: error?.code,
        at: error?.path,
        // Only upstream failures add information for the operator; other messages just repeat the code.
        why: error !== undefined && error.status > 500 ? error.message : undefined,
      };
      if (error !== undefined && FAULTS.has(error.code)) log.error({ ...fields, err: error.cause }, 'request failed');
      else if (status >= 400) log.warn(fields, status === 499 ? 'client disconnected' : 'request refused');
      else if (isQuiet) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
  };
}

/** Errors whose cause the operator has to fix. */
const FAULTS: ReadonlySet<HttpErrorCode> = new Set(['internal_error', 'database_unavailable']);

/** Paths that machines poll. Logging each request would bury the other lines. */
const QUIET_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Maximum characters of a path in the log, and of the raw path that is decoded: a character may be encoded repeatedly. */
const PATH_LENGTH_MAX = { logged: 100, sent: 400 };

/** The path without its query, truncated, and with keys that were put into it by mistake masked, however they are encoded. */
export function loggedPath(request: IncomingMessage): string {
  const [path = ''] = percentDecoded(requestPath(request).slice(0, PATH_LENGTH_MAX.sent)).split(/[?#]/, 1);
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
