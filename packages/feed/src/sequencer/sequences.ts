/** A coin's sequence in the epoch. It is kept when the coin is left, so that no number is used twice after a rejoin. */
interface Sequence {
  seq: number;
  /** Whether the coin was live in this epoch, so that clients may hold its book at `seq`. */
  used: boolean;
}

/** The sequences of an epoch, one per coin (L4-26). */
export class Sequences {
  readonly #coins = new Map<string, Sequence>();

  of(coin: string): number {
    return this.#coins.get(coin)?.seq ?? 0;
  }

  /** Advances to the coin's next entry. */
  next(coin: string): { readonly seq: number; readonly prevSeq: number } {
    const sequence = this.#at(coin);
    const prevSeq = sequence.seq;
    sequence.seq += 1;
    return { seq: sequence.seq, prevSeq };
  }

  /** The coin has a new book: skips a number so that holders of the old book see a gap (L4-27). */
  begin(coin: string): void {
    const sequence = this.#at(coin);
    if (sequence.used) sequence.seq += 1;
    sequence.used = true;
  }

  /** A new epoch begins: restarts every sequence (L4-19). */
  clear(): void {
    this.#coins.clear();
  }

  #at(coin: string): Sequence {
    let sequence = this.#coins.get(coin);
    if (sequence === undefined) {
      sequence = { seq: 0, used: false };
      this.#coins.set(coin, sequence);
    }
    return sequence;
  }
}
