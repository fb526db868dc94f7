import type { L4Book } from '@l4desk/book';
import type { ShownBook } from './pane-context.ts';

/** Between two responses of a pane that costs too much for every block. */
const SLOW_PANE_MS = 250;

/** What slow panes may weigh whose responses are in one frame, unless they have waited for this long since they were due. */
const WEIGHT_A_FRAME = 2;
const LATE_MS = 150;

/** One frame's room for slow panes: all of them with the same frame would make that one late, here and in the page. */
export class SlowTurns {
  #left = WEIGHT_A_FRAME;

  /** Whether a pane that has been due for so long may respond now. */
  take(dueForMs: number, weight = 1): boolean {
    if (this.#left < weight && dueForMs < LATE_MS) return false;
    this.#left -= weight;
    return true;
  }
}

/** What a slow pane says when a frame is made: its response, or in how many ms it will be due. */
export type SlowTurn<Value> = { readonly response: Value } | { readonly dueInMs: number };

/**
 * A pane with a response a few times a second: at once when what it asks or the shown book has changed, else when its turn
 * comes. A response says which block it is of. Asks are told apart by their serials: all of them come anew with each change of
 * any.
 */
export class SlowPane<Ask extends { readonly serial: number }, Value> {
  readonly #compute: (shown: ShownBook, ask: Ask, clock: number) => Value;
  readonly #everyMs: number;
  readonly #weight: number;
  #serial: number | undefined;
  #book: L4Book | undefined;
  #height: number | undefined;
  #at = Number.NEGATIVE_INFINITY;

  /** `weight` is 2 for a pane that has a frame to itself. */
  constructor(
    compute: (shown: ShownBook, ask: Ask, clock: number) => Value,
    { everyMs = SLOW_PANE_MS, weight = 1 }: { readonly everyMs?: number; readonly weight?: 1 | 2 } = {},
  ) {
    this.#compute = compute;
    this.#everyMs = everyMs;
    this.#weight = weight;
  }

  /** The response if it is due, else in how many ms it will be; `undefined` where there is nothing new to say. */
  respond(
    shown: ShownBook,
    ask: Ask | undefined,
    { at, clock }: { readonly at: number; readonly clock: number },
    turns = new SlowTurns(),
  ): SlowTurn<Value> | undefined {
    if (ask === undefined) {
      this.#serial = undefined;
      return undefined;
    }
    const { height } = shown.position;
    const isOther = ask.serial !== this.#serial || shown.book !== this.#book;
    if (!isOther && height === this.#height) return undefined;
    // A clock that was set back makes nobody wait longer.
    const dueInMs = Math.min(this.#everyMs, this.#at + this.#everyMs - at);
    if (!isOther && !shown.frozen && (dueInMs > 0 || !turns.take(-dueInMs, this.#weight)))
      return { dueInMs: Math.max(0, dueInMs) };
    this.#serial = ask.serial;
    this.#book = shown.book;
    this.#height = height;
    this.#at = at;
    return { response: this.#compute(shown, ask, clock) };
  }
}
