import { Router } from 'express';
import { authorise, principalOf } from '../http/auth/authoriser.ts';
import type { Authoriser } from '../http/auth/principal.ts';
import { jsonBody, jsonObjectOf } from '../http/body.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { notesOf } from '../http/request-log.ts';
import { chooseEncoding, clientGone, sendJsonBytes, type UnreadResponses } from '../http/respond.ts';
import type { InfoService } from './info-service.ts';

export interface InfoDeps {
  readonly authoriser: Authoriser;
  readonly queries: InfoService;
  readonly unread: UnreadResponses;
}

/** `POST /info`: authorise → body → decode → reserve → fetch → check → charge → respond, in the order of D1. */
export function infoRouter({ authoriser, queries, unread }: InfoDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router
    .route('/info')
    .post(authorise(authoriser, 'info'), ...jsonBody, async (request, response) => {
      const body = jsonObjectOf(request);
      const kind = queries.kindOf(body);
      notesOf(response).kind = kind.type;
      const principal = principalOf(response);
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      const gone = clientGone(response);
      const sent = await queries.serve(kind, body, { principal, encoding, clientGone: gone });
      if (gone.aborted) return;
      response.appendHeader('Vary', 'Accept-Encoding');
      sendJsonBytes(response, 200, sent.bytes, sent.encoding);
      unread.add(response, sent.bytes);
    })
    .all(methodNotAllowed('POST'));
  return router;
}
