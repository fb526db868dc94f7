import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Credential, inTime, type Session, type SessionCredential, shownKey } from '@l4desk/ledger';
import {
  ApiError,
  type CreditStanding,
  type SessionCoins,
  type SessionState,
  type SessionWallets,
  type ShownCredential,
  type SignedOutState,
  signInWithKeys,
  signInWithToken,
  type UsageWindow,
} from '@l4desk/protocol';
import type { Universe } from '../exchange/universe.ts';
import type { SignIn } from '../http/auth/sessions.ts';
import { decode, readJsonObject } from '../http/body.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { readCookie, sessionCookie } from '../http/cookies.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { type AllowedOrigins, hostRefusal, sessionOriginRefusal } from '../http/origins.ts';
import { sendJson } from '../http/respond.ts';
import { type SignedInDeps, signedIn } from './signed-in.ts';

export interface SessionRoutesDeps extends SignedInDeps {
  readonly universe: Universe;
  readonly addressOf: ClientAddress;
  readonly bodyBytesMax: number;
  readonly ttlMs: number;
  readonly source: SessionState['source'];
  readonly demo: boolean;
  /** The credentials of an account, including revoked ones. */
  readonly credentialsOf: (accountId: string) => Promise<readonly Credential[]>;
  /** The credit standing of an account that cannot pay a single credit; undefined if it can. */
  readonly exhausted: (accountId: string) => Promise<CreditStanding | undefined>;
  /** The days for which demo mode simulated the account's usage. */
  readonly simulatedWindow: (accountId: string) => Promise<UsageWindow | undefined>;
  /** Example wallets of the simulated exchange; undefined outside demo mode. */
  readonly exampleWallets: (() => Promise<SessionWallets>) | undefined;
  /** Called when a session has ended, so that its stream connections close at once. */
  readonly onEnded: () => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Sign-in, sign-out and what a page must know before any other request (D34). Handlers throw ApiError. */
export function sessionRoutes(deps: SessionRoutesDeps): {
  readonly session: Handler;
  readonly coins: Handler;
  readonly wallets: Handler;
} {
  const { sessions, origins, cookieName } = deps;

  const current = (request: IncomingMessage) => signedIn(deps, request);

  /**
   * Rejects if the database does not respond in time (AUTH-32). Few calls wait for it then, because soon no session can be looked up
   * either.
   */
  const state = (session: Session) => inTime(readState(session));

  async function readState(session: Session): Promise<SessionState> {
    const simulatedUsage = deps.demo ? await deps.simulatedWindow(session.accountId) : undefined;
    const accountKeys =
      session.service === null
        ? undefined
        : (await deps.credentialsOf(session.accountId)).filter(({ kind }) => kind === 'api').map(shown);
    const exhausted = session.api === null ? undefined : await deps.exhausted(session.accountId);
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
      demo: deps.demo,
      simulatedUsage,
    };
  }

  /**
   * Whether the request comes from one of our pages in a browser without a session cookie. That gets 200, because a
   * browser would print a 401 in its console. A request with the cookie of an ended session, or from another origin, is
   * refused (AUTH-31).
   */
  function isNewBrowser(request: IncomingMessage): boolean {
    const hasCookie = readCookie(request.headers.cookie, cookieName()) !== undefined;
    return !hasCookie && sessionOriginRefusal(request, origins()) === undefined;
  }

  function setCookie(response: ServerResponse, token: string, maxAgeSeconds: number): void {
    const secure = origins().primary.startsWith('https:');
    response.setHeader('Set-Cookie', sessionCookie(cookieName(), token, maxAgeSeconds, secure));
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = foreignSignIn(request, origins());
    if (refusal !== undefined) throw refusal;
    const wish = readSignIn(await readJsonObject(request, deps.bodyBytesMax));
    const before = await sessions.ofRequest(request, cookieName());
    const started = await sessions.start(wish, deps.addressOf(request));
    if (started instanceof ApiError) throw started;
    if (before !== undefined) await end(request, before);
    setCookie(response, started.token, Math.floor(deps.ttlMs / 1000));
    sendJson(response, 200, await state(started.session));
  }

  async function signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = await current(request);
    await end(request, session);
    setCookie(response, '', 0);
    response.statusCode = 204;
    response.end();
  }

  async function end(request: IncomingMessage, session: Session): Promise<void> {
    await sessions.end(request, cookieName(), session);
    deps.onEnded();
  }

  return {
    async session(request, response) {
      switch (request.method) {
        case 'GET':
        case 'HEAD':
          if (isNewBrowser(request)) return sendJson(response, 200, { account: null } satisfies SignedOutState);
          return sendJson(response, 200, await state(await current(request)));
        case 'POST':
          return signIn(request, response);
        case 'DELETE':
          return signOut(request, response);
        default:
          throw methodNotAllowed('GET, HEAD, POST, DELETE');
      }
    },

    async coins(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      await current(request);
      const coins = deps.universe
        .coins()
        .map(({ name, szDecimals, maxLeverage }) => ({ coin: name, szDecimals, maxLeverage }));
      sendJson(response, 200, { coins } satisfies SessionCoins);
    },

    async wallets(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      await current(request);
      if (deps.exampleWallets === undefined)
        throw new ApiError('not_found', 'Example wallets are available only in demo mode.');
      sendJson(response, 200, await deps.exampleWallets());
    },
  };
}

/**
 * Refuses a sign-in sent by a page of another site. No cookie is involved yet, so a client that is not a browser and
 * sends no origin may sign in too.
 */
function foreignSignIn(request: IncomingMessage, allowed: AllowedOrigins): ApiError | undefined {
  const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
  return isBrowser ? sessionOriginRefusal(request, allowed) : hostRefusal(request, allowed);
}

function readSignIn(body: Readonly<Record<string, unknown>>): SignIn {
  if ('token' in body) return { kind: 'token', token: decode(signInWithToken, body).token };
  const { apiKey, serviceKey } = decode(signInWithKeys, body);
  return { kind: 'keys', apiKey, serviceKey };
}

function shown(credential: SessionCredential): ShownCredential {
  return { shown: shownKey(credential), label: credential.label };
}
