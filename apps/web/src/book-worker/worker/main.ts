import { createClient, follow } from '@l4desk/client';
import { payingFetch } from '../../api/paying-fetch.ts';
import type { FromWorker, ToWorker } from '../messages.ts';
import { BookModel } from './book-model.ts';
import { readiness, sessionCredits } from './service-answers.ts';

/**
 * Entry point of the worker. It holds no key: its calls and its socket go to the page's own origin and carry the
 * session cookie.
 */
const client = createClient({
  baseUrl: self.location.origin,
  fetch: payingFetch((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker)),
});

const model = new BookModel({
  follow: (coin, onEvent) =>
    follow({
      client,
      coins: [coin],
      statuses: 'book',
      status: true,
      upstream: true,
      executions: true,
      onEvent,
      settings: { pingMs: 2_000, deadAfterMs: 8_000 },
    }),
  post: (message, transfer) => self.postMessage(message, { transfer: [...transfer] }),
  readiness,
  credits: sessionCredits,
  now: Date.now,
  later: (callback, afterMs) => {
    setTimeout(callback, afterMs);
  },
});

self.addEventListener('message', (event: MessageEvent<ToWorker>) => model.receive(event.data));
