import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, INFO_CREDITS } from '@l4desk/protocol';
import type { Meter } from '../credits/meter.ts';
import type { InfoKind, JsonObject } from '../info/kind.ts';
import { upstreamRefusal } from '../info/upstream-failure.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { chooseEncoding } from './accept-encoding.ts';
import { readJsonObject } from './body.ts';
import { compressed } from './compress.ts';
import { methodNotAllowed, toApiError } from './errors.ts';
import type { Authoriser } from './principal.ts';
import { refuse, requestNotes } from './request-log.ts';
import { clientGone, sendJsonBytes } from './respond.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

export interface InfoDeps {
  readonly authoriser: Authoriser;
  readonly meter: Meter;
  readonly kinds: readonly InfoKind[];
  readonly bodyBytesMax: number;
  readonly unsent: UnsentAnswers;
}

/** Answers `POST /info`. The path is settled already; the checks that follow come in the decided order (D1). */
export function infoHandler({ authoriser, meter, kinds, bodyBytesMax, unsent }: InfoDeps) {
  // A map, not an object: `type` is any text a client sends, `__proto__` included.
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
   * Every call takes these steps: authorise → decode → reserve → fetch → check → charge → answer. A client that leaves
   * ends `fetch` where nothing was sent upstream yet; what comes after it is done for a client that has gone too (BILL-24).
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

    const reservation = await meter.reserve(principal, kind.type, INFO_CREDITS[kind.type]);
    if (reservation instanceof ApiError) throw reservation;
    try {
      const fetched = await kind.fetch(query, call);
      const checked = kind.check(fetched, query);
      const answer = gone.aborted ? checked : await compressed(checked, call.encoding);
      await reservation.charge();
      if (gone.aborted) return;
      response.appendHeader('Vary', 'Accept-Encoding');
      sendJsonBytes(response, 200, answer.parts, answer.encoding);
      unsent.keep(principal.accountId, response, answer.parts);
    } finally {
      reservation.release();
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
