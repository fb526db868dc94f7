import type { L4Book } from '@l4desk/book';
import type { ShownBook } from './pane-context.ts';

/** Time between two responses of a pane that is too expensive to compute for every block. */
const SLOW_PANE_MS = 250;

/** Total weight of the slow panes that may respond in one frame, unless they are overdue by `LATE_MS`. */
const WEIGHT_A_FRAME = 2;
const LATE_MS = 150;

/** One frame's budget for slow panes: all of them in the same frame would delay it, here and in the page. */
export class SlowTurns {
  #left = WEIGHT_A_FRAME;

  /** Whether a pane that has been due for this long may respond now. */
  take(dueForMs: number, weight = 1): boolean {
    if (this.#left < weight && dueForMs < LATE_MS) return false;
    this.#left -= weight;
    return true;
  }
}

/** The part of a request by which it differs from the last one. */
interface SlowAsk {
  readonly serial: number;
  readonly chosen?: number | null;
}

/** A slow pane's result for one frame: its response, or in how many ms it will be due. */
export type SlowTurn<Value> = { readonly response: Value } | { readonly dueInMs: number };

/**
 * A pane with a response a few times a second: at once when its request or the shown book has changed, otherwise when it is due.
 * A response names its block. Requests are compared by serial and chosen row, because any change resends all of them.
 */
export class SlowPane<Ask extends SlowAsk, Value> {
  readonly #compute: (shown: ShownBook, ask: Ask, clock: number) => Value;
  readonly #everyMs: number;
  readonly #weight: number;
  readonly #known: () => unknown;
  #serial: number | undefined;
  #chosen: number | null | undefined;
  #book: L4Book | undefined;
  #height: number | undefined;
  #knew: unknown;
  #at = Number.NEGATIVE_INFINITY;

  /**
   * `weight` is 2 for a pane that takes a frame's whole budget. `known` returns a value that changes when more is known about the
   * same block.
   */
  constructor(
    compute: (shown: ShownBook, ask: Ask, clock: number) => Value,
    {
      everyMs = SLOW_PANE_MS,
      weight = 1,
      known = () => undefined,
    }: { readonly everyMs?: number; readonly weight?: 1 | 2; readonly known?: () => unknown } = {},
  ) {
    this.#compute = compute;
    this.#everyMs = everyMs;
    this.#weight = weight;
    this.#known = known;
  }

  /** Returns the response if it is due, otherwise in how many ms it will be; `undefined` if there is nothing new. */
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
    const { serial, chosen } = ask;
    const known = this.#known();
    const isOther =
      serial !== this.#serial || chosen !== this.#chosen || shown.book !== this.#book || known !== this.#knew;
    if (!isOther && height === this.#height) return undefined;
    // A clock that was set back must not lengthen the wait.
    const dueInMs = Math.min(this.#everyMs, this.#at + this.#everyMs - at);
    if (!isOther && !shown.frozen && (dueInMs > 0 || !turns.take(-dueInMs, this.#weight)))
      return { dueInMs: Math.max(0, dueInMs) };
    this.#serial = serial;
    this.#chosen = chosen;
    this.#book = shown.book;
    this.#knew = known;
    this.#height = height;
    this.#at = at;
    return { response: this.#compute(shown, ask, clock) };
  }
}
