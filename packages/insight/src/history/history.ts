import type { L4Book } from '@l4desk/book';
import type { CoinBatch } from '@l4desk/protocol';
import type { FlowEvent } from '../flow/flow-event.ts';
import { FlowMemory, recordBlock } from '../flow/record-block.ts';
import { bookDifference } from './book-difference.ts';
import { KeptBlock } from './kept-block.ts';
import { redo, undo } from './replay.ts';
import type { BlockMark, HistoryBlock, TimeGap, TimeLine } from './time-line.ts';

/** How much history is kept. */
export interface HistoryBounds {
  /** Maximum number of blocks; the oldest are evicted first. */
  readonly blocks: number;
  /** Maximum number of changes over all blocks, about 320 bytes each. */
  readonly changes: number;
  /** Maximum number of stretches between gaps. */
  readonly stretches: number;
}

/**
 * Ten minutes at 15 blocks a second; over six for BTC, with 400 changes a second. 4,000 blocks fit while they have 40 changes on
 * average.
 */
export const HISTORY_BOUNDS: HistoryBounds = { blocks: 9_000, changes: 160_000, stretches: 8 };

/** The newest blocks stay unpacked: followers read each of them once, some of them only every second or two. */
const UNPACKED_BLOCKS = 30;

/** Blocks without a gap between them. */
interface Stretch {
  /** Place and mark of the state before the first kept block. */
  base: number;
  start: BlockMark;
  readonly blocks: KeptBlock[];
  /** The book after the last block. */
  readonly book: L4Book;
  /** The gap before it. */
  readonly gap: TimeGap | null;
}

/** One step of a walk over what is kept. `book` is the book right after it; the next step moves it on. */
export type WalkStep =
  /** A step back towards the oldest block: nothing to read. */
  | { readonly kind: 'rewind' }
  /** The book before the first block of a stretch. Unless the stretch is the first, it follows a gap. */
  | { readonly kind: 'book'; readonly mark: BlockMark; readonly book: L4Book }
  | {
      readonly kind: 'block';
      readonly mark: BlockMark;
      readonly events: readonly FlowEvent[];
      readonly book: L4Book;
    };

/** A copy of the book at a place. */
interface PositionedBook {
  readonly stretch: Stretch;
  readonly book: L4Book;
  place: number;
}

/**
 * The last minutes of one book: every block with what is needed to undo it, within stated bounds. It has a book of its
 * own, so that showing the past never blocks the present.
 */
export class History implements TimeLine {
  readonly coin: string;
  readonly bounds: HistoryBounds;
  private stretches: Stretch[] = [];
  private memory = new FlowMemory();
  private nextPlace = 0;
  private changes = 0;
  private blockCount = 0;
  private positioned: PositionedBook | undefined;

  constructor(coin: string, bounds: HistoryBounds = HISTORY_BOUNDS) {
    this.coin = coin;
    this.bounds = bounds;
  }

  get first(): number {
    return this.stretches[0]?.base ?? -1;
  }

  get last(): number {
    return this.stretches.length === 0 ? -1 : this.nextPlace - 1;
  }

  get gaps(): readonly TimeGap[] {
    return this.stretches.slice(1).flatMap(({ gap }) => gap ?? []);
  }

  /** Blocks and changes that are kept; the bounds limit these. */
  get size(): { readonly blocks: number; readonly changes: number } {
    return { blocks: this.blockCount, changes: this.changes };
  }

  /**
   * Starts a stretch with a whole new book: the first one, or one that was rebuilt. Everything between it and the last block is a
   * gap, and `reason` says why. The book is copied.
   */
  begin(book: L4Book, mark: BlockMark, reason: string): void {
    this.adopt(book.copy(), mark, reason);
  }

  /** The same with a book that the caller hands over: nobody else may use it. */
  adopt(book: L4Book, mark: BlockMark, reason: string): void {
    const before = this.stretches.at(-1);
    // Followers start again in the next stretch.
    for (const block of before?.blocks.slice(-UNPACKED_BLOCKS) ?? []) block.pack();
    const place = this.nextPlace;
    let gap: TimeGap | null = null;
    if (before !== undefined) {
      const from = this.markAt(this.last);
      gap = { place, from, to: mark, reason, orders: bookDifference(before.book, book) };
    }
    this.memory = new FlowMemory();
    this.stretches.push({ base: place, start: mark, blocks: [], book, gap });
    this.nextPlace += 1;
    this.evict();
  }

