import { middle } from '@l4desk/decimal';
import type { BookViewQuery, DecimalString } from '@l4desk/protocol';
import type { CoinView } from '../sequencer/sequencer.ts';
import { levelsJson, UNGROUPED } from './levels.ts';

/** What a view needs of a live coin. */
type ViewedCoin = Pick<CoinView, 'book' | 'time'>;

export interface BookViewDeps {
  /** A live coin's book; null while it is not live. */
  readonly coin: (coin: string) => ViewedCoin | null;
  /** Coins that are live. */
  readonly liveCoins: () => Iterable<string>;
  /** A view changed: the JSON of the message's `data`. */
  readonly changed: (key: string, data: string) => void;
}

interface Watched {
  readonly key: string;
  readonly query: BookViewQuery;
  /** What was said last, without its time. */
  last: string | null;
}

/** The text by which equal views are known. */
export function viewKey(query: BookViewQuery): string {
  return JSON.stringify(query);
}

/**
 * What the exchange's own channels show of our books (CHAN-1): each view is made once a block in which it changes, however
 * many receive it, and only of coins that the block changed.
 */
export class BookViews {
  readonly #deps: BookViewDeps;
  readonly #ofCoin = new Map<string, Map<string, Watched>>();
  readonly #mids = new Map<string, DecimalString>();
  #allMids: Watched | undefined;

  constructor(deps: BookViewDeps) {
    this.#deps = deps;
  }

  watch(query: BookViewQuery): void {
    const key = viewKey(query);
    const watched: Watched = { key, query, last: null };
    if (query.channel === 'allMids') {
      this.#allMids = watched;
      for (const coin of this.#deps.liveCoins()) this.#readMid(coin);
      this.#sayMids();
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

  /** The books of these coins changed, or became live. */
  changed(coins: Iterable<string>): void {
    let midsMoved = false;
    for (const coin of coins) {
      for (const watched of this.#ofCoin.get(coin)?.values() ?? []) this.#show(watched);
      if (this.#allMids !== undefined) midsMoved = this.#readMid(coin) || midsMoved;
    }
    if (midsMoved) this.#sayMids();
  }

  /** The coin's book is not trusted any more: what is said of it next is said whatever it is. */
  lost(coin: string): void {
    for (const watched of this.#ofCoin.get(coin)?.values() ?? []) watched.last = null;
    this.#mids.delete(coin);
  }

  #show(watched: Watched): void {
    const { query } = watched;
    if (query.channel === 'allMids') return;
    const viewed = this.#deps.coin(query.coin);
    if (viewed === null) return;
    const body = bodyOf(query, viewed);
    if (body === watched.last) return;
    watched.last = body;
    this.#deps.changed(watched.key, dataOf(query.coin, viewed, body));
  }

  /** Whether the mid of a coin moved. */
  #readMid(coin: string): boolean {
    const book = this.#deps.coin(coin)?.book;
    const bid = book?.best('B')?.px;
    const ask = book?.best('A')?.px;
    if (bid === undefined || ask === undefined) return false;
    const mid = middle(bid, ask);
    if (this.#mids.get(coin) === mid) return false;
    this.#mids.set(coin, mid);
    return true;
  }

  #sayMids(): void {
    if (this.#allMids === undefined) return;
    this.#deps.changed(this.#allMids.key, `{"mids":${JSON.stringify(Object.fromEntries(this.#mids))}}`);
  }
}

function dataOf(coin: string, { time }: ViewedCoin, body: string): string {
  return `{"coin":${JSON.stringify(coin)},"time":${time},${body}}`;
}

function bodyOf(query: Exclude<BookViewQuery, { channel: 'allMids' }>, { book }: ViewedCoin): string {
  if (query.channel === 'l2Book') {
    const { levels } = query;
    return `"levels":[[${levelsJson(book, 'B', query, levels)}],[${levelsJson(book, 'A', query, levels)}]]`;
  }
  const best = (side: 'B' | 'A') => levelsJson(book, side, UNGROUPED, 1) || 'null';
  return `"bbo":[${best('B')},${best('A')}]`;
}
