import { createClient, follow } from '@l4desk/client';
import { payingFetch } from '../../api/paying-fetch.ts';
import type { FromRadar, ToRadar } from './messages.ts';
import { RadarModel } from './radar-model.ts';

/** Entry point of the radar's worker: a connection of its own, with the session cookie, as the book's worker has. */
const client = createClient({
  baseUrl: self.location.origin,
  fetch: payingFetch((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromRadar)),
});

/** The service looks at itself only; an answer that takes longer is none. */
const READINESS_MS = 3_000;

const model = new RadarModel({
  follow: (coins, onEvent) =>
    follow({
      client,
      coins,
      statuses: 'book',
      status: true,
      upstream: true,
      onEvent,
      settings: { pingMs: 2_000, deadAfterMs: 8_000 },
    }),
  post: (message) => self.postMessage(message),
  readiness: async () => {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(READINESS_MS) });
    return answer.json();
  },
  now: Date.now,
  later: (callback, afterMs) => {
    setTimeout(callback, afterMs);
  },
});

self.addEventListener('message', (event: MessageEvent<ToRadar>) => model.receive(event.data));
