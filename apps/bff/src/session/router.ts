import type { IncomingMessage } from 'node:http';
import { inTime, type Meter, type Session, type SessionCredential, type Store, shownKey } from '@l4desk/ledger';
import {
  ApiError,
  type SessionCoins,
  type SessionState,
  type SessionWallets,
  type ShownCredential,
  type SignedOutState,
  signInWithKeys,
  signInWithToken,
} from '@l4desk/protocol';
import { type Response, Router } from 'express';
import { isDemo, type Settings } from '../config/settings.ts';
import type { Universe } from '../exchange/universe.ts';
import type { ClientAddress } from '../http/auth/credential-check.ts';
import { SESSION_TTL_MS, type SignedInDeps, type SignIn, sessionToken, signedIn } from '../http/auth/sessions.ts';
import { decode, type JsonObject, jsonBody, jsonObjectOf } from '../http/body.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { type AllowedOrigins, hostRefusal, sessionOriginRefusal } from '../http/origins.ts';
import { sendJson } from '../http/respond.ts';

export interface SessionDeps extends SignedInDeps {
  readonly settings: Settings;
  readonly addressOf: ClientAddress;
  readonly store: Pick<Store, 'listCredentials' | 'simulatedWindow'>;
  readonly meter: Pick<Meter, 'exhausted'>;
  readonly universe: Pick<Universe, 'coins'>;
  readonly stream: { recheck(): Promise<void> };
  readonly source: SessionState['source'];
  readonly exampleWallets?: (() => Promise<SessionWallets>) | undefined;
}

/** Sign-in, sign-out and what a page must know before any other request (D34). */
export function sessionRouter(deps: SessionDeps): Router {
  const { settings, addressOf, store, meter, sessions, origins, cookieName, exampleWallets } = deps;
  const demo = isDemo(settings);

  /** Rejects if the database does not respond in time. */
  const state = (session: Session) => inTime(readState(session));

  async function readState(session: Session): Promise<SessionState> {
    const simulatedUsage = demo ? await store.simulatedWindow(session.accountId) : undefined;
    const accountKeys =
      session.service === null
        ? undefined
        : (await store.listCredentials(session.accountId)).filter(({ kind }) => kind === 'api').map(shown);
    const exhausted = session.api === null ? undefined : await meter.exhausted?.(session.accountId);
    return {
      account: { id: session.accountId, name: session.accountName },
      credentials: {
        api: session.api && shown(session.api),
        service: session.service && shown(session.service),
      },
      accountKeys,
      expiresAt: session.expiresAt,
      creditsExhausted: exhausted && {
        used: exhausted.used,
        limit: exhausted.limit,
        resets_at: exhausted.resetsAt,
      },
      source: deps.source,
      demo,
      simulatedUsage,
    };
  }

  /** Whether a page of ours asks without a cookie. That gets 200: a browser would print a 401 in its console. */
  function isNewBrowser(request: IncomingMessage): boolean {
    return sessionToken(request, cookieName) === undefined && sessionOriginRefusal(request, origins) === undefined;
  }

  /** Sets the cookie, which scripts cannot read and pages of other sites cannot send (AUTH-13, AUTH-14). */
  function setCookie(response: Response, token: string, maxAge: number): void {
    const secure = origins.primary.startsWith('https:');
    response.cookie(cookieName, token, { httpOnly: true, sameSite: 'strict', secure, maxAge });
  }

  async function end(request: IncomingMessage, session: Session): Promise<void> {
    await sessions.end(request, cookieName, session);
    void deps.stream.recheck();
  }

  const router = Router({ strict: true, caseSensitive: true });
  router
    .route('/session')
    .get(async (request, response) => {
      if (isNewBrowser(request)) return sendJson(response, 200, { account: null } satisfies SignedOutState);
      sendJson(response, 200, await state(await signedIn(deps, request)));
    })
    .post(
      (request, _response, next) => next(foreignSignIn(request, origins)),
      ...jsonBody,
      async (request, response) => {
        const given = readSignIn(jsonObjectOf(request));
        const before = await sessions.ofRequest(request, cookieName);
        const started = await sessions.start(given, addressOf(request));
        if (started instanceof ApiError) throw started;
        if (before !== undefined) await end(request, before);
        setCookie(response, started.token, SESSION_TTL_MS);
        sendJson(response, 200, await state(started.session));
      },
    )
    .delete(async (request, response) => {
      await end(request, await signedIn(deps, request));
      setCookie(response, '', 0);
      response.status(204).end();
    })
    .all(methodNotAllowed('GET, HEAD, POST, DELETE'));
  router
    .route('/session/coins')
    .get(async (request, response) => {
      await signedIn(deps, request);
      const coins = deps.universe
        .coins()
        .map(({ name, szDecimals, maxLeverage }) => ({ coin: name, szDecimals, maxLeverage }));
      sendJson(response, 200, { coins } satisfies SessionCoins);
    })
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route('/session/wallets')
    .get(async (request, response) => {
      await signedIn(deps, request);
      if (!demo || exampleWallets === undefined)
        throw new ApiError('not_found', 'Example wallets are available only in demo mode.');
      sendJson(response, 200, await exampleWallets());
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}

/** Refuses a sign-in from a page of another site. A client that is no browser and sends no origin may sign in. */
function foreignSignIn(request: IncomingMessage, allowed: AllowedOrigins): ApiError | undefined {
  const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
  return isBrowser ? sessionOriginRefusal(request, allowed) : hostRefusal(request, allowed);
}

function readSignIn(body: JsonObject): SignIn {
  if ('token' in body) return { kind: 'token', token: decode(signInWithToken, body).token };
  const { apiKey, serviceKey } = decode(signInWithKeys, body);
  return { kind: 'keys', apiKey, serviceKey };
}

function shown(credential: SessionCredential): ShownCredential {
  return { shown: shownKey(credential), label: credential.label };
}
