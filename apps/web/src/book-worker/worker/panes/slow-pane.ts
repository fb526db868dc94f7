import type { L4Book } from '@l4desk/book';
import type { ShownBook } from './pane-context.ts';

/** Least time between two responses of a pane: a little less than the page's pace, so that it has one each time. */
const SLOW_PANE_MS = 150;

/** The part of a request by which it differs from the last one. */
interface SlowAsk {
  readonly serial: number;
  readonly chosen?: number | null;
}

/** What a pane has for the page: its response, that it will have a newer one soon, or nothing new. */
export type SlowTurn<Value> = { readonly response: Value } | 'later' | undefined;

/**
 * A pane with a response a few times a second: at once when its request or the shown book has changed, otherwise when it is due.
 * A response names its block. Requests are compared by serial and chosen row, because any change resends all of them.
 */
export class SlowPane<Ask extends SlowAsk, Value> {
  readonly #compute: (shown: ShownBook, ask: Ask, clock: number) => Value;
  readonly #everyMs: number;
  readonly #known: () => unknown;
  #serial: number | undefined;
  #chosen: number | null | undefined;
  #book: L4Book | undefined;
  #height: number | undefined;
  #knew: unknown;
  #at = Number.NEGATIVE_INFINITY;

  /** `known` returns a value that changes when more is known about the same block. */
  constructor(
    compute: (shown: ShownBook, ask: Ask, clock: number) => Value,
    {
      everyMs = SLOW_PANE_MS,
      known = () => undefined,
    }: { readonly everyMs?: number; readonly known?: () => unknown } = {},
  ) {
    this.#compute = compute;
    this.#everyMs = everyMs;
    this.#known = known;
  }

  respond(
    shown: ShownBook,
    ask: Ask | undefined,
    { at, clock }: { readonly at: number; readonly clock: number },
  ): SlowTurn<Value> {
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
    if (!isOther && !shown.frozen && dueInMs > 0) return 'later';
    this.#serial = serial;
    this.#chosen = chosen;
    this.#book = shown.book;
    this.#knew = known;
    this.#height = height;
    this.#at = at;
    return { response: this.#compute(shown, ask, clock) };
  }
}
