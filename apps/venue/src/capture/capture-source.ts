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

/** The first block comes this long after the snapshot, in ms; the files do not tell. */
const FIRST_DELAY_MS = 67;

/** A capture as a source of blocks; after its last block the last state is held (VENUE-5). */
export class CaptureSource implements BlockSource {
  readonly kind = 'capture';
  readonly coins: readonly ListedCoin[];
  readonly #blocks: readonly CaptureBlock[];
  readonly #books: ReadonlyMap<string, CaptureBook>;
  #next = 0;
  #height: number;
  #time: number;
  #counts: SourceCounts = { blocks: 0, diffs: 0, statuses: 0, fills: 0 };

  /** Reads a capture and replays it once in secret, so that no problem can come up while it is served. Throws CaptureError (VENUE-6). */
  static async open(directory: string): Promise<CaptureSource> {
    const capture = await readCapture(directory);
    const books = loadBooks(capture);
    for (const block of capture.blocks) applyBlock(books, block);
    return new CaptureSource(capture);
  }

  private constructor(capture: Capture) {
    this.#books = loadBooks(capture);
    this.#blocks = capture.blocks;
    this.#height = capture.snapshot[0];
    this.#time = newestOrder(capture.snapshot);
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
    const first = this.#blocks[0]?.time ?? this.#time;
    return { from: first, to: this.#blocks.at(-1)?.time ?? first };
  }

  get nextDelay(): number | null {
    const block = this.#blocks[this.#next];
    if (block === undefined) return null;
    return this.#next === 0 ? FIRST_DELAY_MS : Math.max(block.time - this.#time, 0);
  }

  advance(): SourceBlock | null {
    const block = this.#blocks[this.#next];
    if (block === undefined) return null;
    this.#next += 1;
    const coins = applyBlock(this.#books, block);
    this.#height = block.height;
    this.#time = block.time;
    const { blocks, diffs, statuses, fills } = this.#counts;
    this.#counts = {
      blocks: blocks + 1,
      diffs: diffs + block.diffs.length,
      statuses: statuses + block.statuses.length,
      fills: fills + block.fillCount,
    };
    return { height: block.height, time: block.time, coin: (name) => coins.get(name) ?? null };
  }

  book(coin: string): BookLevels | null {
    return this.#books.get(coin)?.levels() ?? null;
  }

  /** Resting orders of one wallet over all coins. */
  ordersOf(user: Address): readonly L4Order[] {
    return [...this.#books.values()].flatMap((book) => book.ordersOf(user));
  }

  /** The queues of one side of a coin from the best price outward; none of a coin without a book. */
  queues(coin: string, side: Side): readonly (readonly L4Order[])[] {
    return this.#books.get(coin)?.queues(side) ?? [];
  }

  size(coin: string): BookSize | null {
    return this.#books.get(coin)?.size() ?? null;
  }
}

/** Books of the perps of the snapshot; the order-level server knows no others. */
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

/** Applies a block to the books and gives what the wire shows of it, a coin at a time. Coins without a book are left out. */
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

/** Whether a status is the one with which an order enters the book, as the order-level server tells. */
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

/** A coin of the catalogue is listed as there; of another one the sizes tell the decimals. */
function listedCoin(name: string, book: CaptureBook): ListedCoin {
  const known = CATALOGUE.find((coin) => coin.name === name);
  if (known !== undefined) return known;
  let szDecimals = 0;
  for (const side of book.levels()) {
    for (const order of side) szDecimals = Math.max(szDecimals, significantDecimalsOf(order.sz));
  }
  return { name, szDecimals, maxLeverage: 20, marginTableId: 20 };
}
