import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { type ReactNode, useMemo } from 'react';
import type { LensOwner, LensSide, OwnersResponse } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { counted, decimalText, grouped, secondsText, wholeText, wholeUnits } from '../../../ui/format.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { type Held, useHeldList } from '../held-list.ts';
import { PaneHint } from '../pane-hint.tsx';
import { leanText, shareText } from './texts.ts';

/** A wallet in the list. */
interface OwnerRow extends LensOwner {
  /** The largest share on its side. */
  readonly largest: DecimalString;
  readonly requotes: DecimalString | null;
}

/** Most wallets listed per side: the rest have almost nothing, and are counted in every sum. */
export const LISTED = 100;

/** The most held rows. With more, the wallets are sorted anew. */
const HELD_MAX = 300;

const keyOf = ({ user }: Pick<OwnerRow, 'user'>): string => user ?? 'unnamed';
const keyOfHeld = ({ row }: Held<OwnerRow>) => keyOf(row);

interface OwnersGridProps {
  readonly side: Side;
  /** Undefined until there is a response. */
  readonly frame: PanesFrame | undefined;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  /** A stable object. */
  readonly widths: OwnerWidths;
  readonly chosen: Address | undefined;
  /** The wallets keep their rows. */
  readonly isHeld: boolean;
  readonly onOpen: (owner: Pick<LensOwner, 'user'>) => void;
}

/** The wallets of one side, the largest first. */
export function OwnersGrid({ side, frame, width, widths, chosen, isHeld, onOpen }: OwnersGridProps) {
  const sizeDecimals = frame?.sizeDecimals;
  const owners = frame?.owners;
  const lens = side === 'B' ? owners?.lens.bids : owners?.lens.asks;
  const rows = useHeldList({
    rows: useMemo(() => ownersOf(side, owners), [side, owners]),
    keyOf,
    isHeld,
    of: `${frame?.generation} ${owners?.serial}`,
    height: owners?.height ?? 0,
    max: HELD_MAX,
  });
  const columns = useMemo(
    () => fitting(columnsOf({ side, sizeDecimals: sizeDecimals ?? 0, widths }), width),
    [side, sizeDecimals, widths, width],
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
              <span data-field="sz" className="num">
                {decimalText(lens?.sz ?? '0', sizeDecimals)}
              </span>
              <span className="num text-dim">{countsText(lens)}</span>
              <span className="num text-dim">{listedText(lens)}</span>
            </>
          )}
        </h3>
      </div>
      <DataTable
        name={`${name} by wallet`}
        columns={columns}
        rows={rows}
        keyOf={keyOfHeld}
        followsRow
        selected={chosen}
        onOpen={({ row }) => onOpen(row)}
        empty={sizeDecimals === undefined && <PaneHint>Adding up the wallets near the mid …</PaneHint>}
      />
    </section>
  );
}

export function ownersOf(side: Side, response: OwnersResponse | undefined): readonly OwnerRow[] {
  if (response === undefined) return [];
  const lens = side === 'B' ? response.lens.bids : response.lens.asks;
  const rates = side === 'B' ? response.requotes?.bids : response.requotes?.asks;
  return lens.owners.map((owner, index) => ({ ...owner, largest: lens.top1, requotes: rates?.[index] ?? null }));
}

function countsText(lens: LensSide | undefined): string {
  return lens === undefined ? '' : `${counted(lens.orders, 'order')} · ${counted(lens.wallets, 'wallet')}`;
}

/** How many wallets the list has, if not all. */
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
function fitting<Column extends { readonly width?: number }>(
  columns: readonly Column[],
  width: number,
): readonly Column[] {
  if (width === 0) return columns;
  let left = width - SCROLL_BAR;
  return columns.filter((column, at) => (left -= column.width ?? 0) >= 0 || at < FEWEST);
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

/** Both lists have columns of the same widths, for the longest size and the longest age of this book so far. */
export function useOwnerWidths(frame: PanesFrame | undefined): OwnerWidths {
  const lengths = useMemo(() => {
    const { bids, asks } = frame?.owners?.lens ?? {};
    const owners = [...(bids?.owners ?? []), ...(asks?.owners ?? [])];
    return {
      sz: longest(owners.map(({ sz }) => decimalText(sz, frame?.sizeDecimals ?? 0))),
      age: longest(owners.map(({ medianAgeMs }) => secondsText(medianAgeMs))),
    };
  }, [frame]);
  // Not the coin: the last frame of another one is still there when the page has this one.
  const book = frame?.generation;
  const sz = numberWidth(useLargest(book, lengths.sz), SIZE_LEAST);
  const age = numberWidth(useLargest(book, lengths.age), AGE_LEAST);
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
  readonly widths: OwnerWidths;
}

function columnsOf({ side, sizeDecimals, widths }: ColumnChoice): readonly TableColumn<Held<OwnerRow>>[] {
  const cells: Readonly<Record<(typeof COLUMNS)[number]['id'], (row: OwnerRow) => ReactNode>> = {
    owner: ({ user }) => <OwnerName user={user} hasHint={false} />,
    share: ({ share, largest }) => (
      <>
        <span
          aria-hidden
          style={{ width: `${partOf(share, largest)}%` }}
          className={`absolute inset-y-0.5 left-0 opacity-40 ${side === 'B' ? 'bg-bid-mark' : 'bg-ask-mark'}`}
        />
        <span className="relative">{shareText(share)}</span>
      </>
    ),
    sz: ({ sz }) => decimalText(sz, sizeDecimals),
    orders: ({ orders }) => wholeText(orders),
    skew: ({ skew }) => leanText(skew),
    age: ({ medianAgeMs }) => secondsText(medianAgeMs),
    requotes: ({ requotes }) => (requotes === null ? '—' : requotes === '0.0' ? '0' : grouped(requotes)),
    notional: ({ notional }) => wholeUnits(notional),
  };
  return placed(widths).map((column) => ({
    ...column,
    // A wallet that has kept its row and is no longer listed has no numbers.
    cell: ({ row, isAbsent }) =>
      isAbsent && column.id !== 'owner' ? (column.id === 'sz' ? 'unlisted' : '—') : cells[column.id](row),
    lookOf: ({ row, isAbsent }) => {
      if (column.id === 'share') return isAbsent ? 'relative text-dim' : 'relative';
      const isDim = (isAbsent && column.id !== 'owner') || (column.id === 'requotes' && row.requotes === '0.0');
      return isDim ? 'text-dim' : undefined;
    },
    ...(column.id === 'owner' ? { hintOf: ({ row }: Held<OwnerRow>) => row.user ?? undefined } : {}),
    ...(column.id === 'sz'
      ? {
          hintOf: ({ row, isAbsent }: Held<OwnerRow>) =>
            isAbsent ? 'no longer among the largest' : `notional ${grouped(row.notional)}`,
        }
      : {}),
  }));
}

/** In percent; for drawing only. Rounded, so that a bar does not change when its share hardly does. */
function partOf(share: DecimalString, largest: DecimalString): number {
  return Number(largest) === 0 ? 0 : Math.round((100 * Number(share)) / Number(largest));
}
