import { sessionState } from '@l4desk/protocol';
import type { CreditShortage } from '../messages.ts';

const session = sessionState.pick({ creditsExhausted: true });

/** The service looks at itself only; an answer that takes longer is none. */
const READINESS_MS = 3_000;

/** Where the session's account stands while it cannot pay for a single credit; null while it can. */
export async function sessionCredits(): Promise<CreditShortage['credits'] | null> {
  const answer = await fetch('/session', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
  const { creditsExhausted } = session.parse(await answer.json());
  if (creditsExhausted === undefined) return null;
  const { used, limit, resets_at: resetsAt } = creditsExhausted;
  return { used, limit, resetsAt };
}

/** What the service says of itself and its sources, unchecked. */
export async function readiness(): Promise<unknown> {
  const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
  return answer.json();
}
