/** A book that the service says it lost, as its log has it. */
export interface Loss {
  readonly coin: string;
  readonly reason: string;
  readonly detail: string;
}

/** Reads the lost books out of a growing log, each once. */
export class Losses {
  readonly #log: () => string;
  #last: string | undefined;

  constructor(log: () => string) {
    this.#log = log;
  }

  /** Those since the last call. */
  take(): readonly Loss[] {
    const lines = this.#log()
      .split('\n')
      .filter((line) => line.includes('"msg":"book lost"'));
    const fresh = this.#last === undefined ? lines : lines.slice(lines.lastIndexOf(this.#last) + 1);
    this.#last = lines.at(-1) ?? this.#last;
    return fresh.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Loss);
  }
}
