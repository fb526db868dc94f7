import { createClient, type FollowEvent, follow } from '@l4desk/client';
import { sessionState } from '@l4desk/protocol';
import { payingFetch } from '../../api/paying-fetch.ts';
import type { CreditShortage } from '../messages.ts';

/** Requires an account: a session without one says nothing about credits. */
const session = sessionState.pick({ account: true, creditsExhausted: true });

/** The endpoints use only the service's own state; a response that takes longer counts as none. */
const READINESS_MS = 3_000;

/** The credits of the session's account while it cannot pay for a single one; null while it can. */
async function sessionCredits(): Promise<CreditShortage['credits'] | null> {
  const response = await fetch('/session', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
  const { creditsExhausted } = session.parse(await response.json());
  if (creditsExhausted === undefined) return null;
  const { used, limit, resets_at: resetsAt } = creditsExhausted;
  return { used, limit, resetsAt };
}

/** The service's report on itself and its sources, unchecked. */
async function readiness(): Promise<unknown> {
  const response = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
  return response.json();
}

/**
 * What a worker needs of the service, over its own connection. It holds no key: its calls and its socket go to the page's own
 * origin and carry the session cookie.
 */
export function serviceDeps(onPaid: (credits: number) => void) {
  const client = createClient({ baseUrl: self.location.origin, fetch: payingFetch(onPaid) });
  const shared = { client, statuses: 'book', status: true, upstream: true } as const;
  const settings = { pingMs: 2_000, deadAfterMs: 8_000 };
  return {
    follow: (coins: readonly string[], onEvent: (event: FollowEvent) => void) =>
      follow({ ...shared, coins, onEvent, settings }),
    readiness,
    credits: sessionCredits,
    now: Date.now,
    later: (callback: () => void, afterMs: number) => {
      setTimeout(callback, afterMs);
    },
  };
}
