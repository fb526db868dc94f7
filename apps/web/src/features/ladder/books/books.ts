import { INFO_CREDITS, TARIFF, z } from '@l4desk/protocol';
import { CENTRINGS, type Centring } from '../../../book-worker/axis.ts';
import type { Live } from '../../../book-worker/live.ts';
import { TICK_PATTERN } from '../../../book-worker/prices.ts';

/** One of the ladders side by side: a coin, how it is grouped and how its rows follow the market. */
export interface BookChoice {
  readonly coin: string;
  /** The coin's finest grouping where absent. */
  readonly tick?: string | undefined;
  /** `auto` where absent. */
  readonly mode?: Centring | undefined;
}

/** The most ladders side by side. */
export const LADDERS_MAX = 3;

/** In the address: no ladder beside the first one, whatever there was last. */
const NO_BOOKS = 'none';

/** As it stands in the address: `ETH`, `BTC@10`, `BTC@10@mid`, `SOL@@static`. */
const COIN = /^[\w:.-]{1,64}$/;

/** Reads one ladder of the address; undefined where it says none. */
export function readBook(text: string): BookChoice | undefined {
  const [coin = '', tick = '', mode = '', ...more] = text.split('@');
  const isRead = COIN.test(coin) && (tick === '' || TICK_PATTERN.test(tick)) && more.length === 0;
  const centring = CENTRINGS.find((known) => known === mode);
  if (!isRead || (mode !== '' && centring === undefined)) return undefined;
  return { coin, ...(tick === '' ? {} : { tick }), ...(centring === undefined ? {} : { mode: centring }) };
}

export function writeBook({ coin, tick, mode }: BookChoice): string {
  const grouped = tick === undefined && mode === undefined ? '' : `@${tick ?? ''}`;
  return `${coin}${grouped}${mode === undefined ? '' : `@${mode}`}`;
}

/** The ladders beside the first one, as they are written: `ETH,BTC@10`, or `none`; undefined where that says nothing. */
export function readBooks(text: string): readonly BookChoice[] | undefined {
  if (text === NO_BOOKS) return [];
  const books = text.split(',').map(readBook);
  const read = books.filter((book) => book !== undefined);
  return read.length === books.length && read.length < LADDERS_MAX ? read : undefined;
}

export function writeBooks(books: readonly BookChoice[]): string {
  return books.length === 0 ? NO_BOOKS : books.map(writeBook).join(',');
}

/** The parameter `books` of the address, as written. */
export const searchBooks = z.string().refine((text) => readBooks(text) !== undefined);

/** What following one more coin costs at once: its snapshot, and the first minute. */
export const BOOK_CREDITS = INFO_CREDITS.l4BookSnapshot + TARIFF.l4BookUpdatesPerCoinMinute;

/** A ladder of the page: which book it shows, and where that comes from. */
export interface PlacedLadder extends BookChoice {
  /** Counted from 0. */
  readonly index: number;
  /** Undefined while its coin is not followed. */
  readonly live: Live | undefined;
  /** It is the page's own book. */
  readonly isOwn: boolean;
  /** Which ladder of that book it is: the panes are of the frame of the first. */
  readonly view: number;
}

/**
 * Gives each ladder its book: ladders of one coin share one, so that a grouping costs nothing and is of the same blocks.
 * The first coin is the page's own.
 */
export function placeLadders(
  ladders: readonly (BookChoice & { readonly index: number })[],
  own: Live,
  others: ReadonlyMap<string, Live>,
): readonly PlacedLadder[] {
  const first = ladders[0]?.coin;
  return ladders.map((ladder, at) => ({
    ...ladder,
    isOwn: ladder.coin === first,
    live: ladder.coin === first ? own : others.get(ladder.coin),
    view: ladders.slice(0, at).filter(({ coin }) => coin === ladder.coin).length,
  }));
}

/** The coins that need a book of their own beside the first ladder's, each once. */
export function otherCoins(ladders: readonly BookChoice[]): readonly string[] {
  const [first, ...others] = ladders;
  return [...new Set(others.map(({ coin }) => coin))].filter((coin) => coin !== first?.coin);
}
