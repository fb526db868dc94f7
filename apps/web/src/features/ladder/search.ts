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
import { leastSize, SETTING_FIELDS } from '../../state/settings.ts';
import { LADDERS_MAX, searchBooks } from './books/books.ts';

export const DISTANCES = ['5', '10', '25', '50', '100'] as const;

/** The distance within which owners are counted while none is chosen. */
export const DEFAULT_DISTANCE: (typeof DISTANCES)[number] = '10';

const SWEEP_PATTERN = /^(buy|sell)-(sz|ntl|to)-(\d{1,15}(?:\.\d{1,12})?)$/;

const LEVEL_SORT_PATTERN = /^-?(?:place|sz|age|owner)$/;

/** Kinds of change by which the tape can be filtered. */
export const TAPE_KINDS = ['added', 'canceled', 'executed', 'requoted', 'resized'] as const;

/** Older addresses spell it `cancelled`. */
const tapeKind = z
  .string()
  .transform((kind) => (kind === 'cancelled' ? 'canceled' : kind))
  .pipe(z.enum(TAPE_KINDS));

const FIELDS = {
  ...SETTING_FIELDS,
  tick: z.string().regex(TICK_PATTERN),
  /** How the rows follow the market; `auto` when absent. */
  view: z.enum(CENTRINGS),
  /** The level in the inspector: side and price, `A81308`. */
  level: z.string().regex(/^[BA]\d+(?:\.\d+)?$/),
  /** The order of that level whose details are open, by its oid. */
  order: searchWhole(0, 999_999_999_999_999),
  block: searchWhole(1, 999_999_999_999),
  sort: z.string().regex(LEVEL_SORT_PATTERN),
  group: z.literal('owner'),
  owner: searchText,
  tif: searchText,
  min: searchDecimal,
  within: z.enum(DISTANCES),
  only: searchWallet,
  without: searchWallet,
  /** The market order to try: `buy-sz-10`, `sell-ntl-1000000`, `buy-to-81400`. */
  sweep: z.string().regex(SWEEP_PATTERN),
  /** The tape's tab shows what changed between this block and the shown one. */
  since: searchWhole(1, 999_999_999_999),
  /** The tape lists every change, not only prints; so it does if kinds are chosen. */
  tape: z.literal('events'),
  /** The tape's filters: kinds, one side, one wallet, and the least size. */
  kinds: searchList(tapeKind),
  side: z.enum(['B', 'A']),
  wallet: searchWallet,
  least: leastSize,
  /** The tape lists only the selected level. */
  here: z.literal('1'),
  /** The ladders besides the first one; and the active ladder, counted from 1, to which the page's controls and panes belong. */
  books: searchBooks,
  on: searchWhole(1, LADDERS_MAX),
  /** A separate window, without the page's chrome, shows only the ladder or this pane. */
  pop: z.string().regex(/^[a-z]{1,16}$/),
} as const;

export const ladderSearch = pageSearch(FIELDS);

export type LadderChoices = Choices<typeof FIELDS>;

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
