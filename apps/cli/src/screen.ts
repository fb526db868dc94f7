import type { TerminalSize } from './context.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

/** Minimum time between redraws, in ms; faster changes cannot be read. */
const REFRESH_MS = 100;

/** A part of the terminal that is redrawn in place. */
export class Screen implements Disposable {
  readonly #out: (text: string) => void;
  readonly #draw: (rows: number) => readonly string[];
  readonly #size: () => TerminalSize | undefined;
  #lines = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `draw` returns the lines for a terminal with this many rows. */
  constructor(
    out: (text: string) => void,
    size: () => TerminalSize | undefined,
    draw: (rows: number) => readonly string[],
  ) {
    this.#out = out;
    this.#size = size;
    this.#draw = draw;
    out(HIDE_CURSOR);
  }

  /** Schedules a redraw; changes until then are drawn together. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#paint();
    }, REFRESH_MS);
  }

  /** Draws the final state and restores the cursor. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#paint();
    this.#out(SHOW_CURSOR);
  }

  #paint(): void {
    const size = this.#size();
    // A terminal that was never given a size, such as that of `docker run -t` in a script, has 0 columns and rows.
    const columns = size?.columns || 80;
    const rows = size?.rows || 24;
    // A line that wraps, or one below the last row, would break the cursor movement of the next redraw.
    const lines = this.#draw(rows)
      .slice(0, rows - 1)
      .map((line) => line.slice(0, columns));
    const back = this.#lines === 0 ? '' : `\u001b[${this.#lines}F`;
    this.#out(`${back}${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines.length;
  }
}
