import type { ByteReader, ByteWriter } from './bytes.ts';

/** A table of texts that repeat, filled as they first occur: an index equal to its size announces a new one. */
export class WordsWriter {
  readonly #indexes = new Map<string, number>();

  clear(): void {
    this.#indexes.clear();
  }

  /** Writes the index of a word and returns it; `define` writes the word itself where it is new. */
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

  /** The index of a word, undefined where it has none yet. */
  indexOf(word: string): number | undefined {
    return this.#indexes.get(word);
  }
}

/** Reads what `WordsWriter` wrote; `T` is what a word stands for. */
export class WordsReader<T> {
  #words: T[] = [];

  clear(): void {
    this.#words = [];
  }

  /** Reads an index, and the word behind it where it is new. */
  read(indexes: ByteReader, define: () => T): number {
    const index = indexes.varint();
    if (index === this.#words.length) this.#words.push(define());
    return index;
  }

  /** The word at an index; undefined where there is none. */
  at(index: number): T | undefined {
    return this.#words[index];
  }
}
