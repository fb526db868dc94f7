/** The browser's animation frames. */
export interface DisplayFrames {
  /** Calls back once, before the next frame is drawn. */
  readonly next: (callback: () => void) => void;
  /** The page is hidden: no frames are drawn. */
  readonly isHidden: () => boolean;
}

/** The page's animation frames; undefined outside a browser. */
export function pageFrames(): DisplayFrames | undefined {
  if (typeof requestAnimationFrame === 'undefined') return undefined;
  return { next: (callback) => void requestAnimationFrame(callback), isHidden: () => document.hidden };
}

/** Up to this many due draws, one runs per frame; up to twice as many, two per frame: so a slow display keeps up. */
const DUE_FEW = 4;

/** If every frame has a block, due draws run in every third frame anyway. */
const SKIPPED_MAX = 2;

/**
 * Panes that draw a few times a second, and everything else that may wait, draw in frames of their own, between the frames that
 * draw a block of any of the page's books: drawing all of it in the same frame would delay the ladder.
 *
 * Loop "turn": a turn requests the next one only while something is due.
 */
export class DrawTurns {
  readonly #frames: DisplayFrames | undefined;
  /** The due draw callbacks, in the order in which they became due. */
  readonly #due = new Set<() => void>();
  #isAsked = false;
  #hasBlock = false;
  #skipped = 0;

  constructor(frames: DisplayFrames | undefined) {
    this.#frames = frames;
  }

  /** A block arrived: the next frame already has enough to draw. */
  block(): void {
    this.#hasBlock = true;
  }

  /** Schedules a draw for its turn; it runs once, however often it is added before then. */
  add(draw: () => void): void {
    if (this.#frames === undefined || this.#frames.isHidden()) return draw();
    this.#due.add(draw);
    this.#ask();
  }

  /** Whether this draw is still waiting for its turn. */
  isDue(draw: () => void): boolean {
    return this.#due.has(draw);
  }

  /** Cancels a draw that already ran or is no longer needed. */
  remove(draw: () => void): void {
    this.#due.delete(draw);
  }

  /** Draws now and cancels a pending turn. */
  now(draw: () => void): void {
    this.remove(draw);
    draw();
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
    const drawn = isTaken ? [] : [...this.#due].slice(0, Math.ceil(this.#due.size / DUE_FEW));
    for (const draw of drawn) this.now(draw);
    if (this.#due.size > 0) this.#ask();
  }
}
