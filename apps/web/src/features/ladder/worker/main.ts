import type { CanvasName, FromWorker, ToWorker } from '../../../book-worker/messages.ts';
import { BookModel } from '../../../book-worker/worker/book-model.ts';
import type { CanvasBook } from '../../../book-worker/worker/canvases.ts';
import { serviceDeps } from '../../../book-worker/worker/service-deps.ts';
import { paintLadder } from '../canvas/paint-ladder.ts';
import { paintPrice } from '../price/paint-price.ts';

/** Entry point of the book's worker, which also paints what shows every block. */
const service = serviceDeps((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromWorker));

const PAINTERS: Readonly<Record<CanvasName, (port: MessagePort, book: CanvasBook) => void>> = {
  ladder: paintLadder,
  price: paintPrice,
};

const model = new BookModel({
  ...service,
  follow: (coin, onEvent) => service.follow([coin], onEvent),
  post: (message) => self.postMessage(message),
  paint: (name, port, book) => PAINTERS[name](port, book),
});

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => model.receive(data));
