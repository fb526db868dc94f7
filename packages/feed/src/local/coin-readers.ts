import { type CoinReader, NO_TEXTS_WANTED, type TextsWanted } from '../api.ts';

type Counts = Record<keyof TextsWanted, number>;

/** The readers of each coin's entries, and so which texts of them are made. */
export class CoinReaders {
  readonly #counts = new Map<string, Counts>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  of(coin: string): TextsWanted {
    const counts = this.#counts.get(coin);
    if (counts === undefined) return NO_TEXTS_WANTED;
    return { all: counts.all > 0, allDeflated: counts.allDeflated > 0, bookDeflated: counts.bookDeflated > 0 };
  }

  /** Adds a reader. The returned function removes it. */
  add(coin: string, reader: CoinReader): () => void {
    this.#count(coin, reader, 1);
    return () => this.#count(coin, reader, -1);
  }

  #count(coin: string, { statuses, deflate }: CoinReader, by: 1 | -1): void {
    const counts = this.#counts.get(coin) ?? { all: 0, allDeflated: 0, bookDeflated: 0 };
    if (statuses === 'all') counts.all += by;
    if (deflate) counts[statuses === 'all' ? 'allDeflated' : 'bookDeflated'] += by;
    if (counts.all + counts.bookDeflated > 0) this.#counts.set(coin, counts);
    else this.#counts.delete(coin);
  }
}
