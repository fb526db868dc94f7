import type { SlowFrames } from '../../book-worker/use-slow-pane.ts';
import type { LiveSource } from '../../ui/live-grid/live-grid.tsx';
import type { LiveRows } from '../../ui/live-grid/live-view.ts';

/** The rows of a slow pane as a store: those of its last response, or the ones that keep their places (WEB-171). */
export abstract class HeldRows<Row> implements LiveSource<Row> {
  protected readonly frames: SlowFrames;
  protected isHeld = false;
  readonly #listeners = new Set<() => void>();

  constructor(frames: SlowFrames) {
    this.frames = frames;
  }

  abstract readonly read: () => LiveRows<Row>;

  /** The rows are held from now on, or no longer: those that were computed before are no longer valid. */
  protected abstract forget(): void;

  readonly subscribe = (listener: () => void): (() => void) => {
    const end = this.frames.subscribe(listener);
    this.#listeners.add(listener);
    return () => {
      end();
      this.#listeners.delete(listener);
    };
  };

  /** From now on the rows are held, or no longer. */
  hold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.forget();
    for (const listener of this.#listeners) listener();
  }
}
