import type { Live } from '../../../book-worker/live.ts';
import { onLongPress } from '../menu/long-press.ts';
import type { LadderSnapshot } from '../snapshot.ts';
import type { FromScene, SceneCommand, SceneOptions, ScenePointer, ToScene } from './scene-types.ts';
import type { CanvasTheme } from './theme.ts';
import { WorkerCanvas } from './worker-canvas.ts';

/** A ladder that the worker paints: sends what the person does, and receives what is under it. */
export class LadderHandle {
  readonly #canvas: WorkerCanvas<ToScene, FromScene, { readonly options: SceneOptions }>;
  readonly #ending = new AbortController();
  #snapshot: LadderSnapshot | undefined;
  /** What Escape would clear. */
  readonly #clearable = { tool: false, band: false, lane: false };

  constructor(
    box: HTMLElement,
    live: Live,
    theme: () => CanvasTheme,
    options: SceneOptions,
    onEvent: (event: FromScene) => void,
  ) {
    this.#canvas = new WorkerCanvas(box, live, {
      name: 'ladder',
      open: { options },
      theme,
      onEvent: (event) => {
        this.#note(event);
        if (!this.#ending.signal.aborted) onEvent(event);
      },
    });
    this.#listen(this.#canvas.element);
  }

  /** The rows that were last reported, at most half a second old. */
  get snapshot(): LadderSnapshot | undefined {
    return this.#snapshot;
  }

  run(command: SceneCommand): void {
    this.#post(command);
  }

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

  close(): void {
    this.#ending.abort();
    this.#canvas.close();
  }

  #post(message: ToScene): void {
    this.#canvas.post(message);
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
    const openMenu = (event: MouseEvent) => {
      event.preventDefault();
      const { offsetX: x, offsetY: y, timeStamp } = event;
      this.#post({ kind: 'menu', x, y, at: performance.timeOrigin + timeStamp });
      return true;
    };
    canvas.addEventListener('contextmenu', openMenu, { signal });
    onLongPress(canvas, signal, openMenu);
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
