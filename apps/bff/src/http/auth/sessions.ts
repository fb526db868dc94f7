import type { IncomingMessage } from 'node:http';
import {
  createId,
  createToken,
  type NewSession,
  type Session,
  type SessionCredentials,
  type Store,
  sha256,
} from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import { parse as parseCookies } from 'cookie';
import { type AllowedOrigins, sessionOriginRefusal } from '../origins.ts';
import { AttemptLimiter, tooMany } from './attempt-limiter.ts';
import { type CredentialCheck, Lookups, unauthorized } from './credential-check.ts';

const TOKEN_PATTERN = /^[\w-]{43}$/;

/** How long a browser session lasts. */
export const SESSION_TTL_MS = 7 * 86_400_000;

/** Maximum browser sessions per account. Above it, the oldest one ends. */
export const SESSIONS_PER_ACCOUNT_MAX = 100;

export const SIGN_INS_PER_MINUTE_MAX = 60;

/** Returns the value of the session cookie of a request. */
export function sessionToken({ headers }: IncomingMessage, cookieName: string): string | undefined {
  return parseCookies(headers.cookie ?? '')[cookieName];
}

/** What a browser signs in with: the token of a link, or keys. */
export type SignIn =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'keys'; readonly apiKey: string | undefined; readonly serviceKey: string | undefined };

/** A new session, and the token that its cookie holds. */
export interface StartedSession {
  readonly session: Session;
  readonly token: string;
}

export interface SessionsDeps {
  readonly store: Store;
  readonly credentials: CredentialCheck;
  /** Ms since the Unix epoch, because sessions outlive the process. */
  readonly now: () => number;
  readonly elapsed: () => number;
  /** How long a cached session stays valid while the database is unreachable, in ms. */
  readonly staleMsMax: number;
}

/** The sessions of signed-in browsers (D34). */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #signIns: AttemptLimiter;
  readonly #byHash: Lookups<Session>;
  readonly #byId: Lookups<Session>;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#signIns = new AttemptLimiter(SIGN_INS_PER_MINUTE_MAX, deps.elapsed);
    const { store, now, elapsed, staleMsMax } = deps;
    const common = { staleMsMax, elapsed };
    this.#byHash = new Lookups({ ...common, load: (hash) => store.sessionByHash(hash, now()) });
    this.#byId = new Lookups({ ...common, load: (id) => store.session(id, now()) });
  }

  async ofRequest(request: IncomingMessage, cookieName: string): Promise<Session | undefined> {
    const token = sessionToken(request, cookieName);
    if (token === undefined || !TOKEN_PATTERN.test(token)) return undefined;
    const session = await this.#byHash.get(sha256(token));
    return session !== undefined && session.expiresAt > this.#deps.now() ? session : undefined;
  }

  async byId(id: string): Promise<Session | undefined> {
    const session = await this.#byId.get(id);
    return session !== undefined && session.expiresAt > this.#deps.now() ? session : undefined;
  }

  async start(signIn: SignIn, address: string): Promise<StartedSession | ApiError> {
    const { token, hash } = createToken();
    const now = this.#deps.now();
    const draft: NewSession = {
      id: createId('ses'),
      tokenHash: hash,
      createdAt: now,
      expiresAt: now + SESSION_TTL_MS,
    };
    const refusal =
      signIn.kind === 'token'
        ? await this.#startByLink(signIn.token, draft, address)
        : await this.#startByKeys(signIn, draft, address);
    if (refusal !== undefined) return refusal;
    const session = await this.byId(draft.id);
    return session === undefined ? unauthorized('The key has been revoked.') : { session, token };
  }

  async #startByLink(token: string, draft: NewSession, address: string): Promise<ApiError | undefined> {
    const { store, credentials } = this.#deps;
    const isToken = TOKEN_PATTERN.test(token);
    if (isToken && (await store.spendSignInToken(sha256(token), draft, SESSIONS_PER_ACCOUNT_MAX))) return undefined;
    const message =
      'This sign-in link was already used or has expired. Sign in with a key, or restart the service for a new link.';
    return credentials.refuseUnknown(address, message, 'token');
  }

  async #startByKeys(
    { apiKey, serviceKey }: { readonly apiKey: string | undefined; readonly serviceKey: string | undefined },
    draft: NewSession,
    address: string,
  ): Promise<ApiError | undefined> {
    const { credentials, store } = this.#deps;
    const api = apiKey === undefined ? null : await credentials.check(apiKey, 'api', address, 'apiKey');
    if (api instanceof ApiError) return api;
    const service =
      serviceKey === undefined ? null : await credentials.check(serviceKey, 'service', address, 'serviceKey');
    if (service instanceof ApiError) return service;
    const accountId = api?.accountId ?? service?.accountId;
    if (accountId === undefined)
      return new ApiError('invalid_request', 'An API key, a ServiceKey or a token is required.');
    if (service !== null && service.accountId !== accountId)
      return new ApiError('invalid_request', 'The two keys belong to different accounts.', { path: 'serviceKey' });
    for (const credential of [api, service]) {
      const waitMs = credential === null ? undefined : this.#signIns.count(credential.id);
      if (waitMs !== undefined) return tooMany('too_many_requests', 'Too many sign-ins with this key', waitMs);
    }
    const held: SessionCredentials = {
      accountId,
      apiCredentialId: api?.id ?? null,
      serviceCredentialId: service?.id ?? null,
    };
    await store.createSession(draft, held, SESSIONS_PER_ACCOUNT_MAX);
    return undefined;
  }

  /** Ends the session of a request. From then on its cookie is refused (AUTH-23). */
  async end(request: IncomingMessage, cookieName: string, session: Session): Promise<void> {
    await this.#deps.store.endSession(session.id);
    this.#byId.remove(session.id);
    this.#byHash.remove(sha256(sessionToken(request, cookieName) ?? ''));
  }
}

export interface SignedInDeps {
  readonly sessions: Sessions;
  readonly origins: AllowedOrigins;
  readonly cookieName: string;
}

/** Resolves with the session of a request from our own pages. Rejects with ApiError. */
export async function signedIn(
  { sessions, origins, cookieName }: SignedInDeps,
  request: IncomingMessage,
): Promise<Session> {
  const session = await sessions.ofRequest(request, cookieName);
  if (session === undefined) throw unauthorized('Not signed in.');
  const refusal = sessionOriginRefusal(request, origins);
  if (refusal !== undefined) throw refusal;
  return session;
}