  /**
   * Applies a block to the book and keeps it. A block that does not follow the last one, or does not fit, discards the history,
   * and nothing is kept until `begin`.
   */
  add(batch: CoinBatch): HistoryBlock | undefined {
    const stretch = this.stretches.at(-1);
    if (stretch === undefined) return undefined;
    const { seq, epoch } = this.markAt(this.last);
    const follows = batch.epoch === epoch && batch.prevSeq === seq;
    const applied = follows ? recordBlock(stretch.book, batch, this.memory) : undefined;
    if (applied === undefined || applied.findings.length > 0) {
      this.forget();
      return undefined;
    }
    const { height, time } = batch;
    const block = new KeptBlock({ height, time, epoch, seq: batch.seq }, applied.events);
    stretch.blocks.push(block);
    stretch.blocks.at(-1 - UNPACKED_BLOCKS)?.pack();
    this.nextPlace += 1;
    this.blockCount += 1;
    this.changes += block.count;
    this.evict();
    return block;
  }

  /** Discards everything. */
  forget(): void {
    this.stretches = [];
    this.positioned = undefined;
    this.changes = 0;
    this.blockCount = 0;
  }

  markAt(place: number): BlockMark {
    const { base, start, blocks } = this.stretchOf(place);
    return place === base ? start : (blocks[place - base - 1] as HistoryBlock).mark;
  }

  blockAt(place: number): HistoryBlock | undefined {
    const { base, blocks } = this.stretchOf(place);
    return blocks[place - base - 1];
  }

  /**
   * The book at a kept place: a copy that is moved there block by block. It is made on first use, and again after a gap. It stays
   * valid until another place is requested, even if its own place is evicted.
   */
  bookAt(place: number): L4Book {
    if (this.positioned?.place === place) return this.positioned.book;
    const stretch = this.stretchOf(place);
    const end = stretch.base + stretch.blocks.length;
    let positioned = this.positioned;
    if (positioned?.stretch !== stretch || positioned.place < stretch.base) {
      positioned = { stretch, book: stretch.book.copy(), place: end };
      this.positioned = positioned;
    }
    while (positioned.place > place) {
      undo(positioned.book, stretch.blocks[positioned.place - stretch.base - 1] as HistoryBlock);
      positioned.place -= 1;
    }
    while (positioned.place < place) {
      redo(positioned.book, stretch.blocks[positioned.place - stretch.base] as HistoryBlock);
      positioned.place += 1;
    }
    return positioned.book;
  }

  /** The book at the newest place. Do not change it, and read it at once. Throws RangeError if nothing is kept. */
  newestBook(): L4Book {
    return this.stretchOf(this.last).book;
  }

  /**
   * Walks over everything that is kept, from the oldest to the newest block, on its own copy of the book. It does not disturb
   * `bookAt`, and blocks that arrive or are evicted in the meantime change nothing. A step is short, so that the caller can pause
   * in between.
   */
  *walk(): Generator<WalkStep, void, undefined> {
    const stretches = this.stretches.map(({ start, blocks, book }) => ({
      start,
      blocks: [...blocks],
      book: book.copy(),
    }));
    for (const { start, blocks, book } of stretches) {
      for (const block of blocks.toReversed()) {
        undo(book, block);
        yield { kind: 'rewind' };
      }
      yield { kind: 'book', mark: start, book };
      for (const block of blocks) {
        redo(book, block);
        yield { kind: 'block', mark: block.mark, events: block.events(), book };
      }
    }
  }

  /** The stretches between gaps, oldest first: a copy of the book before each, and its blocks. */
  *replays(): Generator<{
    readonly book: L4Book;
    readonly start: BlockMark;
    readonly blocks: readonly HistoryBlock[];
    readonly gap: TimeGap | null;
  }> {
    for (const { book: newest, start, blocks, gap } of this.stretches) {
      const book = newest.copy();
      for (let index = blocks.length - 1; index >= 0; index -= 1) undo(book, blocks[index] as HistoryBlock);
      yield { book, start, blocks, gap };
    }
  }

  /** Frees the book that shows the past. */
  release(): void {
    this.positioned = undefined;
  }

  private stretchOf(place: number): Stretch {
    // Nearly every call is about the newest stretch, and there are thousands per frame.
    const newest = this.stretches.at(-1);
    const isNewest = newest !== undefined && place >= newest.base;
    const stretch = isNewest ? newest : this.stretches.findLast(({ base }) => base <= place);
    if (stretch !== undefined && place < this.nextPlace && Number.isInteger(place)) return stretch;
    throw new RangeError(`place ${place} is not kept: ${this.first} to ${this.last} are`);
  }

  private evict(): void {
    const { bounds } = this;
    while (this.stretches.length > bounds.stretches) this.dropStretch();
    while (this.blockCount > bounds.blocks || this.changes > bounds.changes) {
      const oldest = this.stretches[0] as Stretch;
      const block = oldest.blocks.shift();
      if (block === undefined) {
        this.dropStretch();
        continue;
      }
      oldest.base += 1;
      oldest.start = block.mark;
      this.blockCount -= 1;
      this.changes -= block.count;
    }
  }

  private dropStretch(): void {
    const dropped = this.stretches.shift();
    for (const { count } of dropped?.blocks ?? []) {
      this.blockCount -= 1;
      this.changes -= count;
    }
  }
}
