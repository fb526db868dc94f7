import type { IncomingMessage, ServerResponse } from 'node:http';
import { dayOf, decodeUsageQuery } from '@l4desk/protocol';
import type { Store } from '../accounts/store.ts';
import { methodNotAllowed, ServiceError } from '../http/errors.ts';
import type { Authoriser } from '../http/principal.ts';
import { requestNotes } from '../http/request-log.ts';
import { sendJson } from '../http/respond.ts';
import { usageAnswer } from './usage-answer.ts';

export interface UsageRoutesDeps {
  readonly store: Store;
  readonly authoriser: Authoriser;
  /** Ms since the Unix epoch. */
  readonly now: () => number;
}

/** Where the endpoint is; the slash at its end is part of it (USE-1). */
export const USAGE_PATH = '/platform/usage/';

/** `GET /platform/usage/` (§4.8): what the account of a ServiceKey used. Handlers throw ServiceError. */
export function usageRoutes({ store, authoriser, now }: UsageRoutesDeps) {
  return {
    usage: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      const principal = await authoriser.authorise(request, 'usage');
      if (principal instanceof ServiceError) throw principal;
      requestNotes(request).principal = principal;
      const decoded = decodeUsageQuery(queryOf(request), dayOf(now()));
      if (decoded.kind === 'refused') {
        const { path, problem } = decoded;
        throw new ServiceError('invalid_request', `The parameter ${path} ${problem}.`, { path });
      }
      const [account, sums] = await Promise.all([
        store.account(principal.accountId),
        store.usageSums(principal.accountId, decoded.window),
      ]);
      if (account === undefined) throw new Error('a credential without an account');
      sendJson(response, 200, usageAnswer(account, decoded.window, sums));
    },

    /** The path without its slash is not the endpoint, whatever else is right about the request (D45). */
    withoutSlash: (): never => {
      throw new ServiceError('not_found', `There is nothing at this path; usage is at ${USAGE_PATH} with the slash.`);
    },
  };
}

/** The parameters as they came: one that is repeated is a list, and refused as such. */
function queryOf(request: IncomingMessage): Readonly<Record<'duration' | 'from' | 'to', unknown>> {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const read = (name: string): unknown => {
    const values = parameters.getAll(name);
    return values.length > 1 ? values : values[0];
  };
  return { duration: read('duration'), from: read('from'), to: read('to') };
}
