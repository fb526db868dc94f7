import { L4Book } from '@l4desk/book';
import type { Hold, LiveStatus } from '../messages.ts';
import type { BookAt, ShownBook } from './panes/pane-context.ts';

/** A copy of the book, held at its block. */
interface Frozen extends BookAt {
  readonly at: number;
  readonly asked: number | undefined;
}

interface HeldBookDeps {
  readonly live: () => BookAt | undefined;
  readonly now: () => number;
}

/** Which book the page is shown: the live one, or a copy of it held at a block. */
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

  /** What every pane reads; undefined before there is a book. */
  shown(): ShownBook | undefined {
    if (this.#frozen !== undefined) return { ...this.#frozen, frozen: true };
    const live = this.#deps.live();
    return live && { ...live, frozen: false };
  }

  /** As the status says it. */
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

  /** The copy costs one build here, off the page's thread, and nothing afterwards. */
  freeze(asked?: number): void {
    const live = this.#deps.live();
    if (live === undefined) return this.release();
    const { book } = L4Book.build(live.book.coin, live.book.levels());
    this.#frozen = { book, position: live.position, at: this.#deps.now(), asked };
  }

  /** Shows a moment of the past; the book is not to change while it is shown. */
  show(there: BookAt): void {
    this.#frozen = { ...there, at: this.#deps.now(), asked: undefined };
  }

  release(): void {
    this.#frozen = undefined;
  }

  /**
   * Holds the book if the block waited for is there, and says whether it did. Of one gone by only the next block of the
   * stream (`isNext`) may take the place: the one waited for changed nothing.
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
