import {
  type BlockStatuses,
  type BookChange,
  type BookLevels,
  type DecimalString,
  type L4Order,
  type Side,
  UnreadStatuses,
} from '@l4desk/protocol';
import { isAmount } from './engine/amount.ts';
import { asciiBytes } from './engine/ascii-writer.ts';
import { BlockDetails, type Details } from './engine/details.ts';
import { type Engine, OUT_OF_RANGE } from './engine/engine.ts';
import { PendingStatuses } from './engine/pending-statuses.ts';
import { ExactEngine } from './exact/exact-engine.ts';
import { FastEngine } from './fast/fast-engine.ts';
import type { Finding } from './finding.ts';
import type { LadderWindow } from './ladder-window.ts';
import type {
  BestLevel,
  FillQuery,
  LadderRow,
  OrderCursor,
  OrderKey,
  QueuedOrder,
  QueuePlace,
  QueueQuery,
  RowsQuery,
} from './types.ts';

/** A newly built book, with every violated expectation of its snapshot. If there are any, it is not the source's book. */
export interface BuiltBook {
  readonly book: L4Book;
  readonly findings: readonly Finding[];
}

/**
 * The order-level book of one coin: every resting order in the queue of its price (BOOK-1). Built from a snapshot, then updated
 * by the diffs of each block. Prices and sizes are exact at any length (BOOK-17) and are returned as the text that was received
 * (BOOK-18). The book knows no clock, socket or sequence: `syncStep` decides what is applied, the book applies it.
 */
export class L4Book {
  readonly coin: string;
  private engine: Engine;
  private blocks = 0;
  private readonly pending = new PendingStatuses();
  /** Findings of statuses that were read because a caller asked for an order. */
  private found: readonly Finding[] = [];

  private constructor(coin: string, engine: Engine) {
    this.coin = coin;
    this.engine = engine;
  }

  /**
   * Builds a book from both sides of a snapshot, best price first and in queue order. An order with a finding is left out, the
   * others rest; a crossed book is a finding of its own.
   */
  static build(coin: string, levels: BookLevels): BuiltBook {
    const book = new L4Book(coin, new FastEngine(coin, levels[0].length + levels[1].length));
    const findings: Finding[] = [];
    for (const side of SIDES_IN_ORDER) {
      for (const order of levels[side === 'B' ? 0 : 1]) {
        const outcome = book.append(side, order);
        if (outcome !== undefined) findings.push(outcome);
      }
    }
    const crossed = book.engine.crossed();
    if (crossed !== undefined) findings.push(crossed);
    return { book, findings };
  }

  /** An independent book with the same orders, at a small part of the cost of building one. */
  copy(): L4Book {
    this.readPending();
    return new L4Book(this.coin, this.engine.copy());
  }

  /** Number of orders on both sides. */
  get orderCount(): number {
    return this.engine.orderCount;
  }

  /** Blocks applied so far: changes whenever the book may have changed. */
  get revision(): number {
    return this.blocks;
  }

  orderCountOf(side: Side): number {
    return this.engine.orderCountOf(side);
  }

  levelCount(side: Side): number {
    return this.engine.levelCount(side);
  }

  /** Total size of all orders of a side. */
  total(side: Side): DecimalString {
    return this.engine.total(side);
  }

  /**
   * Applies the changes of one block in order, and returns every violated expectation (BOOK-10 to BOOK-14). If there
   * are none, the book is the source's, provided it was before. A change with a finding changes nothing; every other change is
   * applied: the book stays consistent and can be read, but must be rebuilt. `statuses` are the block's; they only provide the
   * fields of a new order besides owner, price and size (BOOK-2), and stay pending while they are unread: see `settle`. `time`
   * is the block's, in ms. `onBefore` is called with the index of each change before it is applied, at least once. The book
   * then is as the earlier changes left it, and can be read.
   */
  apply(
    changes: readonly BookChange[],
    statuses: BlockStatuses,
    time: number,
    onBefore?: (index: number) => void,
  ): readonly Finding[] {
    const details = this.detailsOf(statuses, time);
    const findings: Finding[] = [];
    const done = this.engine.apply(changes, 0, details, findings, onBefore);
    if (done < changes.length) {
      this.moveToExact();
      this.engine.apply(changes, done, details, findings, onBefore);
    }
    this.blocks += 1;
    const crossed = this.engine.crossed();
    if (crossed !== undefined) findings.push(crossed);
    if (this.pending.isFull) this.readPending();
    return this.found.length === 0 ? findings : [...findings, ...this.takeFound()];
  }

  /** Whether no unread statuses are pending. */
  get isSettled(): boolean {
    return this.pending.isEmpty;
  }

  /**
   * Reads the pending statuses, which is two thirds of the work of a block. Call it when there is time, but soon, because the
   * messages that contain them are retained until then. At most three blocks stay pending; the next one settles them. Asking
   * for an order settles them too, so an order is never returned without its details. Statuses that cannot be read are findings
   * of this call or of the next block, whichever comes first.
   */
  settle(): readonly Finding[] {
    this.readPending();
    return this.takeFound();
  }

