import type { Live } from '../../../book-worker/live.ts';
import type { CanvasName } from '../../../book-worker/messages.ts';
import { followTokens } from '../../../ui/draw/token-colours.ts';
import { observePixels } from '../../../ui/observe-pixels.ts';
import type { CanvasTheme } from './theme.ts';

export type OpenCanvas<More = object> = More & {
  readonly kind: 'open';
  readonly canvas: OffscreenCanvas;
  readonly theme: CanvasTheme;
};

export type CanvasMessage =
  | { readonly kind: 'theme'; readonly theme: CanvasTheme }
  /** In CSS pixels; `ratio` device pixels each. */
  | { readonly kind: 'size'; readonly width: number; readonly height: number; readonly ratio: number }
  | { readonly kind: 'close' };

interface WorkerCanvasOptions<Open, Event> {
  readonly name: CanvasName;
  /** What the first message carries besides. */
  readonly open: Open;
  readonly theme: () => CanvasTheme;
  readonly onEvent: (event: Event) => void;
}

/** The page's end of a canvas that the book's worker paints: it fills a box, and is new for each box, because it can be handed over only once. */
export class WorkerCanvas<Message, Event, Open = object> {
  readonly element = document.createElement('canvas');
  readonly #port: MessagePort;
  readonly #sizes: ResizeObserver;
  readonly #stopTokens: () => void;

  constructor(box: HTMLElement, live: Live, { name, open, theme, onEvent }: WorkerCanvasOptions<Open, Event>) {
    this.element.className = 'absolute inset-0 size-full touch-none';
    box.append(this.element);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener('message', ({ data }: MessageEvent<Event>) => onEvent(data));
    port1.start();
    const canvas = this.element.transferControlToOffscreen();
    this.post({ kind: 'open', canvas, theme: theme(), ...open }, [canvas]);
    live.openCanvas(name, port2);
    this.#stopTokens = followTokens(document.documentElement, () => this.post({ kind: 'theme', theme: theme() }));
    this.#sizes = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.element;
      this.post({ kind: 'size', width, height, ratio: devicePixelRatio });
    });
    observePixels(this.#sizes, this.element);
  }

  post(message: Message | CanvasMessage | OpenCanvas<Open>, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  close(): void {
    this.#sizes.disconnect();
    this.#stopTokens();
    this.post({ kind: 'close' });
    this.#port.close();
    this.element.remove();
  }
}
