import { inTime, shownKey, type UsageReader } from '@l4desk/ledger';
import { ApiError, dayOf, decodeUsageQuery, type SessionUsage, type UsageWindow } from '@l4desk/protocol';
import { type RequestHandler, type Response, Router } from 'express';
import { tooMany } from '../http/auth/attempt-limiter.ts';
import { authorise, principalOf } from '../http/auth/authoriser.ts';
import { unauthorized } from '../http/auth/credential-check.ts';
import type { Authoriser } from '../http/auth/principal.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { sendJsonBytes, type UnreadResponses } from '../http/respond.ts';

export interface UsageDeps {
  readonly usage: UsageReader;
  readonly authoriser: Authoriser;
  readonly unread: UnreadResponses;
  /** Ms since the Unix epoch. */
  readonly now: () => number;
}

/** Path of the endpoint. The trailing slash is required (USE-1). */
const USAGE_PATH = '/platform/usage/';

/** Maximum queries of one account that may wait for the running one. */
export const USAGE_QUERIES_WAITING_MAX = 100;

/** How long a query may wait and run, in ms. Short of the 60 s after which many proxies give up. */
const RESPONSE_MS_MAX = 30_000;

/** `GET /platform/usage/` (§4.8): usage of a ServiceKey's account. `GET /session/usage`: the same window by key and kind, for pages. */
export function usageRouter({ usage, authoriser, unread, now }: UsageDeps): Router {
  // Usage queries cost no credits. They are bounded by running those of an account one at a time.
  const queues = new AccountQueues(USAGE_QUERIES_WAITING_MAX);
  const respond =
    (read: (accountId: string, window: UsageWindow) => Promise<Uint8Array | undefined>): RequestHandler =>
    async (request, response) => {
      const { accountId } = principalOf(response);
      const decoded = decodeUsageQuery(request.query, dayOf(now()));
      if (decoded.kind === 'refused') {
        const { path, problem } = decoded;
        throw new ApiError('invalid_request', `The parameter ${path} ${problem}.`, { path });
      }
      const query = queues.run(accountId, async () => {
        // Skip callers that disconnected, or were refused, while waiting.
        if (isOver(response)) return;
        const json = await read(accountId, decoded.window);
        if (json === undefined) throw new Error('a credential without an account');
        if (isOver(response)) return;
        sendJsonBytes(response, 200, json);
        unread.add(response, json);
      });
      if (query === undefined)
        throw tooMany('too_many_requests', 'Too many usage queries of this account are waiting', 1_000);
      // The query continues, and the account's next one begins after it.
      await inTime(query, RESPONSE_MS_MAX);
    };
  const byKind = async (accountId: string, period: UsageWindow) => {
    const sums = await usage.kindSums(accountId, period);
    const response: SessionUsage = {
      period,
      by_kind: sums.map(({ kind, credits, ...key }) => ({ apikey: shownKey(key), kind, credits })),
    };
    return Buffer.from(JSON.stringify(response));
  };
  const router = Router({ strict: true, caseSensitive: true });
  router
    .route(USAGE_PATH)
    .get(
      authorise(authoriser, 'usage'),
      respond((accountId, window) => usage.usageJson(accountId, window)),
    )
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route('/session/usage')
    .get(authorise(authoriser, 'usage'), onlySessions, respond(byKind))
    .all(methodNotAllowed('GET, HEAD'));
  // The path without the trailing slash is 404, even if the request is otherwise valid (D45).
  router.all(USAGE_PATH.slice(0, -1), () => {
    throw new ApiError('not_found', `No resource at this path; usage is at ${USAGE_PATH}, with a trailing slash.`);
  });
  return router;
}

/** Middleware after `authorise` that refuses keys: the path belongs to the pages and may change with them. */
const onlySessions: RequestHandler = (_request, response, next) => {
  if (principalOf(response).via !== 'session')
    throw unauthorized('This path requires the session of a signed-in page.');
  next();
};

function isOver({ destroyed, writableEnded }: Response): boolean {
  return destroyed || writableEnded;
}

interface AccountQueue {
  last: Promise<void>;
  waiting: number;
}

/** Runs the work of each account one at a time, so that one account never occupies more than one worker. */
class AccountQueues {
  readonly #waitingMax: number;
  readonly #queues = new Map<string, AccountQueue>();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Runs when the account's earlier callers are done. Returns undefined if too many are already waiting. */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#queues.get(accountId) ?? { last: Promise.resolve(), waiting: -1 };
    if (queue.waiting >= this.#waitingMax) return undefined;
    queue.waiting += 1;
    this.#queues.set(accountId, queue);
    const result = queue.last.then(work);
    const end = () => {
      queue.waiting -= 1;
      if (queue.waiting < 0) this.#queues.delete(accountId);
    };
    queue.last = result.then(end, end);
    return result;
  }
}