  sideOf(oid: number): Side | undefined {
    return this.engine.sideOf(oid);
  }

  /** The order as the source would list it now. */
  order(oid: number): L4Order | undefined {
    this.readPending();
    return this.engine.order(oid);
  }

  /** Where an order is in the queue of its price. */
  place(oid: number): QueuePlace | undefined {
    return this.engine.place(oid);
  }

  /** The oid directly behind an order in the queue of its price; undefined for the last one. */
  behind(oid: number): number | undefined {
    return this.engine.behind(oid);
  }

  /** The best level of a side. */
  best(side: Side): BestLevel | undefined {
    return this.engine.best(side);
  }

  /** Rows from the best price, or from a given one, outward. */
  rows(side: Side, query: RowsQuery): readonly LadderRow[] {
    checkTick(query.tick);
    checkPrice(query.from);
    return this.engine.rows(side, query);
  }

  /** The row that holds a price: its level, or its bucket if there is a tick. Undefined if nothing rests there. */
  row(side: Side, px: DecimalString, tick?: DecimalString): LadderRow | undefined {
    const grouping = tick === undefined ? {} : { tick };
    if (this.queue(side, px, { ...grouping, limit: 1 }).length === 0) return undefined;
    return this.rows(side, { ...grouping, from: px, limit: 1 })[0];
  }

  /** The orders of the row that holds a price, levels from the best outward, each from the front of its queue. */
  queue(side: Side, px: DecimalString, query: QueueQuery = {}): readonly QueuedOrder[] {
    checkTick(query.tick);
    checkPrice(px);
    this.readPending();
    return this.engine.queue(side, px, query);
  }

  /** Fills a window of a ladder in place: cheap enough for every frame. */
  fill(window: LadderWindow, side: Side, query: FillQuery = {}): void {
    checkTick(query.tick);
    checkPrice(query.from);
    this.engine.fill(window, side, query);
  }

  /** Orders of a side from the best price, in queue order. The book must not change meanwhile. */
  orders(side: Side): Generator<L4Order, void, undefined> {
    this.readPending();
    return this.engine.orders(side);
  }

  /** The same with only the fields that distinguish two books, and cheaper. */
  keys(side: Side): Generator<OrderKey, void, undefined> {
    return this.engine.keys(side);
  }

  /** The same in whole units, for adding up many orders. */
  cursor(side: Side): OrderCursor {
    return this.engine.cursor(side);
  }

  /** Both sides as a snapshot lists them. */
  levels(): [bids: L4Order[], asks: L4Order[]] {
    return [[...this.orders('B')], [...this.orders('A')]];
  }

  /**
   * The JSON of `levels()` in ASCII pieces of about 64 KB, each in its own buffer. Throws if the book changes before the last
   * piece was taken.
   */
  *levelsJson(): Generator<Uint8Array, void, undefined> {
    const { revision } = this;
    this.readPending();
    yield asciiBytes('[[');
    for (const side of SIDES_IN_ORDER) {
      if (side === 'A') yield asciiBytes('],[');
      for (const piece of this.engine.sideJson(side)) {
        yield piece;
        if (this.revision !== revision) throw new Error(`the book of ${this.coin} changed while it was written out`);
      }
    }
    yield asciiBytes(']]');
  }

  /** The checksum that SPEC.md defines, 32 hexadecimal digits over the whole book in queue order. */
  checksum(): string {
    return this.engine.checksum();
  }

  /**
   * The rolling checksum that SPEC.md defines, 16 hexadecimal digits over the whole book and the order of its queues. The first
   * call sums up the book; from then on each change updates it, at a small fraction of its own cost.
   */
  rollingChecksum(): string {
    return this.engine.rollingChecksum();
  }

  /** Statuses that are already read are used at once, unless earlier ones are pending. */
  private detailsOf(statuses: BlockStatuses, time: number): Details {
    const waits = statuses instanceof UnreadStatuses || !this.pending.isEmpty;
    return waits ? this.pending.add(statuses, time) : new BlockDetails(statuses, time);
  }

  private readPending(): void {
    if (!this.pending.isEmpty) this.found = [...this.found, ...this.pending.settle(this.engine)];
  }

  private takeFound(): readonly Finding[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private append(side: Side, order: L4Order): Finding | undefined {
    const outcome = this.engine.append(side, order);
    if (outcome !== OUT_OF_RANGE) return outcome;
    this.moveToExact();
    return this.append(side, order);
  }

  /** Switches to bigint until the next snapshot, because a number has left the range that doubles hold exactly. */
  private moveToExact(): void {
    this.engine = ExactEngine.of(this.coin, this.engine);
  }
}

const SIDES_IN_ORDER = ['B', 'A'] as const;

function checkTick(tick: string | undefined): void {
  if (tick === undefined || (isAmount(tick) && /[1-9]/.test(tick))) return;
  throw new RangeError(`tick must be a decimal above zero: ${tick}`);
}

function checkPrice(px: string | undefined): void {
  if (px !== undefined && !isAmount(px)) throw new RangeError(`price must be a decimal from zero: ${px}`);
}
