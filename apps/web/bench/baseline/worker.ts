import type { FromWorker, ToWorker } from '../../src/book-worker/messages.ts';
import { BookModel } from '../../src/book-worker/worker/book-model.ts';
import { serviceDeps } from '../../src/book-worker/worker/service-deps.ts';
import { CHIPS, SLOTS } from './rows.ts';

/** The book's worker of the peer page: it sends the rows instead of painting them, one message at a time. */
const service = serviceDeps((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker));

const model = new BookModel({
  ...service,
  follow: (coin, onEvent) => service.follow([coin], onEvent),
  post: (message) => self.postMessage(message),
  paint: (_, port, book) => {
    let isShown = true;
    let isStale = false;
    const send = () => {
      const options = {
        mode: 'auto',
        held: false,
        recentre: false,
        lane: CHIPS,
        notional: 'none',
        flow: false,
      } as const;
      const rows = book.rows({ ...options, slots: SLOTS, tick: undefined, axis: undefined, without: undefined });
      if (rows === undefined) return;
      [isShown, isStale] = [false, false];
      port.postMessage(rows);
    };
    port.addEventListener('message', () => {
      isShown = true;
      if (isStale) send();
    });
    port.start();
    book.listen(() => {
      isStale = true;
      if (isShown) send();
    });
  },
});

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => model.receive(data));
