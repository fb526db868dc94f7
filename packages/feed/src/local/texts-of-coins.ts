import { NO_TEXTS_WANTED, type TextsWanted } from '../api.ts';

/** Which texts of each coin have a reader. */
export class TextsOfCoins {
  readonly #wanted = new Map<string, TextsWanted>();

  /** Coins with a reader of more than the text that is always made. */
  get coins(): ReadonlyMap<string, TextsWanted> {
    return this.#wanted;
  }

  of(coin: string): TextsWanted {
    return this.#wanted.get(coin) ?? NO_TEXTS_WANTED;
  }

  set(coin: string, wanted: TextsWanted): void {
    if (wanted.all || wanted.allDeflated || wanted.bookDeflated) this.#wanted.set(coin, wanted);
    else this.#wanted.delete(coin);
  }
}
