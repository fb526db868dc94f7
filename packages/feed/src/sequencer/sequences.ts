/** A coin's place in the epoch; it outlives leaving and joining again, or a sequence would be used twice. */
interface Sequence {
  seq: number;
  /** The coin was live in this epoch: clients may hold its book at `seq`. */
  used: boolean;
}

/** The sequences of an epoch, one for each coin (L4-26). */
export class Sequences {
  readonly #coins = new Map<string, Sequence>();

  of(coin: string): number {
    return this.#coins.get(coin)?.seq ?? 0;
  }

  /** The coin's next entry. */
  next(coin: string): { readonly seq: number; readonly prevSeq: number } {
    const sequence = this.#at(coin);
    const prevSeq = sequence.seq;
    sequence.seq += 1;
    return { seq: sequence.seq, prevSeq };
  }

  /** The coin has a new book: who holds its old one sees the gap (L4-27). */
  begin(coin: string): void {
    const sequence = this.#at(coin);
    if (sequence.used) sequence.seq += 1;
    sequence.used = true;
  }

  /** A new epoch: every sequence starts again (L4-19). */
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
