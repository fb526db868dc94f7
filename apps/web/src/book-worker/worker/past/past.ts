import { FLOW_SPANS_MS, type FlowEvent, FlowWindow, History, placeAtHeight, placeAtTime } from '@l4desk/insight';
import type { CoinBatch } from '@l4desk/protocol';
import type { TravelTo } from '../../panes/past.ts';
import type { Position } from '../../position.ts';
import type { BookAt, ShownBook } from '../panes/pane-context.ts';
import type { RecordedLine } from '../recorded/recorded-line.ts';

/** The new book is copied after the page has had its first frame of it. */
const BEGIN_AFTER_MS = 50;

export interface PastDeps {
  readonly live: () => BookAt | undefined;
  /** Why the last book was lost. */
  readonly reason: () => string;
  readonly later: (task: () => void, ms: number) => void;
  /** A whole new book is kept. */
  readonly onBegun: () => void;
}

/** The last minutes of the followed coin: kept beside the live book, and shown when somebody travels. */
export class Past {
  readonly #deps: PastDeps;
  readonly windows: readonly FlowWindow[] = [0, ...FLOW_SPANS_MS].map((spanMs) => new FlowWindow(spanMs));
  /** The recording that is shown in place of the kept minutes. */
  recorded: RecordedLine | undefined;
  #history = new History('');
  #isBegun = false;
  #begins = 0;

  constructor(deps: PastDeps) {
    this.#deps = deps;
  }

  /** What is shown: of a recording, or what is kept; its `first` is -1 while that is nothing. */
  get line(): History {
    return this.recorded?.line ?? this.#history;
  }

  /** The kept minutes, whatever is shown. */
  get kept(): History {
    return this.#history;
  }

  /** Another coin is followed. */
  follow(coin: string): void {
    this.#history = new History(coin);
    this.#isBegun = false;
    this.#begins += 1;
  }

  /** A whole new book stands. What comes until it is copied is part of it. */
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

  /** The book at another moment; undefined where that is the live one, or nothing is kept. */
  travel(to: TravelTo, shown: ShownBook): BookAt | undefined {
    const line = this.#history;
    if (line.first < 0) return undefined;
    const place = placeAtHeight(line, shown.position.height);
    const wanted = this.#wanted(to, place);
    if (wanted > line.last) return undefined;
    return this.bookAt(Math.max(line.first, wanted));
  }

  bookAt(place: number): BookAt {
    const { line } = this;
    const { time, ...mark } = line.markAt(place);
    return { book: line.bookAt(place), position: { ...mark, blockTime: time } };
  }

  /** The place of a shown block; undefined where it is not among the kept ones. */
  placeOf({ height, seq, epoch }: Position): number | undefined {
    const { line } = this;
    if (line.first < 0) return undefined;
    const place = placeAtHeight(line, height);
    const mark = line.markAt(place);
    return mark.height === height && mark.seq === seq && mark.epoch === epoch ? place : undefined;
  }

  /** What moved in the last so many ms up to a block, one of the windows; undefined where the block is not among the kept ones. */
  flowUpTo(position: Position, spanMs: number): FlowWindow | undefined {
    const window = this.windows.find((one) => one.spanMs === spanMs);
    const place = window && this.placeOf(position);
    if (place === undefined) return undefined;
    window?.moveTo(this.line, place);
    return window;
  }

  /** The changes that led to a live block, whatever is shown; undefined where it is not among the kept ones. */
  eventsOf({ height, seq, epoch }: Position): readonly FlowEvent[] | undefined {
    const kept = this.#history;
    if (kept.first < 0) return undefined;
    const place = placeAtHeight(kept, height);
    const mark = kept.markAt(place);
    return mark.height === height && mark.seq === seq && mark.epoch === epoch
      ? kept.blockAt(place)?.events()
      : undefined;
  }

  /** The live book is shown again: the copy that travelled is let go. */
  release(): void {
    this.#history.release();
  }

  #wanted(to: TravelTo, from: number): number {
    switch (to.kind) {
      case 'step':
        return from + to.blocks;
      case 'height':
        return placeAtHeight(this.#history, to.height);
      case 'time':
        return placeAtTime(this.#history, to.time);
    }
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
