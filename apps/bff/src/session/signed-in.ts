import type { IncomingMessage } from 'node:http';
import type { Session } from '@l4desk/ledger';
import { unauthorized } from '../http/auth/credential-check.ts';
import type { Sessions } from '../http/auth/sessions.ts';
import { type AllowedOrigins, sessionOriginRefusal } from '../http/origins.ts';

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
