import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Meter } from '@l4desk/ledger';
import { ApiError, INFO_CREDITS } from '@l4desk/protocol';
import { UpstreamError } from '../exchange/upstream-error.ts';
import { chooseEncoding } from '../http/accept-encoding.ts';
import type { Authoriser } from '../http/auth/principal.ts';
import type { JsonObject } from '../http/body.ts';
import { readJsonObject } from '../http/body.ts';
import { methodNotAllowed, toApiError } from '../http/errors.ts';
import { compressed } from '../http/json-response.ts';
import type { PendingResponses } from '../http/pending-responses.ts';
import { refuse, requestNotes } from '../http/request-log.ts';
import { clientGone, sendJsonBytes } from '../http/respond.ts';
import type { InfoKind } from './kind.ts';
import { upstreamRefusal } from './upstream-failure.ts';

export interface InfoDeps {
  readonly authoriser: Authoriser;
  readonly meter: Meter;
  readonly kinds: readonly InfoKind[];
  readonly bodyBytesMax: number;
  readonly pending: PendingResponses;
}

/** Creates the handler of `/info`. Checks run in the order of D1, after the path has been matched. */
export function infoHandler({ authoriser, meter, kinds, bodyBytesMax, pending }: InfoDeps) {
  // A map and not an object, because `type` may be any text that a client sends, including `__proto__`.
  const kindByType = new Map<string, InfoKind>(kinds.map((kind) => [kind.type, kind]));

  function kindOf({ type }: JsonObject): InfoKind {
    if (typeof type !== 'string')
      throw new ApiError('invalid_request', 'The field type must be a string that names the query kind.', {
        path: 'type',
      });
    const kind = kindByType.get(type);
    if (kind === undefined) throw new ApiError('unsupported_type', { type });
    return kind;
  }

  /**
   * Every call takes these steps: authorise → decode → reserve → fetch → check → charge → respond. If the client
   * disconnects, `fetch` ends only if nothing was sent upstream yet; otherwise the call is finished and charged (BILL-24).
   */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    const notes = requestNotes(request);

    const principal = await authoriser.authorise(request, 'info');
    if (principal instanceof ApiError) throw principal;
    notes.principal = principal;

    const body = await readJsonObject(request, bodyBytesMax);
    const kind = kindOf(body);
    notes.kind = kind.type;
    const gone = clientGone(response);
    const call = {
      account: principal.accountId,
      encoding: chooseEncoding(request.headers['accept-encoding']),
      clientGone: gone,
    };
    const query = await kind.decode(body, call);
    try {
      const reservation = await meter.reserve(principal, kind.type, INFO_CREDITS[kind.type]);
      if (reservation instanceof ApiError) throw reservation;
      try {
        const fetched = await kind.fetch(query, call);
        const checked = kind.check(fetched, query);
        const sent = gone.aborted ? checked : await compressed(checked, call.encoding);
        await reservation.charge();
        if (gone.aborted) return;
        response.appendHeader('Vary', 'Accept-Encoding');
        pending.keep(principal.accountId, response, sendJsonBytes(response, 200, sent.parts, sent.encoding));
      } finally {
        reservation.release();
      }
    } finally {
      kind.end?.(query);
    }
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await handle(request, response);
    } catch (error) {
      if (response.destroyed) return;
      refuse(response, error instanceof UpstreamError ? upstreamRefusal(error) : toApiError(error));
    }
  };
}
