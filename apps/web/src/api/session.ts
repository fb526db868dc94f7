import {
  type SessionCoins,
  type SessionRequest,
  type SessionState,
  type SessionWallets,
  sessionCoins,
  sessionState,
  sessionWallets,
  signedOutState,
  z,
} from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { command, isSignedOut, request } from './request.ts';

const sessionOrSignedOut = z.union([sessionState, signedOutState]);

/** Returns who is signed in; null if nobody is: the browser has no session, or its session has ended. */
export async function loadSession(): Promise<SessionState | null> {
  try {
    const state = await request('/session', sessionOrSignedOut);
    return state.account === null ? null : state;
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}

/** How often an empty list of coins is loaded again, in ms; the call is free. */
const COINS_EVERY_MS = 2_000;

/**
 * The perp coins that have a book, in the exchange's order. Empty while the service does not know them: its upstream has not
 * responded yet.
 *
 * Loop "coins": one call per 2 s while a page shows an empty list, until it has coins.
 */
export const coinsQuery = queryOptions({
  queryKey: ['session', 'coins'],
  queryFn: ({ signal }): Promise<SessionCoins> => request('/session/coins', sessionCoins, { signal }),
  // The service refreshes its universe every minute.
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data?.coins.length === 0 ? COINS_EVERY_MS : false),
});

/** Example wallets of the simulated exchange; only the demo has them. */
export const exampleWalletsQuery = queryOptions({
  queryKey: ['session', 'wallets'],
  queryFn: ({ signal }): Promise<SessionWallets> => request('/session/wallets', sessionWallets, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Exchanges a credential, or the one-time token of a sign-in link, for a session cookie. */
export function signIn(credentials: SessionRequest): Promise<SessionState> {
  return request('/session', sessionState, { method: 'POST', body: credentials });
}

export function signOut(): Promise<void> {
  return command('/session', { method: 'DELETE' });
}
