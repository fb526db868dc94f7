import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@l4desk/protocol';
import { chooseEncoding } from '../http/accept-encoding.ts';
import type { Authoriser } from '../http/auth/principal.ts';
import { readJsonObject } from '../http/body.ts';
import { methodNotAllowed, toApiError } from '../http/errors.ts';
import type { PendingResponses } from '../http/pending-responses.ts';
import { refuse, requestNotes } from '../http/request-log.ts';
import { clientGone, sendJsonBytes } from '../http/respond.ts';
import type { InfoService } from './info-service.ts';

export interface InfoDeps {
  readonly authoriser: Authoriser;
  readonly info: InfoService;
  readonly bodyBytesMax: number;
  readonly pending: PendingResponses;
}

/** Creates the handler of `/info`. Checks run in the order of D1, after the path has been matched. */
export function infoHandler({ authoriser, info, bodyBytesMax, pending }: InfoDeps) {
  /**
   * Every call takes these steps: authorise → body → serve → respond. If the client disconnects, `serve` ends only if nothing
   * was sent upstream yet; otherwise the call is finished and charged (BILL-24).
   */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    const notes = requestNotes(request);

    const principal = await authoriser.authorise(request, 'info');
    if (principal instanceof ApiError) throw principal;
    notes.principal = principal;

    const body = await readJsonObject(request, bodyBytesMax);
    const kind = info.kindOf(body);
    notes.kind = kind.type;
    const gone = clientGone(response);
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const sent = await info.serve(kind, body, { principal, encoding, gone });
    if (gone.aborted) return;
    response.appendHeader('Vary', 'Accept-Encoding');
    pending.keep(principal.accountId, response, sendJsonBytes(response, 200, sent.parts, sent.encoding));
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await handle(request, response);
    } catch (error) {
      if (!response.destroyed) refuse(response, toApiError(error));
    }
  };
}
