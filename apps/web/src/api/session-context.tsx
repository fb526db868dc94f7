import type { SessionState } from '@l4desk/protocol';
import { requiredContext } from '../hooks/required-context.ts';

export const [SessionProvider, useSession] = requiredContext<SessionState>('The session');
