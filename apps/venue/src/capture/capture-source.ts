import { significantDecimalsOf } from '@l4desk/decimal';
import {
  type Address,
  type BookDiff,
  type BookLevels,
  coinMarket,
  type L4Order,
  type OrderStatus,
  type Side,
} from '@l4desk/protocol';
import type { BlockSource, BookSize, CoinBlock, ListedCoin, SourceBlock, SourceCounts } from '../feed/source.ts';
import { CATALOGUE } from '../market/catalogue.ts';
import { CaptureBook } from './capture-book.ts';
import { CaptureError } from './capture-error.ts';
import type { NodeSnapshot, NodeStatus } from './node-data.ts';
import { type Capture, type CaptureBlock, readCapture } from './read-capture.ts';
import { readRecording } from './read-recording.ts';

/** Delay of the first block after the snapshot, in ms; the files do not record it. */
const FIRST_DELAY_MS = 67;

/** A recorded height that cannot be played; the message says why. */
export class SeekError extends Error {
  readonly code = 'cannot_seek';

  constructor(message: string) {
    super(message);
    this.name = 'SeekError';
  }
}

/**
 * A node's capture, or a recording, as a source of blocks. After the last block it keeps the last state or
 * starts again. When it jumps (back to its start, to a height, or over a gap in a recording), heights and times keep
 * rising: they equal the recorded ones until the first jump back.
 */
export class CaptureSource implements BlockSource {
  readonly kind = 'capture';
  readonly coins: readonly ListedCoin[];
  /** Whether it starts again after the last block. */
  loops = false;
  /** Called when it jumps: the blocks that follow do not continue the books that clients hold. */
  onJump: () => void = () => {};
  /** Stretches of blocks without a gap. */
  readonly #runs: readonly Capture[];
  #run: Capture;
  #books: ReadonlyMap<string, CaptureBook>;
  #next = 0;
  #height: number;
  #time: number;
  /** Added to recorded heights and times. */
  #shift = { height: 0, time: 0 };
  #counts: SourceCounts = { blocks: 0, diffs: 0, statuses: 0, fills: 0 };

  /** Reads a capture and replays it once before serving it, so that every problem is found now. Throws CaptureError. */
  static async open(directory: string): Promise<CaptureSource> {
    return CaptureSource.#checked([await readCapture(directory)]);
  }

  /** The same for a .l4rec recording. Throws CaptureError. */
  static async openRecording(path: string): Promise<CaptureSource> {
    return CaptureSource.#checked(await readRecording(path));
  }

