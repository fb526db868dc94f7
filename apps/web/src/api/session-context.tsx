import type { SessionState } from '@l4desk/protocol';
import { createContext, use } from 'react';

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Hands the session to the pages inside. */
export const SessionProvider = SessionContext.Provider;

/** Who is signed in, with which credentials, and what the service is. */
export function useSession(): SessionState {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession outside SessionProvider');
  return session;
}
