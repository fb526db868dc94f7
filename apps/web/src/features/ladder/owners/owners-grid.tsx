import { divide } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { LensOwner, OwnersResponse } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { counted, grouped, percentText, secondsText, sizeText, wholeText } from '../../../ui/format.ts';
import { Grid } from '../../../ui/grid/grid.tsx';
import type { GridColumn } from '../../../ui/grid/grid-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { leanText, shareText } from './texts.ts';

interface OwnersGridProps {
  readonly side: Side;
  readonly response: OwnersResponse;
  readonly frame: PanesFrame;
  /** Of the pane, px; 0 before it is laid out. */
  readonly width: number;
  readonly chosen: Address | undefined;
  readonly onOpen: (owner: Pick<LensOwner, 'user'>) => void;
}

/** A wallet of the list, as it is written: rows that say the same are not drawn again. */
interface OwnerRow {
  readonly user: Address | null;
  readonly share: string;
  /** Length of the bar behind it, in percent of the largest one. */
  readonly bar: string;
  readonly sz: DecimalString;
  readonly orders: number;
  readonly skew: string;
  readonly age: string;
  readonly requotes: DecimalString | null;
}

const keyOf = ({ user }: Pick<OwnerRow, 'user'>) => user ?? 'unnamed';

/** One side's wallets, the largest first. */
export function OwnersGrid({ side, response, frame, width, chosen, onOpen }: OwnersGridProps) {
  const { sizeDecimals } = frame;
  const { lens, requotes } = response;
  const rates = side === 'B' ? requotes?.bids : requotes?.asks;
  const { owners, wallets, orders, sz, top1 } = side === 'B' ? lens.bids : lens.asks;
  const columns = useMemo(() => fitting(columnsOf(side, sizeDecimals), width), [side, sizeDecimals, width]);
  const rows = useMemo(
    () => ({
      length: owners.length,
      at: (index: number) => {
        const owner = owners[index];
        return owner && rowOf(owner, top1, rates?.[index] ?? null);
      },
    }),
    [owners, top1, rates],
  );
  const name = side === 'B' ? 'Bids' : 'Asks';
  return (
    <section aria-label={`${name} by wallet`} data-side={side} className="flex min-h-0 grow basis-0 flex-col">
      {/* One line high: where it is too narrow, what stands last goes, whole. */}
      <h3 className="flex h-6.5 flex-wrap items-baseline gap-x-3 gap-y-2 overflow-hidden px-3 py-1 text-12 whitespace-nowrap">
        <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{name}</span>
        <span className="num" data-field="sz">
          {sizeText(sz, sizeDecimals)}
        </span>
        <span className="num text-dim">
          {counted(orders, 'order')} · {counted(wallets, 'wallet')}
        </span>
        {wallets > owners.length && <span className="num text-dim">largest {wholeText(owners.length)}</span>}
      </h3>
      <Grid
        name={`${name} by wallet`}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        selected={chosen}
        onOpen={onOpen}
        isLive
      />
    </section>
  );
}

const SCROLL_BAR = 16;
/** Wallet, share, size and orders are shown however narrow the pane is. */
const FEWEST = 4;

/** A narrow pane leaves out the last columns, rather than to scroll sideways; before it is laid out, as its width of 0 says, all stand. */
function fitting<Row>(columns: readonly GridColumn<Row>[], width: number): readonly GridColumn<Row>[] {
  if (width === 0) return columns;
  let left = width - SCROLL_BAR;
  return columns.filter((column, at) => (left -= column.width) >= 0 || at < FEWEST);
}

/** Whether there is room for the column of requotes, the last one. */
export function showsRequotes(width: number): boolean {
  return fitting(columnsOf('B', 0), width).some(({ id }) => id === 'requotes');
}

function columnsOf(side: Side, sizeDecimals: number): readonly GridColumn<OwnerRow>[] {
  return [
    { id: 'owner', title: 'wallet', width: 120, fits: true, grow: true, cell: ({ user }) => <OwnerName user={user} /> },
    {
      id: 'share',
      title: 'share',
      hint: "Part of this side's size within the distance",
      width: 64,
      align: 'end',
      fits: true,
      cell: ({ share, bar }) => <Share share={share} bar={bar} side={side} />,
    },
    { id: 'sz', title: 'size', width: 82, align: 'end', cell: ({ sz }) => sizeText(sz, sizeDecimals) },
    {
      id: 'orders',
      title: 'n',
      hint: 'Orders',
      width: 40,
      align: 'end',
      cell: ({ orders }) => wholeText(orders),
    },
    {
      id: 'skew',
      title: 'skew',
      hint: '(bids − asks) ÷ (bids + asks) of its sizes within the distance: +1 rests on the bid side only',
      width: 54,
      align: 'end',
      cell: ({ skew }) => skew,
    },
    {
      id: 'age',
      title: 'age',
      hint: 'Median age of its orders on this side',
      width: 72,
      align: 'end',
      cell: ({ age }) => age,
    },
    {
      id: 'requotes',
      title: 'rq/min',
      hint: 'Requotes a minute on this side: orders that took the place of another under the same cloid',
      width: 56,
      align: 'end',
      cell: ({ requotes }) =>
        requotes === null ? '—' : requotes === '0.0' ? <span className="text-dim">0</span> : grouped(requotes),
    },
  ];
}

function rowOf(owner: LensOwner, largest: DecimalString, requotes: DecimalString | null): OwnerRow {
  const { user, share, sz, orders, skew, medianAgeMs } = owner;
  const bar = percentText(divide(share, largest, 2) ?? '0').replace(' ', '');
  return {
    user,
    share: shareText(share),
    bar,
    sz,
    orders,
    skew: leanText(skew),
    age: secondsText(medianAgeMs),
    requotes,
  };
}

interface ShareProps {
  readonly share: string;
  readonly bar: string;
  readonly side: Side;
}

/** The share, over a bar that is as long as the share is of the side's largest. */
function Share({ share, bar, side }: ShareProps) {
  return (
    <span className="relative block">
      <span
        aria-hidden
        className={`absolute inset-y-0.5 left-0 ${side === 'B' ? 'bg-bid-mark/30' : 'bg-ask-mark/30'}`}
        style={{ width: bar }}
      />
      <span className="relative">{share}</span>
    </span>
  );
}
