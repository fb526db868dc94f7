import type { Live } from '../../../book-worker/live.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** Approximate interval of live blocks: 15 a second. */
const BLOCK_MS = 67;

/** How long a block that is played from may take to be drawn. */
const START_MS = 2_000;

/** The marked blocks between which is played, by height. */
export interface PlayLoop {
  readonly from: number;
  readonly to: number;
}

/**
 * Plays the kept blocks one by one from the shown one, until live again or a recording ends; with a loop, from its first block to
 * its last and over again. An external store for React, which renders nothing while it plays.
 *
 * Loop "play": the next step is sent once the last one is drawn; ends with the pause.
 */
export class Player {
  readonly #live: Pick<Live, 'book' | 'travel' | 'subscribe' | 'isResuming'>;
  readonly #listeners = new Set<() => void>();
  #loop: PlayLoop | undefined;
  #isPlaying = false;
  /** A block was travelled to, and is played from once it is drawn. */
  #isStarting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The frame that was played last. */
  #frame: PanesFrame | undefined;

  constructor(live: Pick<Live, 'book' | 'travel' | 'subscribe' | 'isResuming'>) {
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

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly isPlaying = (): boolean => this.#isPlaying;

  /** Undefined plays to the end. */
  setLoop(loop: PlayLoop | undefined): void {
    this.#loop = loop;
  }

  play(isPlaying: boolean): void {
    if (!isPlaying) return this.#stop();
    const recorded = this.#live.book().status?.recorded;
    const height = this.#live.book().panes?.height ?? 0;
    if (recorded !== undefined && this.#loop === undefined && height >= recorded.to.height)
      return this.playFrom(recorded.from.height);
    this.#isStarting = true;
    this.#onFrame();
    // A live book has no next block to step to.
    if (!this.#isPlaying) this.#isStarting = false;
  }

  /** Goes to a block and plays from there. */
  playFrom(height: number): void {
    this.#stop();
    this.#isStarting = true;
    // Where nothing is kept, it is not held anywhere.
    this.#timer = setTimeout(() => this.#stop(), START_MS);
    this.#live.travel({ kind: 'height', height });
  }

  #onFrame(): void {
    if (!this.#isPlaying && !this.#isStarting) return;
    const { panes: frame, status } = this.#live.book();
    if (frame?.frozen !== true) {
      if (this.#isPlaying) this.#stop();
      return;
    }
    const recorded = status?.recorded;
    // The next block cannot be read.
    if (this.#isPlaying && recorded?.problem !== undefined) return this.#stop();
    // Only the status has changed.
    if (this.#isPlaying && frame === this.#frame) return;
    this.#frame = frame;
    clearTimeout(this.#timer);
    this.#isStarting = false;
    const end = recorded?.to.height;
    if (this.#loop === undefined && end !== undefined && frame.height >= end) return this.#stop();
    this.#set(true);
    this.#timer = setTimeout(() => this.#step(frame.height), BLOCK_MS);
  }

  #step(height: number): void {
    // A step would lead back from the live book that somebody has returned to meanwhile.
    if (this.#live.isResuming) return this.#stop();
    const loop = this.#loop;
    if (loop !== undefined && height >= loop.to) this.#live.travel({ kind: 'height', height: loop.from });
    else this.#live.travel({ kind: 'step', blocks: 1 });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#isStarting = false;
    this.#set(false);
  }

  #set(isPlaying: boolean): void {
    if (isPlaying === this.#isPlaying) return;
    this.#isPlaying = isPlaying;
    for (const listener of this.#listeners) listener();
  }
}
