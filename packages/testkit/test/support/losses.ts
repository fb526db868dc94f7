/** A book that the service reports as lost in its log. */
export interface Loss {
  readonly coin: string;
  readonly reason: string;
  readonly detail: string;
}

/** Reads the lost books from a growing log, each once. */
export class Losses {
  readonly #log: () => string;
  #last: string | undefined;

  constructor(log: () => string) {
    this.#log = log;
  }

  /** Returns those since the last call. */
  take(): readonly Loss[] {
    const lines = this.#log()
      .split('\n')
      .filter((line) => line.includes('"msg":"book lost"'));
    const fresh = this.#last === undefined ? lines : lines.slice(lines.lastIndexOf(this.#last) + 1);
    this.#last = lines.at(-1) ?? this.#last;
    return fresh.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Loss);
  }
}
