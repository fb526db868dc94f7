import { compare } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { useMemo, useRef, useState } from 'react';
import type { WatchedPlace } from '../../../book-worker/panes/queues.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { Button } from '../../../ui/button.tsx';
import { aligned, columnDecimals, counted, decimalText, wholeText } from '../../../ui/format.ts';
import { useLargest } from '../../../ui/number-width.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { RowState, TableColumn } from '../../../ui/table/table-column.ts';
import { useWalletsDialog } from '../../../wallets/use-wallets-dialog.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { type Held, useHeldList } from '../held-list.ts';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { useListHold } from '../use-list-hold.ts';
import { absenceText, placeText, QueueLifePanel } from './queue-life-panel.tsx';

/** Orders listed per side: the nearest to the mid. */
const LISTED = 100;

/**
 * Whether an order that a response does not have has left. If the response lists as many of its side as it may, an order no nearer to
 * the mid than these may still rest.
 */
export function goneFrom(orders: readonly WatchedPlace[], limit = LISTED): (order: WatchedPlace) => boolean {
  const furthest = { B: furthestPx(orders, 'B', limit), A: furthestPx(orders, 'A', limit) };
  return ({ side, limitPx }) => {
    const px = furthest[side];
    if (px === undefined) return true;
    return side === 'B' ? compare(limitPx, px) > 0 : compare(limitPx, px) < 0;
  };
}

/** The price of the last listed order of a side; undefined if all of its orders are listed. */
function furthestPx(orders: readonly WatchedPlace[], side: Side, limit: number): DecimalString | undefined {
  const own = orders.filter((order) => order.side === side);
  return own.length < limit ? undefined : own.at(-1)?.limitPx;
}

const WANTED = { limit: LISTED };

/** The most held rows: a busy maker's requotes are new orders, several a second. With more, the orders are sorted anew. */
const HELD_MAX = 1_000;

type ListedOrder = Held<WatchedPlace>;

const keyOf = ({ oid }: WatchedPlace) => String(oid);
const keyOfListed = ({ row }: ListedOrder) => keyOf(row);

const dataOf = ({ row }: ListedOrder) => ({ 'data-oid': row.oid });

const stateOf = ({ absence }: ListedOrder): RowState =>
  absence === undefined ? { kind: 'ok' } : { kind: 'stale', text: absenceText(absence) };

export function QueuesPane() {
  const watched = useWalletBook(({ wallets }) => wallets.length);
  const [chosen, setChosen] = useState<number>();
  const response = usePane('queues', watched === 0 ? undefined : WANTED);
  const queue = usePane('queue', chosen === undefined ? undefined : { oid: chosen });
  if (watched === 0) return <NobodyWatched />;
  if (response === undefined) return <PaneHint>Looking for orders of the watched wallets …</PaneHint>;
  const decimals = response.sizeDecimals;
  return (
    <section
      aria-label="Queues of the watched wallets"
      data-part="queues"
      data-height={response.height}
      className="flex min-h-0 grow flex-col"
    >
      <p className="num flex gap-x-3 overflow-hidden border-b border-line px-3 py-1 text-12 whitespace-nowrap text-dim max-sm:flex-wrap">
        <span>
          {counted(response.total, 'order')} · {counted(watched, 'wallet')}
        </span>
        {response.orders.length < response.total && <span>nearest {wholeText(response.orders.length)}</span>}
        <OtherBlock height={response.height} title="Places are read five times a second" />
      </p>
      {response.unfollowed > 0 && (
        <p className="px-3 py-1 text-12 text-stale">
          {wholeText(response.unfollowed)} orders are too many to be followed: of them only the place is known.
        </p>
      )}
      <OrderList
        key={response.generation}
        response={response}
        decimals={decimals}
        chosen={chosen}
        onOpen={(oid) => setChosen((last) => (last === oid ? undefined : oid))}
      />
      {chosen !== undefined && (
        <QueueLifePanel
          key={chosen}
          oid={chosen}
          listed={response.orders.find(({ oid }) => oid === chosen)}
          queue={queue}
          decimals={decimals}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}

interface OrderListProps {
  readonly response: PaneResult<'queues'>;
  readonly decimals: number;
  readonly chosen: number | undefined;
  readonly onOpen: (oid: number) => void;
}

/** The listed orders of one book. Their rows stay in place while somebody points at them or moves in them by keyboard. */
function OrderList({ response, decimals, chosen, onOpen }: OrderListProps) {
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useListHold(list);
  const { orders: rows, generation, height } = response;
  const isGone = goneFrom(rows);
  const orders = useHeldList({ rows, keyOf, isGone, isHeld, of: String(generation), height, max: HELD_MAX });
  const columns = useColumns(orders, decimals);
  return (
    <div ref={list} data-held={isHeld} className="flex min-h-0 grow flex-col">
      <DataTable
        name="Orders of the watched wallets"
        columns={columns}
        rows={orders}
        keyOf={keyOfListed}
        stateOf={stateOf}
        dataOf={dataOf}
        followsRow
        selected={chosen === undefined ? undefined : String(chosen)}
        onOpen={({ row }) => onOpen(row.oid)}
        empty={<PaneHint>No order of a watched wallet rests in this book.</PaneHint>}
      />
    </div>
  );
}

/** `decimals`: those of the column, by which the prices are aligned. */
const priceText = ({ row: { side, limitPx } }: ListedOrder, decimals: number) =>
  `${side} ${aligned(limitPx, decimals)}`;

const toneOf = ({ absence, row }: ListedOrder) =>
  absence !== undefined ? undefined : row.side === 'B' ? 'text-bid' : 'text-ask';

const placeOf = ({ absence, row }: ListedOrder) => absence ?? placeText(row);

/** Place and what is ahead are seen without scrolling: a narrow pane leaves out the size, and then cuts names to their letter. */
function useColumns(orders: readonly ListedOrder[], decimals: number): readonly TableColumn<ListedOrder>[] {
  const priceDecimals = useLargest('', columnDecimals(orders.map(({ row }) => row.limitPx)));
  return useMemo(
    () => [
      {
        id: 'owner',
        title: 'wallet',
        hint: 'The watched wallet',
        width: 96,
        least: 36,
        grow: true,
        copied: ({ row }) => row.user,
        cell: ({ row }) => <OwnerName user={row.user} />,
      },
      {
        id: 'px',
        title: 'price',
        hint: 'Limit price: A rests as an ask, B as a bid',
        width: 92,
        align: 'end',
        text: (order) => priceText(order, priceDecimals),
        lookOf: toneOf,
      },
      {
        id: 'sz',
        title: 'size',
        hint: 'What is left of the order',
        width: 80,
        align: 'end',
        leaves: 1,
        text: ({ row }) => decimalText(row.sz, decimals),
      },
      {
        id: 'place',
        title: 'place',
        hint: 'Its place in the queue of its price, from the front',
        width: 88,
        align: 'end',
        text: placeOf,
      },
      {
        id: 'ahead',
        title: 'ahead',
        hint: 'Size in front of it in the queue',
        width: 84,
        align: 'end',
        text: ({ row }) => decimalText(row.szAhead, decimals),
      },
    ],
    [decimals, priceDecimals],
  );
}

function NobodyWatched() {
  const { open } = useWalletsDialog();
  return (
    <div className="m-auto flex max-w-80 flex-col items-center gap-3 p-4 text-center text-dim">
      <p>The exact place of every order of the wallets in your address book is listed here. It holds none yet.</p>
      <Button look="plain" onClick={() => open()}>
        Add wallets
      </Button>
    </div>
  );
}
