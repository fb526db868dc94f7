import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { useLayoutEffect, useMemo } from 'react';
import type { LensOwner, LensSide } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { onceAFrame, type SlowFrames, useSlowValue } from '../../../book-worker/use-slow-pane.ts';
import { counted, decimalText, grouped, secondsText, wholeText, wholeUnits } from '../../../ui/format.ts';
import { type CellPart, type LiveColumn, numberPart } from '../../../ui/live-grid/live-column.ts';
import { LiveGrid } from '../../../ui/live-grid/live-grid.tsx';
import type { Sight } from '../../../ui/live-grid/live-view.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { useOwnerParts } from '../../../wallets/owner-parts.ts';
import { SlowText } from '../live-text.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { keyOf, LISTED, type OwnerRow, OwnerRows, sideOf } from './owner-rows.ts';
import { leanText, shareText } from './texts.ts';

interface OwnersGridProps {
  readonly side: Side;
  readonly frames: SlowFrames;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  /** A stable object. */
  readonly widths: OwnerWidths;
  readonly chosen: Address | undefined;
  /** The wallets keep their rows (WEB-171). */
  readonly isHeld: boolean;
  readonly onOpen: (owner: Pick<LensOwner, 'user'>) => void;
  readonly onSight: (sight: Sight) => void;
}

/** The wallets of one side, the largest first. */
export function OwnersGrid({ side, frames, width, widths, chosen, isHeld, onOpen, onSight }: OwnersGridProps) {
  const sizeDecimals = useSlowValue(frames, (frame) => frame.sizeDecimals);
  const source = useMemo(() => new OwnerRows(side, frames), [side, frames]);
  useLayoutEffect(() => source.hold(isHeld), [source, isHeld]);
  const ownerOf = useOwnerParts();
  const columns = useMemo(
    () => fitting(columnsOf({ side, sizeDecimals: sizeDecimals ?? 0, ownerOf, widths }), width),
    [side, sizeDecimals, ownerOf, widths, width],
  );
  const name = side === 'B' ? 'Bids' : 'Asks';
  return (
    <section aria-label={`${name} by wallet`} data-side={side} className="flex min-h-28 grow basis-0 flex-col">
      {/* One line high, in its own box: if it is too narrow, the last items disappear entirely. */}
      <div className="relative h-[calc(1lh+10px)] shrink-0 text-12">
        <h3 className="absolute inset-0 flex flex-wrap items-baseline gap-x-3 gap-y-2 px-3 py-1 whitespace-nowrap contain-strict">
          <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{name}</span>
          {sizeDecimals !== undefined && (
            <>
              <span data-field="sz">
                <SlowText
                  pane="owners"
                  read={({ owners }) => decimalText(sideOf(owners?.lens, side)?.sz ?? '0', sizeDecimals)}
                />
              </span>
              <span className="text-dim">
                <SlowText pane="owners" read={({ owners }) => countsText(sideOf(owners?.lens, side))} />
              </span>
              <span className="text-dim">
                <SlowText pane="owners" read={({ owners }) => listedText(sideOf(owners?.lens, side))} />
              </span>
            </>
          )}
        </h3>
      </div>
      <LiveGrid
        name={`${name} by wallet`}
        columns={columns}
        source={source}
        keyOf={keyOf}
        followsRow
        selected={chosen}
        onOpen={onOpen}
        onSight={onSight}
        empty={sizeDecimals === undefined && <PaneHint>Adding up the wallets near the mid …</PaneHint>}
      />
    </section>
  );
}

function countsText(lens: LensSide | undefined): string {
  return lens === undefined ? '' : `${counted(lens.orders, 'order')} · ${counted(lens.wallets, 'wallet')}`;
}

/** How many wallets the list has once it is scrolled, if not all. */
function listedText(lens: LensSide | undefined): string {
  return lens === undefined || lens.wallets <= LISTED ? '' : `largest ${wholeText(LISTED)}`;
}

/** A column of sizes or of ages is at least this wide, px. */
const SIZE_LEAST = 82;
const AGE_LEAST = 60;
const SCROLL_BAR = 15;
/** Wallet, share, size and orders are shown however narrow the pane is. */
const FEWEST = 4;

/** A narrow pane drops its last columns instead of scrolling sideways; before it is laid out (width 0) all columns are kept. */
function fitting<Column extends { readonly width: number }>(
  columns: readonly Column[],
  width: number,
): readonly Column[] {
  if (width === 0) return columns;
  let left = width - SCROLL_BAR;
  return columns.filter((column, at) => (left -= column.width) >= 0 || at < FEWEST);
}

/** Whether there is room for the column of requotes. */
export function showsRequotes(width: number, widths: OwnerWidths): boolean {
  return fitting(placed(widths), width).some(({ id }) => id === 'requotes');
}

/** Widths that depend on the coin: of the sizes and of the ages, px. */
export type OwnerWidths = Readonly<Record<'sz' | 'age', number>>;

