import {
  type BlockMark,
  FLOW_SPANS_MS,
  type FlowEvent,
  FlowWindow,
  History,
  placeAtHeight,
  placeAtTime,
  placeOfMark,
} from '@l4desk/insight';
import type { CoinBatch } from '@l4desk/protocol';
import type { TravelTo } from '../../panes/past.ts';
import type { Position } from '../../position.ts';
import type { BookAt, ShownBook } from '../book-at.ts';
import type { RecordedLine } from '../recorded/recorded-line.ts';

/** A new book is copied after the page has received its first frame. */
const BEGIN_AFTER_MS = 50;

export interface PastDeps {
  readonly live: () => BookAt | undefined;
  /** Why the last book was lost. */
  readonly reason: () => string;
  readonly later: (task: () => void, ms: number) => void;
  /** A new book is kept from now on. */
  readonly onBegun: () => void;
}

/** The last minutes of the followed coin, kept beside the live book and shown on time travel. */
export class Past {
  readonly #deps: PastDeps;
  readonly windows: readonly FlowWindow[] = [0, ...FLOW_SPANS_MS].map((spanMs) => new FlowWindow(spanMs));
  /** The recording shown in place of the kept minutes. */
  recorded: RecordedLine | undefined;
  #history = new History('');
  #isBegun = false;
  #begins = 0;

  constructor(deps: PastDeps) {
    this.#deps = deps;
  }

  /** The shown history: of the recording, or the kept minutes; its `first` is -1 while it is empty. */
  get line(): History {
    return this.recorded?.line ?? this.#history;
  }

  /** The kept minutes, whatever is shown. */
  get kept(): History {
    return this.#history;
  }

  follow(coin: string): void {
    this.#history = new History(coin);
    this.#isBegun = false;
    this.#begins += 1;
  }

  /** A new book was built. Blocks that arrive before it is copied become part of the copy. */
  onBook(): void {
    this.#isBegun = false;
    this.#begins += 1;
    const begin = this.#begins;
    this.#deps.later(() => {
      if (begin === this.#begins) this.#begin();
    }, BEGIN_AFTER_MS);
  }

  onBlock(batch: CoinBatch): void {
    if (!this.#isBegun) return;
    if (this.#history.add(batch) === undefined) this.onBook();
  }

  /** The book at another moment; undefined if that is the live one, or nothing is kept. */
  travel(to: TravelTo, shown: ShownBook): BookAt | undefined {
    const line = this.#history;
    if (line.first < 0) return undefined;
    const place = this.placeOf(shown) ?? placeAtHeight(line, shown.position.height);
    const wanted = placeAfter(line, to, place);
    if (wanted > line.last) return undefined;
    return this.bookAt(Math.max(line.first, wanted));
  }

  bookAt(place: number): BookAt {
    const { line } = this;
    const { time, ...mark } = line.markAt(place);
    return { book: line.bookAt(place), position: { ...mark, blockTime: time }, place };
  }

  /** The place of a shown book; undefined if its block is not among the kept ones. */
  placeOf({ position, place }: Pick<BookAt, 'position' | 'place'>): number | undefined {
    const { line } = this;
    const isThere = place !== undefined && line.first >= 0 && place >= line.first && place <= line.last;
    return isThere && isAt(line.markAt(place), position) ? place : placeOfMark(line, position);
  }

  /** What moved in the last `spanMs` (one of the windows) up to a block; undefined if the block is not among the kept ones. */
  flowUpTo(shown: BookAt, spanMs: number): FlowWindow | undefined {
    const window = this.windows.find((one) => one.spanMs === spanMs);
    const place = window && this.placeOf(shown);
    if (place === undefined) return undefined;
    window?.moveTo(this.line, place);
    return window;
  }

  /** The changes of a live block, whatever is shown; undefined if it is not among the kept ones. */
  eventsOf(position: Position): readonly FlowEvent[] | undefined {
    const kept = this.#history;
    const place = placeOfMark(kept, position);
    return place === undefined ? undefined : kept.blockAt(place)?.events();
  }

  /** The live book is shown again: releases the copy used for time travel. */
  release(): void {
    this.#history.release();
  }

  #begin(): void {
    const live = this.#deps.live();
    if (live === undefined) return;
    const { blockTime, ...mark } = live.position;
    this.#history.begin(live.book, { ...mark, time: blockTime }, this.#deps.reason());
    this.#isBegun = true;
    this.#deps.onBegun();
  }
}

function isAt(mark: BlockMark, { height, seq, epoch }: Position): boolean {
  return mark.height === height && mark.seq === seq && mark.epoch === epoch;
}

/** The place to which a travel leads from another one; it may be before or after the line. */
export function placeAfter(line: History, to: TravelTo, from: number): number {
  switch (to.kind) {
    case 'step':
      return from + to.blocks;
    case 'height':
      return placeAtHeight(line, to.height);
    case 'time':
      return placeAtTime(line, to.time);
  }
}
