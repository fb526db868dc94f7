import { createClient, follow } from '@l4desk/client';
import { sessionState } from '@l4desk/protocol';
import { payingFetch } from '../../api/paying-fetch.ts';
import type { FromWorker, ToWorker } from '../messages.ts';
import { BookModel } from './book-model.ts';

/**
 * Entry point of the worker. It holds no key: its calls and its socket go to the page's own origin and carry the
 * session cookie.
 */
const client = createClient({
  baseUrl: self.location.origin,
  fetch: payingFetch((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker)),
});

const session = sessionState.pick({ creditsExhausted: true });

/** The service looks at itself only; an answer that takes longer is none. */
const READINESS_MS = 3_000;

const model = new BookModel({
  follow: (coin, onEvent) =>
    follow({
      client,
      coins: [coin],
      statuses: 'book',
      status: true,
      upstream: true,
      onEvent,
      settings: { pingMs: 2_000, deadAfterMs: 8_000 },
    }),
  post: (message, transfer) => self.postMessage(message, { transfer: [...transfer] }),
  readiness: async () => {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
    return answer.json();
  },
  credits: async () => {
    const answer = await fetch('/session', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
    const { creditsExhausted } = session.parse(await answer.json());
    if (creditsExhausted === undefined) return null;
    const { used, limit, resets_at: resetsAt } = creditsExhausted;
    return { used, limit, resetsAt };
  },
  now: Date.now,
  later: (callback, afterMs) => {
    setTimeout(callback, afterMs);
  },
});

self.addEventListener('message', (event: MessageEvent<ToWorker>) => model.receive(event.data));
