import { createStore } from 'zustand';
import type { Live } from '../../../book-worker/live.ts';
import type { ShownBlock } from '../../../book-worker/panes.ts';

/** Approximate interval of live blocks: 15 a second. */
const BLOCK_MS = 67;

/**
 * Plays the kept blocks one by one from the shown one, until live again or a recording ends. React renders nothing while it
 * plays.
 *
 * Loop "play": the next step is sent once the last one is drawn; ends with the pause.
 */
export class Player {
  readonly #live: Pick<Live, 'book' | 'travel' | 'subscribe'>;
  readonly isPlaying = createStore(() => false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame: ShownBlock | undefined;

  constructor(live: Pick<Live, 'book' | 'travel' | 'subscribe'>) {
    this.#live = live;
  }

  /** Hears of the drawn frames until the returned function is called. */
  open(): () => void {
    const end = this.#live.subscribe(() => this.#onFrame());
    return () => {
      end();
      this.#stop();
    };
  }

  play(isPlaying: boolean): void {
    if (!isPlaying) return this.#stop();
    const { shown: frame, status } = this.#live.book();
    // A live book has no next block to step to.
    if (frame?.frozen !== true) return;
    const recorded = status?.recorded;
    this.isPlaying.setState(true);
    if (recorded === undefined || frame.height < recorded.to.height) return this.#stepAfter(frame);
    // From its end, a recording is played from its beginning.
    this.#frame = frame;
    this.#live.travel({ kind: 'height', height: recorded.from.height });
  }

  #onFrame(): void {
    if (!this.isPlaying.getState()) return;
    const { shown: frame, status } = this.#live.book();
    const recorded = status?.recorded;
    // The book is live again, or the next block cannot be read.
    if (frame?.frozen !== true || recorded?.problem !== undefined) return this.#stop();
    // Only the status has changed.
    if (frame === this.#frame) return;
    if (recorded !== undefined && frame.height >= recorded.to.height) return this.#stop();
    this.#stepAfter(frame);
  }

  #stepAfter(frame: ShownBlock): void {
    this.#frame = frame;
    clearTimeout(this.#timer);
    // From the live book, to which somebody may have returned meanwhile, a step forward leads nowhere else.
    this.#timer = setTimeout(() => this.#live.travel({ kind: 'step', blocks: 1 }), BLOCK_MS);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.isPlaying.setState(false);
  }
}
