/** Adds a draw to what is drawn in turns; it runs once, however often it is added before then. */
type AddDraw = (draw: () => void) => void;

const atOnce: AddDraw = (draw) => draw();

/** The fewest small draws in one frame; if more wait, a quarter of them, so that a slow display keeps up. */
const SMALL_DRAWS_PER_FRAME = 2;

/**
 * What may wait, drawn in one of the next frames: a frame that draws a block as well would take too long. It is drawn at once
 * while the page has no turns for it, or is hidden.
 */
export class DrawLater {
  #add = atOnce;
  readonly #small = new Set<() => void>();

  /** Draws in one of the next frames. */
  readonly draw = (draw: () => void): void => this.#add(draw);

  /** The same for a small drawing. There may be dozens: they share one turn at a time, two or a few in each. */
  readonly drawSmall = (draw: () => void): void => {
    this.#small.add(draw);
    this.#add(this.#drawSome);
  };

  /** Passes what may wait to `add`, until the returned function is called. */
  readonly with = (add: AddDraw): (() => void) => {
    this.#add = add;
    return () => {
      if (this.#add !== add) return;
      this.#add = atOnce;
      if (this.#small.size > 0) this.#drawSome();
    };
  };

  readonly #drawSome = (): void => {
    const count = Math.max(SMALL_DRAWS_PER_FRAME, Math.ceil(this.#small.size / 4));
    for (const draw of [...this.#small].slice(0, count)) {
      this.#small.delete(draw);
      draw();
    }
    if (this.#small.size > 0) this.#add(this.#drawSome);
  };
}

const page = new DrawLater();

/** What may wait on this page. */
export const { draw: drawLater, drawSmall: drawSmallLater, with: drawLaterWith } = page;
