import type { FromWorker, ToWorker } from '../messages.ts';
import { BookModel } from './book-model.ts';
import { serviceDeps } from './service-deps.ts';

/** Entry point of the book's worker. */
const service = serviceDeps((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker));

const model = new BookModel({
  ...service,
  follow: (coin, onEvent) => service.follow([coin], onEvent),
  post: (message, transfer) => self.postMessage(message, { transfer: [...transfer] }),
});

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => model.receive(data));
