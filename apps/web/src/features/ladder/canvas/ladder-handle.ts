import type { Live } from '../../../book-worker/live.ts';
import type { LadderSnapshot } from '../snapshot.ts';
import type { FromScene, OpenScene, SceneCommand, SceneOptions, ScenePointer, ToScene } from './scene-types.ts';
import type { CanvasTheme } from './theme.ts';

/** The page's end of a ladder that the worker paints: sends what the person does, and hears what is under it. */
export class LadderHandle {
  readonly #port: MessagePort;
  readonly #ending = new AbortController();
  #snapshot: LadderSnapshot | undefined;
  /** By what Escape would clear. */
  readonly #clearable = { tool: false, band: false, lane: false };

  /** A canvas can be opened only once. */
  constructor(
    canvas: HTMLCanvasElement,
    live: Live,
    theme: CanvasTheme,
    options: SceneOptions,
    onEvent: (event: FromScene) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener(
      'message',
      ({ data }: MessageEvent<FromScene>) => {
        this.#note(data);
        onEvent(data);
      },
      { signal: this.#ending.signal },
    );
    port1.start();
    const offscreen = canvas.transferControlToOffscreen();
    port1.postMessage({ kind: 'open', canvas: offscreen, theme, options } satisfies OpenScene, [offscreen]);
    live.openCanvas('ladder', port2);
    this.#listen(canvas);
  }

  /** The rows that were last reported, at most half a second old. */
  get snapshot(): LadderSnapshot | undefined {
    return this.#snapshot;
  }

  run(command: SceneCommand): void {
    this.#post(command);
  }

  /** Clears what the keyboard points at or measures; returns false if there is nothing. */
  escape(): boolean {
    this.#post({ kind: 'escape' });
    return Object.values(this.#clearable).includes(true);
  }

  setTheme(theme: CanvasTheme): void {
    this.#post({ kind: 'theme', theme });
  }

  setOptions(options: SceneOptions): void {
    this.#post({ kind: 'options', options });
  }

  resize(width: number, height: number, ratio: number): void {
    this.#post({ kind: 'size', width, height, ratio });
  }

  close(): void {
    this.#ending.abort();
    this.#post({ kind: 'close' });
    this.#port.close();
  }

  #post(message: ToScene): void {
    this.#port.postMessage(message);
  }

  #note(event: FromScene): void {
    if (event.kind === 'view') this.#snapshot = event.view.snapshot;
    else if (event.kind === 'tool') this.#clearable.tool = event.tool !== 'scroll';
    else if (event.kind === 'band') this.#clearable.band = event.band !== undefined;
    else if (event.kind === 'lane') this.#clearable.lane = event.lane?.by === 'keyboard';
  }

  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#ending;
    const send = (type: ScenePointer['type']) => (event: PointerEvent) => {
      const { offsetX: x, offsetY: y, pointerId, pointerType, timeStamp } = event;
      this.#post({ kind: 'pointer', type, x, y, pointerId, pointerType, at: performance.timeOrigin + timeStamp });
    };
    const press = send('down');
    canvas.addEventListener('pointerenter', send('move'), { signal });
    canvas.addEventListener('pointermove', send('move'), { signal });
    canvas.addEventListener('pointerleave', send('leave'), { signal });
    canvas.addEventListener('pointercancel', send('leave'), { signal });
    canvas.addEventListener('pointerup', send('up'), { signal });
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        press(event);
        canvas.setPointerCapture(event.pointerId);
      },
      { signal },
    );
    canvas.addEventListener(
      'wheel',
      (event) => {
        // With Control held, the wheel zooms the browser.
        if (event.ctrlKey || event.deltaY === 0) return;
        event.preventDefault();
        this.#post({ kind: 'wheel', by: event.deltaY, isRows: event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL });
      },
      { signal, passive: false },
    );
  }
}