  static #checked(runs: readonly Capture[]): CaptureSource {
    for (const run of runs) {
      const books = loadBooks(run);
      for (const block of run.blocks) applyBlock(books, block);
    }
    return new CaptureSource(runs);
  }

  private constructor(runs: readonly Capture[]) {
    const [run] = runs;
    if (run === undefined) throw new Error('a capture without a snapshot');
    this.#runs = runs;
    this.#run = run;
    this.#books = loadBooks(run);
    this.#height = run.snapshot[0];
    this.#time = timeOf(run);
    this.coins = [...this.#books].map(([name, book]) => listedCoin(name, book));
  }

  get height(): number {
    return this.#height;
  }

  get time(): number {
    return this.#time;
  }

  get counts(): SourceCounts {
    return this.#counts;
  }

  /** The times of the first and the last block, ms. */
  get recorded(): { readonly from: number; readonly to: number } {
    const first = this.#runs[0]?.blocks[0]?.time ?? this.#time;
    return { from: first, to: this.#runs.at(-1)?.blocks.at(-1)?.time ?? first };
  }

  get nextDelay(): number | null {
    const block = this.#run.blocks[this.#next];
    if (block === undefined) return this.#nextRun === undefined ? null : FIRST_DELAY_MS;
    return this.#next === 0 ? FIRST_DELAY_MS : Math.max(block.time + this.#shift.time - this.#time, 0);
  }

  advance(): SourceBlock | null {
    const block = this.#run.blocks[this.#next];
    if (block === undefined) {
      const run = this.#nextRun;
      if (run === undefined) return null;
      this.#jump(run, run.snapshot[0]);
      // The jump itself is a block without events.
      return { height: this.#height, time: this.#time, coin: () => null };
    }
    this.#next += 1;
    const coins = applyBlock(this.#books, block);
    this.#height = block.height + this.#shift.height;
    this.#time = block.time + this.#shift.time;
    const { blocks, diffs, statuses, fills } = this.#counts;
    this.#counts = {
      blocks: blocks + 1,
      diffs: diffs + block.diffs.length,
      statuses: statuses + block.statuses.length,
      fills: fills + block.fillCount,
    };
    return { height: this.#height, time: this.#time, coin: (name) => coins.get(name) ?? null };
  }

  /**
   * Jumps to the state at the end of a recorded height. Returns the height that clients see: the same one, or a later one
   * if clients have already seen a later height. Throws SeekError.
   */
  seek(height: number): number {
    const run = this.#runs.findLast(({ snapshot }) => snapshot[0] <= height);
    const [first] = this.#runs;
    if (run === undefined) throw new SeekError(`block ${height} is before the first one, ${first?.snapshot[0]}`);
    const last = lastHeight(run);
    if (height > last) {
      const after = this.#runs[this.#runs.indexOf(run) + 1]?.snapshot[0];
      const where =
        after === undefined ? 'is the last one' : `is the last one before a gap, which ends at block ${after}`;
      throw new SeekError(`block ${height} was not recorded: block ${last} ${where}`);
    }
    this.#jump(run, height);
    return this.#height;
  }

  /** The run that is played after the current one. */
  get #nextRun(): Capture | undefined {
    return this.#runs[this.#runs.indexOf(this.#run) + 1] ?? (this.loops ? this.#runs[0] : undefined);
  }

  #jump(run: Capture, through: number): void {
    const books = loadBooks(run);
    let at = { height: run.snapshot[0], time: timeOf(run) };
    let next = 0;
    for (let block = run.blocks[0]; block !== undefined && block.height <= through; block = run.blocks[next]) {
      applyBlock(books, block);
      at = block;
      next += 1;
    }
    this.#run = run;
    this.#books = books;
    this.#next = next;
    this.#shift = {
      height: shiftPast(at.height, this.#height, this.#shift.height, 1),
      time: shiftPast(at.time, this.#time, this.#shift.time, FIRST_DELAY_MS),
    };
    this.#height = at.height + this.#shift.height;
    this.#time = at.time + this.#shift.time;
    this.onJump();
  }

  book(coin: string): BookLevels | null {
    return this.#books.get(coin)?.levels() ?? null;
  }

  /** Resting orders of one wallet in all coins. */
  ordersOf(user: Address): readonly L4Order[] {
    return [...this.#books.values()].flatMap((book) => book.ordersOf(user));
  }

  /** The queues of one side of a coin, best price first. Empty for a coin without a book. */
  queues(coin: string, side: Side): readonly (readonly L4Order[])[] {
    return this.#books.get(coin)?.queues(side) ?? [];
  }

  size(coin: string): BookSize | null {
    return this.#books.get(coin)?.size() ?? null;
  }
}

/**
 * The offset that makes a recorded value greater than the shown one: 0 if it already is, the previous offset if that is
 * enough.
 */
function shiftPast(recorded: number, shown: number, before: number, step: number): number {
  if (recorded > shown) return 0;
  return recorded + before > shown ? before : shown + step - recorded;
}

function lastHeight({ snapshot, blocks }: Capture): number {
  return blocks.at(-1)?.height ?? snapshot[0];
}

/** Time of a run's snapshot. */
function timeOf({ time, snapshot }: Capture): number {
  return time ?? newestOrder(snapshot);
}

/** Books of the perps in the snapshot; the order-level server serves no other coins. */
function loadBooks({ snapshot, snapshotFile }: Capture): ReadonlyMap<string, CaptureBook> {
  const books = new Map<string, CaptureBook>();
  for (const [coin, sides] of snapshot[1]) {
    if (coinMarket(coin) !== 'perp') continue;
    if (books.has(coin)) throw new CaptureError(snapshotFile, null, `holds ${coin} twice`);
    const book = new CaptureBook(coin);
    for (const [index, side] of sides.entries()) {
      for (const [user, order] of side) {
        if (order.coin !== coin || order.side !== (index === 0 ? 'B' : 'A')) {
          throw new CaptureError(snapshotFile, null, `the order ${order.oid} is in the wrong list`);
        }
        const problem = book.load({ user, ...order });
        if (problem !== null) throw new CaptureError(snapshotFile, null, problem);
      }
    }
    books.set(coin, book);
  }
  if (books.size === 0) throw new CaptureError(snapshotFile, null, 'holds no perp coin');
  return books;
}

/** Applies a block to the books. Returns what the stream shows of it, per coin; coins without a book are left out. */
function applyBlock(books: ReadonlyMap<string, CaptureBook>, block: CaptureBlock): ReadonlyMap<string, CoinBlock> {
  const coins = new Map<string, { readonly statuses: OrderStatus[]; readonly diffs: BookDiff[] }>();
  const partOf = (coin: string) => {
    const part = coins.get(coin) ?? { statuses: [], diffs: [] };
    coins.set(coin, part);
    return part;
  };
  const entering = new Map<number, NodeStatus>();
  for (const status of block.statuses) {
    if (!books.has(status.order.coin)) continue;
    partOf(status.order.coin).statuses.push({ ...status, order: { user: null, ...status.order } });
    if (entersBook(status)) entering.set(status.order.oid, status);
  }
  for (const [index, diff] of block.diffs.entries()) {
    const book = books.get(diff.coin);
    if (book === undefined) continue;
    const sideBefore = book.sideOf(diff.oid);
    const problem = book.apply(diff, entering.get(diff.oid), block.time);
    if (problem !== null) {
      throw new CaptureError(
        block.diffsFrom.file,
        block.diffsFrom.line,
        `block ${block.height}, events[${index}]: ${problem}`,
      );
    }
    const side = diff.side ?? sideBefore ?? book.sideOf(diff.oid);
    if (side === undefined) throw new Error(`an applied diff of order ${diff.oid} has no side`);
    const { user, oid, px, coin, raw_book_diff } = diff;
    partOf(coin).diffs.push({ user, oid, side, px, coin, raw_book_diff });
  }
  return coins;
}

/** Whether an order enters the book with this status, as the order-level server sees it. */
function entersBook({ status, order }: NodeStatus): boolean {
  return order.isTrigger ? status === 'triggered' : status === 'open' && order.tif !== 'Ioc';
}

function newestOrder([, coins]: NodeSnapshot): number {
  let newest = 0;
  for (const [, sides] of coins) {
    for (const side of sides) for (const [, order] of side) newest = Math.max(newest, order.timestamp);
  }
  return newest;
}

/** A coin of the catalogue is listed as it is there. For other coins, the decimals are derived from the sizes. */
function listedCoin(name: string, book: CaptureBook): ListedCoin {
  const known = CATALOGUE.find((coin) => coin.name === name);
  if (known !== undefined) return known;
  let szDecimals = 0;
  for (const side of book.levels()) {
    for (const order of side) szDecimals = Math.max(szDecimals, significantDecimalsOf(order.sz));
  }
  return { name, szDecimals, maxLeverage: 20, marginTableId: 20 };
}
