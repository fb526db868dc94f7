import type { Hold, LiveStatus } from '../messages.ts';
import type { BookAt, ShownBook } from './book-at.ts';

/** A copy of the book, held at its block. */
interface Frozen extends BookAt {
  readonly at: number;
  readonly asked: number | undefined;
}

interface HeldBookDeps {
  readonly live: () => BookAt | undefined;
  readonly now: () => number;
}

/** The book that the page is shown: the live one, or a copy held at a block. */
export class HeldBook {
  readonly #deps: HeldBookDeps;
  #frozen: Frozen | undefined;
  #hold: Hold | undefined;

  constructor(deps: HeldBookDeps) {
    this.#deps = deps;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  /** The book that every pane reads; undefined before there is one. */
  shown(): ShownBook | undefined {
    if (this.#frozen !== undefined) return { ...this.#frozen, frozen: true };
    const live = this.#deps.live();
    return live && { ...live, frozen: false };
  }

  frozenAt(): LiveStatus['frozen'] {
    const frozen = this.#frozen;
    return frozen && { ...frozen.position, at: frozen.at, asked: frozen.asked };
  }

  /** The block of this coin at which the book will be held. */
  holdAt(coin: string): number | undefined {
    return this.#hold?.coin === coin ? this.#hold.height : undefined;
  }

  wantHold(hold: Hold | undefined): void {
    this.#hold = hold;
  }

  freeze(asked?: number): void {
    const live = this.#deps.live();
    if (live === undefined) return this.release();
    this.#frozen = { book: live.book.copy(), position: live.position, at: this.#deps.now(), asked };
  }

  /** Shows a moment of the past; the given book must not change while it is shown. */
  show(there: BookAt): void {
    this.#frozen = { ...there, at: this.#deps.now(), asked: undefined };
  }

  release(): void {
    this.#frozen = undefined;
  }

  /**
   * Holds the book if the awaited block is reached, and returns whether it did. If that block was skipped, only the stream's next
   * block (`isNext`) may stand in for it: then the awaited one changed nothing.
   */
  holdIfThere(isNext: boolean): boolean {
    const hold = this.#hold;
    const live = this.#deps.live();
    if (hold === undefined || live === undefined || hold.coin !== live.book.coin) return false;
    const { height } = live.position;
    if (height < hold.height) return false;
    this.#hold = undefined;
    if (!isNext && height !== hold.height) return false;
    this.freeze(hold.height);
    return true;
  }
}
