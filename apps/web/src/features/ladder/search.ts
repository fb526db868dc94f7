import { type DecimalString, type Side, z } from '@l4desk/protocol';
import { CENTRINGS } from '../../book-worker/axis.ts';
import type { TakerSide } from '../../book-worker/panes/sweep.ts';
import type { LevelRef } from '../../book-worker/position.ts';
import { indexHolding, priceOfIndex, TICK_PATTERN, tickGrid } from '../../book-worker/prices.ts';
import {
  type Choices,
  type PageChoices,
  pageSearch,
  searchDecimal,
  searchList,
  searchText,
  searchWallet,
  searchWhole,
} from '../../state/page-search.ts';
import { leastSize } from '../../state/preferences.ts';
import { LADDERS_MAX, searchBooks } from './books/books.ts';

/** A switch: on, off, or absent for the remembered state. */
const searchSwitch = z.enum(['0', '1']);

/** The distances from the mid that panes offer, in basis points. */
export const DISTANCES = ['5', '10', '25', '50', '100'] as const;

const SWEEP_PATTERN = /^(buy|sell)-(sz|ntl|to)-(\d{1,15}(?:\.\d{1,12})?)$/;

const LEVEL_SORT_PATTERN = /^-?(?:place|sz|age|owner)$/;

/** Kinds of change by which the tape can be filtered. */
export const TAPE_KINDS = ['added', 'cancelled', 'executed', 'requoted', 'resized'] as const;

const FIELDS = {
  /** Price grouping; the coin's finest when absent. */
  tick: z.string().regex(TICK_PATTERN),
  /** How the rows follow the market; `auto` when absent. */
  view: z.enum(CENTRINGS),
  /** Sides of the price with numbers: one, or bids and asks on two; as last used when absent. */
  sides: z.enum(['1', '2']),
  /** The level in the inspector: side and price, `A81308`. */
  level: z.string().regex(/^[BA]\d+(?:\.\d+)?$/),
  /** The order of that level whose details are open, by its oid. */
  order: searchWhole(0, 999_999_999_999_999),
  /** The block at which to hold the book. */
  block: searchWhole(1, 999_999_999_999),
  /** How the level's orders are listed: the sort column, descending with a minus; grouped by owner; filters. */
  sort: z.string().regex(LEVEL_SORT_PATTERN),
  group: z.literal('owner'),
  owner: searchText,
  tif: searchText,
  min: searchDecimal,
  /** The open tab of the panel, or `none` for no panel; as last used when absent. */
  pane: z.string().regex(/^[a-z]{1,16}$/),
  /** The distance from the mid within which owners are listed, in basis points. */
  within: z.enum(DISTANCES),
  /** The only wallet whose orders the ladder shows. */
  only: searchWallet,
  /** The wallet whose orders are excluded from the ladder's numbers and drawn as ghosts. */
  without: searchWallet,
  /** The market order to try: `buy-sz-10`, `sell-ntl-1000000`, `buy-to-81400`. */
  sweep: z.string().regex(SWEEP_PATTERN),
  /** The tape's tab shows what changed between this block and the shown one. */
  since: searchWhole(1, 999_999_999_999),
  /** The tape lists every change, not only prints; so it does if kinds are chosen. */
  tape: z.literal('events'),
  /** The tape's filters: kinds, one side, one wallet, and the least size. */
  kinds: searchList(z.enum(TAPE_KINDS)),
  side: z.enum(['B', 'A']),
  wallet: searchWallet,
  least: leastSize,
  /** The tape lists only the selected level. */
  here: z.literal('1'),
  /** The ladders besides the first one; and the active ladder, counted from 1, to which the page's controls and panes belong. */
  books: searchBooks,
  on: searchWhole(1, LADDERS_MAX),
  /** The order of the panes when there is room for several at once. */
  panes: searchList(z.string().regex(/^[a-z]{1,16}$/)),
  /**
   * The scale of the lanes' bars, which orders are highlighted for their size, and whether the map is shown; as last used when
   * absent.
   */
  bars: z.enum(['linear', 'sqrt', 'log']),
  large: z.union([z.enum(['none', 'p99']), leastSize]),
  map: searchSwitch,
  /**
   * The columns of the ladders, as last used when absent: the number of orders, cumulative size, notional, the lane; and what came
   * and was withdrawn lately. Older addresses list columns of what moved, or say `none`.
   */
  n: searchSwitch,
  cum: searchSwitch,
  ntl: z.enum(['none', 'row', 'cumulative']),
  lane: searchSwitch,
  flow: z.union([
    searchSwitch,
    z
      .string()
      .regex(/^[a-z,]+$/i)
      .transform((columns) => (columns === 'none' ? '0' : '1')),
  ]),
  /** The panes that are closed there, or `none`; as last used when absent. */
  closed: z.union([z.literal('none'), searchList(z.string().regex(/^[a-z]{1,16}$/))]),
  /** Whether the figures strip and the time strip are shown; as last used when absent. */
  strip: searchSwitch,
  time: searchSwitch,
  /** The radar at the right edge, if there is room for it. */
  radar: searchSwitch,
  /** The ladders' share of the width beside the panes, in percent; the default when absent. */
  split: searchWhole(20, 80),
  /** A separate window, without the page's chrome, shows only the ladder or this pane. */
  pop: z.string().regex(/^[a-z]{1,16}$/),
} as const;

/** The query string of the book page. */
export const ladderSearch = pageSearch(FIELDS);

export type LadderChoices = Choices<typeof FIELDS>;

/** The open page's choices and how they are changed. */
export type LadderSearch = PageChoices<typeof FIELDS>;

/** A level from the URL as a row of this tick: a bid's price rounds down, an ask's up. */
export function levelOnTick(level: string | undefined, tick: DecimalString | undefined): LevelRef | undefined {
  const grid = tick === undefined ? undefined : tickGrid(tick);
  if (level === undefined || grid === undefined) return undefined;
  const side: Side = level.startsWith('A') ? 'A' : 'B';
  const index = indexHolding(grid, side, level.slice(1));
  return index === undefined ? undefined : { side, px: priceOfIndex(grid, index), tick: grid.tick };
}

export function writeLevel({ side, px }: Pick<LevelRef, 'side' | 'px'>): string {
  return `${side}${px}`;
}

/** How a market order's amount is given: as a size, a notional, or a limit price. */
export type SweepMeasure = 'sz' | 'ntl' | 'to';

export interface SweepChoice {
  readonly side: TakerSide;
  readonly measure: SweepMeasure;
  readonly amount: DecimalString;
}

/** The market order that is tried while none is chosen. */
export const DEFAULT_SWEEP: SweepChoice = { side: 'buy', measure: 'sz', amount: '1' };

export function readSweep(text: string | undefined): SweepChoice | undefined {
  const [, side, measure, amount] = SWEEP_PATTERN.exec(text ?? '') ?? [];
  if (side === undefined) return undefined;
  return { side: side as TakerSide, measure: measure as SweepMeasure, amount: amount as DecimalString };
}

export function writeSweep({ side, measure, amount }: SweepChoice): string {
  return `${side}-${measure}-${amount}`;
}
