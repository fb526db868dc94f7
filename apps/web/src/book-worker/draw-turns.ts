import type { SlowPaneName } from './panes.ts';

/** When the browser draws. */
export interface DisplayFrames {
  /** Calls back before the next picture, once. */
  readonly next: (callback: () => void) => void;
  /** Nothing is drawn now. */
  readonly isHidden: () => boolean;
}

/** Those of the page; undefined where there is none. */
export function pageFrames(): DisplayFrames | undefined {
  if (typeof requestAnimationFrame === 'undefined') return undefined;
  return { next: (callback) => void requestAnimationFrame(callback), isHidden: () => document.hidden };
}

/** With this many panes due one is drawn a frame, with twice as many two: a slow display keeps up. */
const DUE_FEW = 4;

/** Where each frame has a block, every third one draws what is due all the same. */
const SKIPPED_MAX = 2;

/**
 * Panes with a response a few times a second draw what came in frames of their own, between those that draw a block: so
 * many at once would hold up the ladder.
 *
 * Loop "turn": a turn asks for the next one only while a pane is due.
 */
export class DrawTurns {
  readonly #draw: (name: SlowPaneName) => void;
  readonly #frames: DisplayFrames | undefined;
  /** In the order in which their responses came. */
  readonly #due = new Set<SlowPaneName>();
  #isAsked = false;
  #hasBlock = false;
  #skipped = 0;

  constructor(draw: (name: SlowPaneName) => void, frames: DisplayFrames | undefined) {
    this.#draw = draw;
    this.#frames = frames;
  }

  /** A block came: the next picture has enough to draw. */
  block(): void {
    this.#hasBlock = true;
  }

  /** A response came for this pane. */
  add(name: SlowPaneName): void {
    if (this.#frames === undefined || this.#frames.isHidden()) return this.#draw(name);
    this.#due.add(name);
    this.#ask();
  }

  /** Draws a pane now, and not again for a response that came before. */
  now(name: SlowPaneName): void {
    this.#due.delete(name);
    this.#draw(name);
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#frames?.next(() => this.#turn());
  }

  #turn(): void {
    this.#isAsked = false;
    const isTaken = this.#hasBlock && this.#skipped < SKIPPED_MAX;
    this.#hasBlock = false;
    this.#skipped = isTaken ? this.#skipped + 1 : 0;
    const names = isTaken ? [] : [...this.#due].slice(0, Math.ceil(this.#due.size / DUE_FEW));
    for (const name of names) this.now(name);
    if (this.#due.size > 0) this.#ask();
  }
}
