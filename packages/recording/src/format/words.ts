import type { ByteReader, ByteWriter } from './bytes.ts';

/** A table of repeated texts, filled as they first occur. An index equal to the table's size announces a new text. */
export class WordsWriter {
  readonly #indexes = new Map<string, number>();

  clear(): void {
    this.#indexes.clear();
  }

  /** Writes the index of a word and returns it. `define` writes the word itself if it is new. */
  write(word: string, indexes: ByteWriter, define: (word: string) => void): number {
    const found = this.#indexes.get(word);
    const index = found ?? this.#indexes.size;
    indexes.varint(index);
    if (found === undefined) {
      this.#indexes.set(word, index);
      define(word);
    }
    return index;
  }

  /** Returns the index of a word, or undefined if it has none yet. */
  indexOf(word: string): number | undefined {
    return this.#indexes.get(word);
  }
}

/** Reads what `WordsWriter` wrote. `T` is the decoded form of a word. */
export class WordsReader<T> {
  #words: T[] = [];

  clear(): void {
    this.#words = [];
  }

  /** Reads an index, followed by the word itself if it is new. */
  read(indexes: ByteReader, define: () => T): number {
    const index = indexes.varint();
    if (index === this.#words.length) this.#words.push(define());
    return index;
  }

  /** Returns the word at an index, or undefined if there is none. */
  at(index: number): T | undefined {
    return this.#words[index];
  }
}
