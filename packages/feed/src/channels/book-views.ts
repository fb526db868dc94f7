import type { L4Book, OrderCursor } from '@l4desk/book';
import { formatUnits, middle } from '@l4desk/decimal';
import type { BookViewQuery, DecimalString, L2BookQuery, Side } from '@l4desk/protocol';
import type { CoinView } from '../blocks/upstream-block.ts';
import { DECIMALS_MIN, isNothing, levelJson, levelsJson, minus } from './levels.ts';

type ViewedCoin = Pick<CoinView, 'book' | 'time'>;

export interface BookViewDeps {
  readonly coin: (coin: string) => ViewedCoin | null;
  readonly liveCoins: () => Iterable<string>;
  /** Called when a view changed, with the JSON of the message's `data`. */
  readonly changed: (key: string, data: string) => void;
}

interface Watched {
  readonly key: string;
  readonly query: BookViewQuery;
  /** The last message without its time; null if the next state is to be sent in any case. */
  last: string | null;
}

/** Maximum texts of a coin that are kept for further queries. */
const READ_MAX = 16;

/** Returns the key of a view; equal views have equal keys. */
export function viewKey(query: BookViewQuery): string {
  return JSON.stringify(query);
}

/** Views of our books as the exchange's channels show them, each computed once a block, for changed coins only. */
export class BookViews {
  readonly #deps: BookViewDeps;
  readonly #ofCoin = new Map<string, Map<string, Watched>>();
  /** Texts of books that have not changed since they were queried, by coin and view. */
  readonly #read = new Map<string, Map<string, string>>();
  readonly #mids = new Map<string, DecimalString>();
  #areMidsDue = false;
  #allMids: Watched | undefined;

  constructor(deps: BookViewDeps) {
    this.#deps = deps;
  }

  watch(query: BookViewQuery): void {
    const key = viewKey(query);
    const watched: Watched = { key, query, last: null };
    if (this.#isWatched(query)) throw new Error(`${key} is already watched`);
    if (query.channel === 'allMids') {
      this.#allMids = watched;
      for (const coin of this.#deps.liveCoins()) this.#readMid(coin);
      this.#publishMids();
      return;
    }
    const views = this.#ofCoin.get(query.coin) ?? new Map<string, Watched>();
    this.#ofCoin.set(query.coin, views);
    views.set(key, watched);
    this.#show(watched);
  }

  unwatch(query: BookViewQuery): void {
    if (query.channel === 'allMids') {
      this.#allMids = undefined;
      this.#mids.clear();
      return;
    }
    const views = this.#ofCoin.get(query.coin);
    views?.delete(viewKey(query));
    if (views?.size === 0) this.#ofCoin.delete(query.coin);
  }

  live(coin: string): void {
    this.#showAll(coin);
    if (this.#allMids !== undefined && this.#readMid(coin)) this.#publishMids();
  }

  changed(entries: Iterable<{ readonly coin: string }>): void {
    let midsMoved = false;
    for (const { coin } of entries) {
      this.#showAll(coin);
      if (this.#allMids !== undefined) midsMoved = this.#readMid(coin) || midsMoved;
    }
    if (midsMoved) this.#publishMids();
  }

  /** The coin is no longer followed, or its book is no longer trusted: its next state is sent in any case. */
  lost(coin: string): void {
    this.#read.delete(coin);
    for (const view of this.#ofCoin.get(coin)?.values() ?? []) view.last = null;
    if (this.#mids.delete(coin)) this.#publishMidsSoon();
  }

  /** The view as it is now, watched or not; null without a live book. */
  readL2Book(query: L2BookQuery): string | null {
    const viewed = this.#deps.coin(query.coin);
    if (viewed === null) return null;
    const read = this.#read.get(query.coin) ?? new Map<string, string>();
    this.#read.set(query.coin, read);
    const key = viewKey(query);
    const text = read.get(key) ?? dataOf(query.coin, viewed, l2BookOf(viewed.book, query));
    if (read.size < READ_MAX) read.set(key, text);
    return text;
  }

  #isWatched(query: BookViewQuery): boolean {
    if (query.channel === 'allMids') return this.#allMids !== undefined;
    return this.#ofCoin.get(query.coin)?.has(viewKey(query)) === true;
  }

  #showAll(coin: string): void {
    this.#read.delete(coin);
    for (const view of this.#ofCoin.get(coin)?.values() ?? []) this.#show(view);
  }

  #show(watched: Watched): void {
    const { query } = watched;
    if (query.channel === 'allMids') return;
    const viewed = this.#deps.coin(query.coin);
    if (viewed === null) return;
    const body = query.channel === 'bbo' ? bboOf(viewed.book) : l2BookOf(viewed.book, query);
    if (body === watched.last) return;
    watched.last = body;
    this.#deps.changed(watched.key, dataOf(query.coin, viewed, body));
  }

  /** Reads the mid price of a coin; a book with an empty side has none. Returns whether it changed. */
  #readMid(coin: string): boolean {
    const book = this.#deps.coin(coin)?.book;
    const bid = book?.best('B')?.px;
    const ask = book?.best('A')?.px;
    if (bid === undefined || ask === undefined) return this.#mids.delete(coin);
    const mid = middle(bid, ask);
    if (this.#mids.get(coin) === mid) return false;
    this.#mids.set(coin, mid);
    return true;
  }

  /** Once for all coins that are lost together. */
  #publishMidsSoon(): void {
    if (this.#areMidsDue) return;
    this.#areMidsDue = true;
    queueMicrotask(() => {
      this.#areMidsDue = false;
      this.#publishMids();
    });
  }

  #publishMids(): void {
    if (this.#allMids === undefined) return;
    this.#deps.changed(this.#allMids.key, `{"mids":${JSON.stringify(Object.fromEntries(this.#mids))}}`);
  }
}

function dataOf(coin: string, { time }: ViewedCoin, body: string): string {
  return `{"coin":${JSON.stringify(coin)},"time":${time},${body}}`;
}

/** As the exchange sends it: with the spread of the prices that are not grouped, if the levels are (CHAN-30). */
function l2BookOf(book: L4Book, query: L2BookQuery): string {
  const side = (name: Side) => levelsJson(book, name, query, query.levels);
  const spread = query.nSigFigs === null ? '' : spreadOf(book);
  return `"levels":[[${side('B')}],[${side('A')}]]${spread}${'fast' in query ? ',"fast":true' : ''}`;
}

function spreadOf(book: L4Book): string {
  const [bid, ask] = [bestLevel(book, 'B'), bestLevel(book, 'A')];
  return bid === null || ask === null
    ? ''
    : `,"spread":"${formatUnits(minus(ask.px, bid.px), ask.pxScale, DECIMALS_MIN)}"`;
}

function bboOf(book: L4Book): string {
  return `"bbo":[${bestJson(book, 'B')},${bestJson(book, 'A')}]`;
}

function bestJson(book: L4Book, side: Side): string {
  const best = bestLevel(book, side);
  return best === null ? 'null' : levelJson(best.px, best.levelSz, best.levelOrders, best);
}

/** A cursor at the best level that has size; null for an empty side. */
function bestLevel(book: L4Book, side: Side): OrderCursor | null {
  const cursor = book.cursor(side);
  while (cursor.nextLevel()) if (!isNothing(cursor.levelSz)) return cursor;
  return null;
}
