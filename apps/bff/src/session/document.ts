import { inTime, type Store } from '@l4desk/ledger';
import {
  ACCOUNT_DOCUMENT_BYTES_MAX,
  accountDocument,
  type DocumentReplaced,
  documentChange,
  type KeptDocument,
} from '@l4desk/protocol';
import { type RequestHandler, Router } from 'express';
import { AttemptLimiter, tooMany } from '../http/auth/attempt-limiter.ts';
import { type SignedInDeps, signedIn } from '../http/auth/sessions.ts';
import { decode, jsonBodyUpTo, jsonObjectOf } from '../http/body.ts';
import { bodyTooLarge, methodNotAllowed } from '../http/errors.ts';
import { sendJson } from '../http/respond.ts';

/** Maximum replacements of an account's document per minute. Pages collect changes for a second. */
const REPLACEMENTS_PER_MINUTE_MAX = 600;

export interface DocumentDeps extends SignedInDeps {
  readonly store: Pick<Store, 'document' | 'replaceDocument'>;
  readonly elapsed: () => number;
}

/** Keeps one document for each account, free of charge: its address book, its names of keys and its workspaces. */
export function documentRouter(deps: DocumentDeps): Router {
  const { store, elapsed } = deps;
  const replacements = new AttemptLimiter(REPLACEMENTS_PER_MINUTE_MAX, elapsed);

  async function kept(account: string): Promise<KeptDocument> {
    const stored = await inTime(store.document(account));
    if (stored === undefined) return { account, version: 0, document: null };
    // A stored document that this version cannot read counts as none, and the page replaces it.
    const { data: document = null } = accountDocument.safeParse(JSON.parse(stored.text));
    return { account, version: stored.version, document };
  }

  /** The body of a page that is not signed in is not read. */
  const limited: RequestHandler = async (request, _response, next) => {
    const { accountId } = await signedIn(deps, request);
    const waitMs = replacements.count(accountId);
    if (waitMs !== undefined) throw tooMany('too_many_requests', 'Too many changes of this account', waitMs);
    next();
  };

  const router = Router({ strict: true, caseSensitive: true });
  router
    .route('/session/document')
    .get(async (request, response) => {
      sendJson(response, 200, await kept((await signedIn(deps, request)).accountId));
    })
    .put(limited, ...jsonBodyUpTo(ACCOUNT_DOCUMENT_BYTES_MAX), async (request, response) => {
      const { accountId } = await signedIn(deps, request);
      const change = decode(documentChange, jsonObjectOf(request));
      // Missing fields are filled in. A page has to be able to write back what it reads.
      if (Buffer.byteLength(JSON.stringify(change)) > ACCOUNT_DOCUMENT_BYTES_MAX)
        throw bodyTooLarge(ACCOUNT_DOCUMENT_BYTES_MAX);
      const { account, version, document } = change;
      // Another tab may have signed in to another account since this page was opened.
      const isReplaced =
        account === accountId &&
        (await inTime(store.replaceDocument(accountId, { version, text: JSON.stringify(document) })));
      sendJson(
        response,
        200,
        (isReplaced
          ? { kind: 'replaced', version: version + 1 }
          : { kind: 'conflict', kept: await kept(accountId) }) satisfies DocumentReplaced,
      );
    })
    .all(methodNotAllowed('GET, HEAD, PUT'));
  return router;
}
