import { createClient, follow } from '@l4desk/client';
import { payingFetch } from '../../api/paying-fetch.ts';
import { readiness, sessionCredits } from '../worker/service-answers.ts';
import type { FromRadar, ToRadar } from './messages.ts';
import { RadarModel } from './radar-model.ts';

/** Entry point of the radar's worker: a connection of its own, with the session cookie, as the book's worker has. */
const client = createClient({
  baseUrl: self.location.origin,
  fetch: payingFetch((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromRadar)),
});

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
  readiness,
  credits: sessionCredits,
  now: Date.now,
  later: (callback, afterMs) => {
    setTimeout(callback, afterMs);
  },
});

self.addEventListener('message', (event: MessageEvent<ToRadar>) => model.receive(event.data));