const placed = ({ sz, age }: OwnerWidths) =>
  COLUMNS.map((column) => {
    if (column.id === 'sz') return { ...column, width: sz };
    return column.id === 'age' ? { ...column, width: age } : column;
  });

const ownersOf = ({ owners }: PanesFrame) =>
  [owners?.lens.bids, owners?.lens.asks].flatMap((list) => list?.owners ?? []);

/** Lengths of the longest size and the longest age of both lists, as they are written. */
const sizeLength = onceAFrame((frame) => longest(ownersOf(frame).map(({ sz }) => decimalText(sz, frame.sizeDecimals))));
const ageLength = onceAFrame((frame) => longest(ownersOf(frame).map(({ medianAgeMs }) => secondsText(medianAgeMs))));

/** Both lists have columns of the same widths. */
export function useOwnerWidths(frames: SlowFrames): OwnerWidths {
  // Not the coin: the last frame of another one is still there when the page has this one.
  const book = useSlowValue(frames, ({ generation }) => generation);
  const sz = numberWidth(useLargest(book, useSlowValue(frames, sizeLength) ?? 0), SIZE_LEAST);
  const age = numberWidth(useLargest(book, useSlowValue(frames, ageLength) ?? 0), AGE_LEAST);
  return useMemo(() => ({ sz, age }), [sz, age]);
}

const COLUMNS = [
  { id: 'owner', title: 'wallet', width: 96, grow: true },
  { id: 'share', title: 'share', hint: "Part of this side's size within the distance", width: 60, align: 'end' },
  { id: 'sz', title: 'size', width: SIZE_LEAST, align: 'end' },
  { id: 'orders', title: 'n', hint: 'Orders', width: 40, align: 'end' },
  {
    id: 'skew',
    title: 'skew',
    hint: '(bids − asks) ÷ (bids + asks) of its sizes within the distance: +1 rests on the bid side only',
    width: 54,
    align: 'end',
  },
  { id: 'age', title: 'age', hint: 'Median age of its orders on this side', width: AGE_LEAST, align: 'end' },
  {
    id: 'requotes',
    title: 'rq/min',
    hint: 'Requotes a minute on this side: orders that took the place of another under the same cloid',
    width: 56,
    align: 'end',
  },
  {
    id: 'notional',
    title: 'ntl',
    hint: 'Notional: size times limit price, of its orders on this side',
    width: 96,
    align: 'end',
  },
] as const;

interface ColumnChoice {
  readonly side: Side;
  readonly sizeDecimals: number;
  readonly ownerOf: (user: Address | null) => readonly CellPart[];
  readonly widths: OwnerWidths;
}

function columnsOf({ side, sizeDecimals, ownerOf, widths }: ColumnChoice): readonly LiveColumn<OwnerRow>[] {
  const tone = side === 'B' ? 'bid-mark' : 'ask-mark';
  const parts: Readonly<Record<(typeof COLUMNS)[number]['id'], LiveColumn<OwnerRow>['parts']>> = {
    owner: ({ user }) => ownerOf(user),
    share: ({ share, largest }) => [{ kind: 'bar', share: partOf(share, largest), tone }, numberPart(shareText(share))],
    sz: ({ sz }) => [numberPart(decimalText(sz, sizeDecimals))],
    orders: ({ orders }) => [numberPart(wholeText(orders))],
    skew: ({ skew }) => [numberPart(leanText(skew))],
    age: ({ medianAgeMs }) => [numberPart(secondsText(medianAgeMs))],
    requotes: ({ requotes }) => [requotesPart(requotes)],
    notional: ({ notional }) => [numberPart(wholeUnits(notional))],
  };
  return placed(widths).map((column) => ({
    ...column,
    parts: (row) => (row.isUnlisted && column.id !== 'owner' ? unlistedParts(column.id) : parts[column.id](row)),
    ...(column.id === 'owner' ? { hintOf: ({ user }: OwnerRow) => user ?? undefined } : {}),
    ...(column.id === 'sz'
      ? {
          hintOf: ({ isUnlisted, notional }: OwnerRow) =>
            isUnlisted ? 'no longer among the largest' : `notional ${grouped(notional)}`,
        }
      : {}),
  }));
}

/** A wallet that has kept its row and is no longer listed has no numbers. */
function unlistedParts(column: string): readonly CellPart[] {
  return [numberPart(column === 'sz' ? 'unlisted' : '—', 'text-dim')];
}

/** For drawing only: rounded to hundredths, so that a bar does not change when its share hardly does. */
function partOf(share: DecimalString, largest: DecimalString): number {
  return Number(largest) === 0 ? 0 : Math.round((100 * Number(share)) / Number(largest)) / 100;
}

function requotesPart(requotes: DecimalString | null): CellPart {
  if (requotes === null) return numberPart('—');
  return requotes === '0.0' ? numberPart('0', 'text-dim') : numberPart(grouped(requotes));
}
