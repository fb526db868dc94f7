import type { IncomingMessage } from 'node:http';
import type { CredentialKind } from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import type { RequestHandler, Response } from 'express';
import { type AllowedOrigins, sessionOriginRefusal } from '../origins.ts';
import { notesOf } from '../request-log.ts';
import { type ClientAddress, type CredentialCheck, missingInSession, unauthorized } from './credential-check.ts';
import type { Authoriser, Endpoint, Principal } from './principal.ts';
import type { Sessions } from './sessions.ts';

export interface AuthoriserDeps {
  readonly credentials: CredentialCheck;
  readonly sessions: Sessions;
  readonly addressOf: ClientAddress;
  readonly origins: AllowedOrigins;
  readonly cookieName: string;
}

const NEEDED = { info: 'api', stream: 'api', usage: 'service' } as const satisfies Record<Endpoint, CredentialKind>;

/** The presented key and how it was sent, or the problem with how it was sent. */
type Presented = { readonly key: string; readonly via: 'bearer' | 'query' } | { readonly problem: string } | undefined;

/** Authorises requests by key or by session, under the rules of each endpoint (§5, D9, D10, D24, D34). */
export function createAuthoriser({
  credentials,
  sessions,
  addressOf,
  origins,
  cookieName,
}: AuthoriserDeps): Authoriser {
  async function byKey(presented: NonNullable<Presented>, request: IncomingMessage, endpoint: Endpoint) {
    if ('problem' in presented) return unauthorized(presented.problem);
    const credential = await credentials.check(presented.key, NEEDED[endpoint], addressOf(request));
    if (credential instanceof ApiError) return credential;
    const { accountId, id, kind } = credential;
    return { accountId, credentialId: id, kind, via: presented.via } satisfies Principal;
  }

  async function bySession(request: IncomingMessage, endpoint: Endpoint): Promise<Principal | ApiError | undefined> {
    const session = await sessions.ofRequest(request, cookieName);
    if (session === undefined) return undefined;
    const refusal = sessionOriginRefusal(request, origins, { upgrade: endpoint === 'stream' });
    if (refusal !== undefined) return refusal;
    const kind = NEEDED[endpoint];
    const credential = session[kind];
    if (credential === null) return missingInSession(kind);
    return { accountId: session.accountId, credentialId: credential.id, kind, via: 'session', sessionId: session.id };
  }

  return {
    async authorise(request, endpoint) {
      const presented = endpoint === 'stream' ? queryKey(request) : bearerKey(request);
      if (presented !== undefined) return byKey(presented, request, endpoint);
      return (await bySession(request, endpoint)) ?? unauthorized(MISSING[endpoint]);
    },

    async stillValid(principal) {
      if (principal.via !== 'session') return credentials.isActive(principal.credentialId);
      const session = await sessions.byId(principal.sessionId);
      return session?.[principal.kind]?.id === principal.credentialId;
    },
  };
}

const MISSING = {
  info: 'API key required: Authorization: Bearer <API_KEY>.',
  stream: 'API key required: /ws?key=<API_KEY>.',
  usage: 'ServiceKey required: Authorization: Bearer <SERVICE_KEY>.',
} as const satisfies Record<Endpoint, string>;

function bearerKey(request: IncomingMessage): Presented {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return key === undefined ? { problem: 'The Authorization header must be: Bearer <key>.' } : { key, via: 'bearer' };
}

function queryKey(request: IncomingMessage): Presented {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const keys = mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1)).getAll('key');
  const [key] = keys;
  if (key === undefined) return undefined;
  return keys.length === 1 ? { key, via: 'query' } : { problem: 'The key must be given only once.' };
}

/** Middleware that refuses an unauthorised request, before its body is read (D1). `principalOf` returns who is authorised. */
export function authorise(authoriser: Authoriser, endpoint: Endpoint): RequestHandler {
  return async (request, response, next) => {
    const principal = await authoriser.authorise(request, endpoint);
    if (principal instanceof ApiError) throw principal;
    notesOf(response).principal = principal;
    next();
  };
}

/** The principal of a request that `authorise` let through. */
export function principalOf(response: Response): Principal {
  const { principal } = notesOf(response);
  if (principal === undefined) throw new Error('the route does not authorise its requests');
  return principal;
}
