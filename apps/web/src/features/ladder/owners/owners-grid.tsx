import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { LensOwner, OwnersResponse } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { counted, grouped, secondsText, sizeText, wholeText } from '../../../ui/format.ts';
import { type CellPart, type LiveColumn, numberPart } from '../../../ui/live-grid/live-column.ts';
import { LiveGrid } from '../../../ui/live-grid/live-grid.tsx';
import { useOwnerParts } from '../../../wallets/owner-parts.ts';
import { SteadyText } from '../live-text.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { leanText, shareText } from './texts.ts';

interface OwnersGridProps {
  readonly side: Side;
  /** Undefined until it arrives. */
  readonly response: OwnersResponse | undefined;
  readonly frame: PanesFrame | undefined;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  readonly chosen: Address | undefined;
  readonly onOpen: (owner: Pick<LensOwner, 'user'>) => void;
}

/** A wallet in the list. */
interface OwnerRow extends LensOwner {
  /** The largest share on its side. */
  readonly largest: DecimalString;
  readonly requotes: DecimalString | null;
}

const NO_ROWS: readonly OwnerRow[] = [];

const keyOf = ({ user }: Pick<OwnerRow, 'user'>) => user ?? 'unnamed';

/** The wallets of one side, the largest first. */
export function OwnersGrid({ side, response, frame, width, chosen, onOpen }: OwnersGridProps) {
  const sizeDecimals = frame?.sizeDecimals ?? 0;
  const rates = side === 'B' ? response?.requotes?.bids : response?.requotes?.asks;
  const lens = side === 'B' ? response?.lens.bids : response?.lens.asks;
  const ownerOf = useOwnerParts();
  const columns = useMemo(
    () => fitting(columnsOf({ side, sizeDecimals, ownerOf }), width),
    [side, sizeDecimals, ownerOf, width],
  );
  const rows = useMemo(
    () =>
      lens?.owners.map((owner, index): OwnerRow => {
        return { ...owner, largest: lens.top1, requotes: rates?.[index] ?? null };
      }) ?? NO_ROWS,
    [lens, rates],
  );
  const name = side === 'B' ? 'Bids' : 'Asks';
  return (
    <section aria-label={`${name} by wallet`} data-side={side} className="flex min-h-28 grow basis-0 flex-col">
      {/* One line high, in its own box: if it is too narrow, the last items disappear entirely. */}
      <div className="relative h-[calc(1lh+10px)] shrink-0 text-12">
        <h3 className="absolute inset-0 flex flex-wrap items-baseline gap-x-3 gap-y-2 px-3 py-1 whitespace-nowrap contain-strict">
          <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{name}</span>
          {lens !== undefined && (
            <>
              <span data-field="sz">
                <SteadyText>{sizeText(lens.sz, sizeDecimals)}</SteadyText>
              </span>
              <span className="text-dim">
                <SteadyText>{`${counted(lens.orders, 'order')} · ${counted(lens.wallets, 'wallet')}`}</SteadyText>
              </span>
              {lens.wallets > lens.owners.length && (
                <span className="num text-dim">largest {wholeText(lens.owners.length)}</span>
              )}
            </>
          )}
        </h3>
      </div>
      <LiveGrid
        name={`${name} by wallet`}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        selected={chosen}
        onOpen={onOpen}
        height={response?.height}
        isStill={frame?.frozen === true}
        empty={response === undefined && <PaneHint>Adding up the wallets near the mid …</PaneHint>}
      />
    </section>
  );
}

const SCROLL_BAR = 16;
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

/** Whether there is room for the column of requotes, the last one. */
export function showsRequotes(width: number): boolean {
  return fitting(COLUMNS, width).some(({ id }) => id === 'requotes');
}

const COLUMNS = [
  { id: 'owner', title: 'wallet', width: 120, grow: true },
  { id: 'share', title: 'share', hint: "Part of this side's size within the distance", width: 64, align: 'end' },
  { id: 'sz', title: 'size', width: 82, align: 'end' },
  { id: 'orders', title: 'n', hint: 'Orders', width: 40, align: 'end' },
  {
    id: 'skew',
    title: 'skew',
    hint: '(bids − asks) ÷ (bids + asks) of its sizes within the distance: +1 rests on the bid side only',
    width: 54,
    align: 'end',
  },
  { id: 'age', title: 'age', hint: 'Median age of its orders on this side', width: 72, align: 'end' },
  {
    id: 'requotes',
    title: 'rq/min',
    hint: 'Requotes a minute on this side: orders that took the place of another under the same cloid',
    width: 56,
    align: 'end',
  },
] as const;

interface ColumnChoice {
  readonly side: Side;
  readonly sizeDecimals: number;
  readonly ownerOf: (user: Address | null) => readonly CellPart[];
}

function columnsOf({ side, sizeDecimals, ownerOf }: ColumnChoice): readonly LiveColumn<OwnerRow>[] {
  const tone = side === 'B' ? 'bid-mark' : 'ask-mark';
  const parts: Readonly<Record<(typeof COLUMNS)[number]['id'], LiveColumn<OwnerRow>['parts']>> = {
    owner: ({ user }) => ownerOf(user),
    share: ({ share, largest }) => [{ kind: 'bar', share: partOf(share, largest), tone }, numberPart(shareText(share))],
    sz: ({ sz }) => [numberPart(sizeText(sz, sizeDecimals))],
    orders: ({ orders }) => [numberPart(wholeText(orders))],
    skew: ({ skew }) => [numberPart(leanText(skew))],
    age: ({ medianAgeMs }) => [numberPart(secondsText(medianAgeMs))],
    requotes: ({ requotes }) => [requotesPart(requotes)],
  };
  return COLUMNS.map((column) => ({
    ...column,
    parts: parts[column.id],
    ...(column.id === 'owner' ? { hintOf: ({ user }: OwnerRow) => user ?? undefined } : {}),
  }));
}

/** For drawing only: rounded to hundredths, so that a bar does not change when its share hardly does. */
function partOf(share: DecimalString, largest: DecimalString): number {
  return Number(largest) === 0 ? 0 : Math.round((100 * Number(share)) / Number(largest)) / 100;
}

function requotesPart(requotes: DecimalString | null): CellPart {
  if (requotes === null) return numberPart('—');
  return requotes === '0.0' ? numberPart('0', 'text-dim') : numberPart(grouped(requotes));
}
