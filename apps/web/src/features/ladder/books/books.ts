import { infoCredits, TARIFF, z } from '@l4desk/protocol';
import type { RefObject } from 'react';
import { CENTRINGS, type Centring } from '../../../book-worker/axis.ts';
import type { Live } from '../../../book-worker/live.ts';
import { TICK_PATTERN } from '../../../book-worker/prices.ts';
import type { LadderHandle } from '../canvas/ladder-handle.ts';

/** One of the ladders side by side: its coin, its grouping, and how its rows follow the market. */
export interface BookChoice {
  readonly coin: string;
  /** Absent: the coin's finest grouping. */
  readonly tick?: string | undefined;
  /** Absent: `auto`. */
  readonly mode?: Centring | undefined;
}

export const LADDERS_MAX = 3;

/** How many steps coarser a second grouping is: three steps of 1, 2, 5 are a power of ten. */
const COARSER_BY = 3;

/** The grouping of a ladder beside one of the same book: coarser, or the finest beside the coarsest. Without a tick, that one has the finest. */
export function tickBeside<Tick extends string>(ticks: readonly Tick[], tick: string | undefined): Tick | undefined {
  const at = Math.max(
    0,
    ticks.findIndex((offered) => offered === tick),
  );
  return at === ticks.length - 1 ? ticks[0] : ticks[Math.min(ticks.length - 1, at + COARSER_BY)];
}

/** In the URL: no ladder besides the first one, whatever was remembered. */
const NO_BOOKS = 'none';

/** A coin in the URL, where a ladder is written as `ETH`, `BTC@10`, `BTC@10@mid` or `SOL@@static`. */
const COIN = /^[\w:.-]{1,64}$/;

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

/** Parses the ladders besides the first one: `ETH,BTC@10`, or `none`; undefined if invalid. */
export function readBooks(text: string): readonly BookChoice[] | undefined {
  if (text === NO_BOOKS) return [];
  const books = text.split(',').map(readBook);
  const read = books.filter((book) => book !== undefined);
  return read.length === books.length && read.length < LADDERS_MAX ? read : undefined;
}

export function writeBooks(books: readonly BookChoice[]): string {
  return books.length === 0 ? NO_BOOKS : books.map(writeBook).join(',');
}

export const searchBooks = z.string().refine((text) => readBooks(text) !== undefined);

/** Initial cost of following one more coin, in credits: its snapshot, and the first minute. */
export const BOOK_CREDITS = infoCredits('l4BookSnapshot') + TARIFF.l4BookUpdatesPerCoinMinute;

export interface ListedLadder extends BookChoice {
  readonly index: number;
  /** What the controls around it send commands to; null while it is not drawn. */
  readonly pane: RefObject<LadderHandle | null>;
}

/** A ladder of the page, with the book it shows. */
export interface PlacedLadder extends ListedLadder {
  /** Undefined while its coin is not followed. */
  readonly live: Live | undefined;
  /** Whether it shows the page's own book. */
  readonly isOwn: boolean;
  /** The ladder's number among those of the same book: the panes belong to the frame of the first. */
  readonly view: number;
}

/**
 * Assigns a book to each ladder: ladders of one coin share one, so that another grouping costs nothing and shows the same blocks.
 * The first ladder's coin is the page's own.
 */
export function placeLadders(
  ladders: readonly ListedLadder[],
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

/** The coins, without duplicates, that need a book besides the first ladder's. */
export function otherCoins(ladders: readonly BookChoice[]): readonly string[] {
  const [first, ...others] = ladders;
  return [...new Set(others.map(({ coin }) => coin))].filter((coin) => coin !== first?.coin);
}
