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

/** With this many due one is drawn a frame, with twice as many two: a slow display keeps up. */
const DUE_FEW = 4;

/** Where each frame has a block, every third one draws what is due all the same. */
const SKIPPED_MAX = 2;

/**
 * What is drawn a few times a second is drawn in frames of its own, between those that draw a block: so many at once would
 * hold up the ladder.
 *
 * Loop "turn": a turn asks for the next one only while something is due.
 */
export class DrawTurns {
  readonly #frames: DisplayFrames | undefined;
  /** What draws each of them, in the order in which they became due. */
  readonly #due = new Set<() => void>();
  #isAsked = false;
  #hasBlock = false;
  #skipped = 0;

  constructor(frames: DisplayFrames | undefined) {
    this.#frames = frames;
  }

  /** A block came: the next picture has enough to draw. */
  block(): void {
    this.#hasBlock = true;
  }

  /** Something is to be drawn: at its turn, and once, however often it is added until then. */
  add(draw: () => void): void {
    if (this.#frames === undefined || this.#frames.isHidden()) return draw();
    this.#due.add(draw);
    this.#ask();
  }

  /** Whether it still waits for its turn. */
  isDue(draw: () => void): boolean {
    return this.#due.has(draw);
  }

  /** It is drawn already, or is not to be drawn any more. */
  remove(draw: () => void): void {
    this.#due.delete(draw);
  }

  /** Draws it now, and not again for what came before. */
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
