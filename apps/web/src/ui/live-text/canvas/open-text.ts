import { FORCED_COLOURS } from '../../../hooks/use-media.ts';
import { CanvasWorker } from '../../draw/canvas-worker.ts';
import { observePixels } from '../../observe-pixels.ts';
import type { TextLook, ToTextWorker } from './text-painter.ts';

/** The page's handle on a text that is drawn off its thread. */
export interface DrawnText {
  readonly canvas: HTMLCanvasElement;
  write(text: string): void;
  close(): void;
}

/** The canvas width grows in steps of this many characters, because resizing a canvas costs more than drawing on it. */
const ROOM = 8;
/** Upper bound of a character's width, as a factor of the font size. */
const LETTER = 0.625;

/**
 * A change of a box's style is noticed by the end of its transition, in the next frame. The transition also runs with reduced
 * motion, because nothing visibly moves. Polling the style instead would create strings that only a full garbage collection
 * frees.
 */
const LOOK_TRANSITION = 'color 1ms, font-weight 1ms, font-size 1ms, line-height 1ms';

/** The one worker for all live texts of the page, while there is a text. */
let drawing: TextWorker | undefined;

interface Listeners {
  /** The worker has started drawing. May be called before `openText` returns. */
  readonly onReady: () => void;
  /** The worker failed, and the canvas was removed. */
  readonly onFailure: () => void;
  /** The selection changed: whether it contains some of the box. */
  readonly onSelected: (isSelected: boolean) => void;
}

/**
 * Draws a line of text in a worker, on a canvas over `box`, in the box's colour and size. Returns undefined in a browser that
 * cannot do that.
 */
export function openText(box: HTMLElement, listeners: Listeners): DrawnText | undefined {
  const canvas = box.ownerDocument.createElement('canvas');
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return undefined;
  drawing ??= new TextWorker(() => {
    drawing = undefined;
  });
  canvas.className = 'pointer-events-none absolute top-0 left-0';
  box.append(canvas);
  return drawing.open(box, canvas, listeners);
}

interface OpenText extends Pick<Listeners, 'onReady' | 'onSelected'> {
  readonly box: HTMLElement;
  /** Reads the style of the box again. */
  readonly restyle: () => void;
}

class TextWorker {
  readonly #worker: CanvasWorker<ToTextWorker>;
  /** Texts not sent yet, by number: all texts of a block are sent in one message. */
  readonly #unsent = new Map<number, string>();
  readonly #texts = new Map<number, OpenText>();
  /** A box that was hidden, or whose device pixels change, fires no transition, so its size is observed too. */
  readonly #sizes: ResizeObserver;
  readonly #ending = new AbortController();
  #isReady = false;

  constructor(onEnd: () => void) {
    const restyleAll = () => {
      for (const { restyle } of this.#texts.values()) restyle();
    };
    // For boxes whose device pixels are not observed, and for forced colours, which start no transition.
    const { signal } = this.#ending;
    globalThis.addEventListener('resize', restyleAll, { signal });
    matchMedia(FORCED_COLOURS).addEventListener('change', restyleAll, { signal });
    document.addEventListener('selectionchange', () => this.#onSelection(), { signal });
    this.#sizes = new ResizeObserver((entries) => {
      const boxes = new Set(entries.map(({ target }) => target));
      for (const { box, restyle } of this.#texts.values()) if (boxes.has(box)) restyle();
    });
    this.#worker = new CanvasWorker(
      new Worker(new URL('./text-paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-texts' }),
      () => {
        this.#ending.abort();
        this.#sizes.disconnect();
        onEnd();
      },
    );
    this.#worker.onMessage(() => {
      if (this.#isReady) return;
      this.#isReady = true;
      for (const { onReady } of this.#texts.values()) onReady();
    });
  }

  open(box: HTMLElement, canvas: HTMLCanvasElement, { onReady, onFailure, onSelected }: Listeners): DrawnText {
    const worker = this.#worker;
    const ending = new AbortController();
    const end = () => {
      ending.abort();
      box.style.removeProperty('transition');
      canvas.remove();
    };
    const id = worker.add(() => {
      end();
      onFailure();
    });
    let characters = ROOM;
    let look = readLook(box, characters);
    place(canvas, look);
    const offscreen = canvas.transferControlToOffscreen();
    worker.post({ kind: 'open', id, canvas: offscreen, look }, [offscreen]);
    const restyle = () => {
      const now = readLook(box, characters);
      if (isSame(now, look)) return;
      look = now;
      place(canvas, look);
      worker.post({ kind: 'look', id, look });
    };
    box.style.setProperty('transition', LOOK_TRANSITION, 'important');
    box.addEventListener('transitionend', restyle, { signal: ending.signal });
    observePixels(this.#sizes, box);
    this.#texts.set(id, { box, restyle, onReady, onSelected });
    if (this.#isReady) onReady();
    return {
      canvas,
      write: (text) => {
        if (text.length > characters) {
          characters = Math.ceil(text.length / ROOM) * ROOM;
          restyle();
        }
        this.#write(id, text);
      },
      close: () => {
        end();
        this.#sizes.unobserve(box);
        this.#unsent.delete(id);
        this.#texts.delete(id);
        worker.remove(id, { kind: 'close', id });
      },
    };
  }

  #onSelection(): void {
    const selection = document.getSelection();
    const isEmpty = selection === null || selection.isCollapsed;
    for (const { box, onSelected } of this.#texts.values()) onSelected(!isEmpty && selection.containsNode(box, true));
  }

  #write(id: number, text: string): void {
    if (this.#unsent.size === 0) queueMicrotask(() => this.#send());
    this.#unsent.set(id, text);
  }

  #send(): void {
    if (this.#unsent.size > 0) this.#worker.post({ kind: 'write', texts: [...this.#unsent] });
    this.#unsent.clear();
  }
}

function readLook(box: HTMLElement, characters: number): TextLook {
  const { color, fontWeight, fontSize, lineHeight } = getComputedStyle(box);
  const size = Number.parseFloat(fontSize);
  const line = Number.parseFloat(lineHeight);
  const ratio = box.ownerDocument.defaultView?.devicePixelRatio ?? 1;
  const width = Math.ceil(characters * size * LETTER * ratio);
  return { color, weight: fontWeight, size, line, width, height: Math.round(line * ratio), ratio };
}

/** Sets the CSS size that matches the canvas's pixels, so that none of them is stretched. */
function place(canvas: HTMLCanvasElement, { width, height, ratio }: TextLook): void {
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
}

function isSame(one: TextLook, other: TextLook): boolean {
  return (Object.keys(one) as (keyof TextLook)[]).every((key) => one[key] === other[key]);
}
