import type { SessionState } from '@l4desk/protocol';
import { requiredContext } from '../hooks/required-context.ts';

/** Who is signed in, with which credentials, and the kind of service. */
export const [SessionProvider, useSession] = requiredContext<SessionState>('The session');
