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

  onBlock({ changes }: CoinBatch, { book, position }: BookNow): void {
    if (this.#watch !== undefined) this.#tell(this.#watch.onBlock(changes, book, watchPosition(position)));
  }

  /** Takes the state of the feed, which changes without a block; a few times a second is enough. */
  onFeed(suspicion: string | null, live: BookNow | undefined): void {
    if (this.#watch === undefined || live === undefined) return;
    this.#tell(this.#watch.onFeed(suspicion, watchPosition(live.position)));
  }

  #begin(live: BookNow | undefined): void {
    this.#watch = this.#rules.length === 0 ? undefined : new RuleWatch(this.#coin, this.#rules);
    if (live !== undefined) this.#watch?.onBook(live.book, watchPosition(live.position));
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
