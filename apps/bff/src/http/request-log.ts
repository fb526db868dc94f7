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

/** What a handler adds to the log line of its request. */
export interface RequestNotes {
  principal?: Principal;
  /** The query kind of a call to `/info`. */
  kind?: string;
  error?: ApiError;
}

const notes = new WeakMap<IncomingMessage, RequestNotes>();

/** The notes of a request that `observe` has seen. */
export function requestNotes(request: IncomingMessage): RequestNotes {
  const known = notes.get(request);
  if (known !== undefined) return known;
  const fresh: RequestNotes = {};
  notes.set(request, fresh);
  return fresh;
}

/** Responds with an error and records it for the log; the rest of an unread body is discarded. */
export function refuse(response: ServerResponse, error: ApiError): void {
  if (!response.req.complete) drain(response.req);
  requestNotes(response.req).error = error;
  sendError(response, error);
}

/** Request ids: no two alike, not in another process either. */
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
  /** Called for every request when it ends. */
  readonly measure: (path: string, status: number, ms: number) => void;
  readonly addressOf: ClientAddress;
}

/** Gives each request an id, and writes one measurement and, within the budget, one log line when it is over. */
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
        // What the upstream did is the operator's business; other sentences only repeat the code.
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

/** Requested all the time by machines; a line for each would drown the others. */
const QUIET_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Most characters of a path in the log, and of one as it was sent: each may be encoded more than once. */
const PATH_LENGTH_MAX = { logged: 100, sent: 400 };

/** The path without its query, short, and without a key that somebody put into it by mistake, however it is encoded. */
export function loggedPath(request: IncomingMessage): string {
  const [path = ''] = percentDecoded(requestPath(request).slice(0, PATH_LENGTH_MAX.sent)).split(/[?#]/, 1);
  return path.replaceAll(/l4[ks]_[0-9A-Za-z]*/gi, '***').slice(0, PATH_LENGTH_MAX.logged);
}

/** A path with its ASCII characters decoded, until none is encoded: `%256C` is `%6C` is `l`. */
function percentDecoded(path: string): string {
  if (!path.includes('%')) return path;
  const decoded = path.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded === path ? path : percentDecoded(decoded);
}
