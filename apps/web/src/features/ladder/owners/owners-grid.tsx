import { divide } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { useMemo, useRef } from 'react';
import type { LensOwner, OwnersAnswer } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { useSize } from '../../../hooks/use-size.ts';
import { counted, grouped, percentText, secondsText, sizeText, wholeText } from '../../../ui/format.ts';
import { Grid } from '../../../ui/grid/grid.tsx';
import type { GridColumn } from '../../../ui/grid/grid-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { leanText, shareText } from './texts.ts';

interface OwnersGridProps {
  readonly side: Side;
  readonly answer: OwnersAnswer;
  readonly frame: PanesFrame;
  readonly chosen: Address | undefined;
  readonly onOpen: (owner: LensOwner) => void;
}

/** A wallet of the list, and how often it requotes. */
interface OwnerRow extends LensOwner {
  readonly requotes: DecimalString | null;
}

const keyOf = ({ user }: OwnerRow) => user ?? 'unnamed';

/** One side's wallets, the largest first. */
export function OwnersGrid({ side, answer, frame, chosen, onOpen }: OwnersGridProps) {
  const { sizeDecimals } = frame;
  const { lens, requotes } = answer;
  const rates = side === 'B' ? requotes?.bids : requotes?.asks;
  const { owners, wallets, orders, sz, top1 } = side === 'B' ? lens.bids : lens.asks;
  const box = useRef<HTMLElement>(null);
  const { width } = useSize(box);
  const columns = useMemo(() => fitting(columnsOf(side, sizeDecimals, top1), width), [side, sizeDecimals, top1, width]);
  const rows = useMemo(
    () => owners.map((owner, at): OwnerRow => ({ ...owner, requotes: rates?.[at] ?? null })),
    [owners, rates],
  );
  const name = side === 'B' ? 'Bids' : 'Asks';
  return (
    <section ref={box} aria-label={`${name} by wallet`} data-side={side} className="flex min-h-0 grow basis-0 flex-col">
      <h3 className="flex items-baseline gap-3 px-3 py-1 text-12 whitespace-nowrap">
        <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{name}</span>
        <span className="num" data-field="sz">
          {sizeText(sz, sizeDecimals)}
        </span>
        <span className="num text-dim">
          {counted(orders, 'order')} · {counted(wallets, 'wallet')}
        </span>
        {wallets > owners.length && <span className="num text-dim">largest {wholeText(owners.length)}</span>}
      </h3>
      <Grid name={`${name} by wallet`} columns={columns} rows={rows} keyOf={keyOf} selected={chosen} onOpen={onOpen} />
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

function columnsOf(side: Side, sizeDecimals: number, largest: DecimalString): readonly GridColumn<OwnerRow>[] {
  return [
    { id: 'owner', title: 'wallet', width: 120, fits: true, grow: true, cell: ({ user }) => <OwnerName user={user} /> },
    {
      id: 'share',
      title: 'share',
      hint: "Part of this side's size within the distance",
      width: 64,
      align: 'end',
      cell: ({ share }) => <Share share={share} largest={largest} side={side} />,
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
      cell: ({ skew }) => leanText(skew),
    },
    {
      id: 'age',
      title: 'age',
      hint: 'Median age of its orders on this side',
      width: 72,
      align: 'end',
      cell: ({ medianAgeMs }) => secondsText(medianAgeMs),
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

/** The share, over a bar that is as long as the share is of the side's largest. */
function Share({
  share,
  largest,
  side,
}: {
  readonly share: DecimalString;
  readonly largest: DecimalString;
  readonly side: Side;
}) {
  const length = divide(share, largest, 3) ?? '0';
  return (
    <span className="relative block" title={percentText(share)}>
      <span
        aria-hidden
        className={`absolute inset-y-0.5 left-0 ${side === 'B' ? 'bg-bid-mark/30' : 'bg-ask-mark/30'}`}
        style={{ width: percentText(length).replace(' ', '') }}
      />
      <span className="relative">{shareText(share)}</span>
    </span>
  );
}
