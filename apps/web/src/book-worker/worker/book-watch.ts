import type { L4Book } from '@l4desk/book';
import type { CoinBatch } from '@l4desk/client';
import { RuleWatch, type WatchHit, type WatchPosition, type WatchRule } from '@l4desk/insight';
import type { Position } from '../position.ts';

/** Runs the person's rules on the followed book. */
export class BookWatch {
  readonly #onHits: (hits: readonly WatchHit[]) => void;
  #coin = '';
  #rules: readonly WatchRule[] = [];
  #watch: RuleWatch | undefined;

  constructor(onHits: (hits: readonly WatchHit[]) => void) {
    this.#onHits = onHits;
  }

  /** Replaces the rules; conditions that already hold do not fire. */
  setRules(rules: readonly WatchRule[], live: BookNow | undefined): void {
    this.#rules = rules;
    this.#begin(live);
  }

  follow(coin: string, live: BookNow | undefined): void {
    this.#coin = coin;
    this.#begin(live);
  }

  onBook({ book, position }: BookNow): void {
    if (this.#watch !== undefined) this.#tell(this.#watch.onBook(book, watchPosition(position)));
  }

  onBlock({ changes }: CoinBatch, position: Position): void {
    if (this.#watch !== undefined) this.#tell(this.#watch.onBlock(changes, watchPosition(position)));
  }

  /** Checks the rules on the current book; a few times a second is enough. */
  look(live: BookNow | undefined, suspicion: string | null): void {
    if (this.#watch === undefined || live === undefined) return;
    this.#tell(this.#watch.look(live.book, watchPosition(live.position), suspicion));
  }

  #begin(live: BookNow | undefined): void {
    this.#watch = this.#rules.length === 0 ? undefined : new RuleWatch(this.#coin, this.#rules);
    if (this.#watch === undefined || live === undefined) return;
    const position = watchPosition(live.position);
    this.#watch.onBook(live.book, position);
    this.#watch.look(live.book, position);
  }

  #tell(hits: readonly WatchHit[]): void {
    if (hits.length > 0) this.#onHits(hits);
  }
}

/** The live book and its position. */
export interface BookNow {
  readonly book: L4Book;
  readonly position: Position;
}

function watchPosition({ height, blockTime, epoch }: Position): WatchPosition {
  return { height, time: blockTime, epoch };
}
