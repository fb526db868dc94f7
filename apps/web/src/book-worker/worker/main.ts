import type { FromWorker, ToWorker } from '../messages.ts';
import { WireWriter } from '../wire.ts';
import { BookModel } from './book-model.ts';
import { serviceDeps } from './service-deps.ts';

/** Entry point of the book's worker. */
const service = serviceDeps((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker));

const wire = new WireWriter();

const model = new BookModel({
  ...service,
  follow: (coin, onEvent) => service.follow([coin], onEvent),
  post: (message, transfer) => {
    const wired = wire.write(message);
    self.postMessage(wired, { transfer: wired.kind === 'frame' ? [...transfer, wired.panes.buffer] : [...transfer] });
  },
});

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'ask' && data.spent !== undefined) wire.takeBack(data.spent);
  model.receive(data);
});
