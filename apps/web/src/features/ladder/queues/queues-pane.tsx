import { useMemo, useRef, useState } from 'react';
import type { QueuesResponse } from '../../../book-worker/panes/queues.ts';
import { useSlowQueues } from '../../../book-worker/use-slow-pane.ts';
import { useSize } from '../../../hooks/use-size.ts';
import { Button } from '../../../ui/button.tsx';
import { aligned, columnDecimals, counted, decimalText, wholeText } from '../../../ui/format.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { RowState, TableColumn } from '../../../ui/table/table-column.ts';
import { useWalletsDialog } from '../../../wallets/use-wallets-dialog.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { useListHold } from '../use-list-hold.ts';
import type { ListedOrder } from './listed-orders.ts';
import { QueueLifePanel } from './queue-life-panel.tsx';
import { absenceText, placeText } from './texts.ts';
import { useListedOrders } from './use-listed-orders.ts';

/** Orders listed per side: the nearest to the mid. */
const LISTED = 100;

const ASK = { limit: LISTED };

const keyOf = ({ oid }: ListedOrder) => String(oid);

const stateOf = ({ absence }: ListedOrder): RowState =>
  absence === undefined ? { kind: 'ok' } : { kind: 'stale', text: absenceText(absence) };

/** The exact place of every order of the watched wallets, and what happened to the queue in front of it. */
export function QueuesPane() {
  const watched = useWalletBook(({ wallets }) => wallets.length);
  const [chosen, setChosen] = useState<number>();
  const frame = useSlowQueues(watched === 0 ? undefined : ASK, chosen ?? null);
  const decimals = frame?.sizeDecimals ?? 0;
  const response = frame?.queues;
  if (watched === 0) return <NobodyWatched />;
  if (response === undefined) return <PaneHint>Looking for orders of the watched wallets …</PaneHint>;
  const order = response.orders.find(({ oid }) => oid === chosen) ?? response.chosen ?? undefined;
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
        <OtherBlock pane="queues" title="Places are read four times a second" />
      </p>
      {response.unfollowed > 0 && (
        <p className="px-3 py-1 text-12 text-stale">
          <span className="num">{wholeText(response.unfollowed)}</span> orders are too many to be followed: of them only
          the place is known.
        </p>
      )}
      <OrderList
        key={frame?.generation}
        response={response}
        decimals={decimals}
        chosen={chosen}
        onOpen={(oid) => setChosen((last) => (last === oid ? undefined : oid))}
      />
      {chosen !== undefined && (
        <QueueLifePanel
          key={chosen}
          oid={chosen}
          order={order?.oid === chosen ? order : undefined}
          left={response.left?.oid === chosen ? response.left : undefined}
          decimals={decimals}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}

interface OrderListProps {
  readonly response: QueuesResponse;
  readonly decimals: number;
  readonly chosen: number | undefined;
  readonly onOpen: (oid: number) => void;
}

/** The listed orders of one book. Their rows stay in place while somebody points at them or moves in them by keyboard. */
function OrderList({ response, decimals, chosen, onOpen }: OrderListProps) {
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useListHold(list);
  const orders = useListedOrders(response, isHeld, LISTED);
  const { width } = useSize(list);
  const columns = useColumns(orders, decimals, width);
  return (
    <div ref={list} data-held={isHeld} className="flex min-h-0 grow flex-col">
      <DataTable
        name="Orders of the watched wallets"
        columns={columns}
        rows={orders}
        keyOf={keyOf}
        stateOf={stateOf}
        followsRow
        selected={chosen === undefined ? undefined : String(chosen)}
        onOpen={({ oid }) => onOpen(oid)}
        empty={<PaneHint>No order of a watched wallet rests in this book.</PaneHint>}
      />
    </div>
  );
}

/** `decimals`: those of the column, by which the prices are aligned. */
const priceText = ({ side, limitPx }: ListedOrder, decimals: number) => `${side} ${aligned(limitPx, decimals)}`;

const toneOf = ({ absence, side }: ListedOrder) =>
  absence !== undefined ? undefined : side === 'B' ? 'text-bid' : 'text-ask';

const placeOf = (order: ListedOrder) => order.absence ?? placeText(order);

/** The columns are as wide as their longest number so far. `width`: that of the list, px, 0 before it is laid out. */
function useColumns(
  orders: readonly ListedOrder[],
  decimals: number,
  width: number,
): readonly TableColumn<ListedOrder>[] {
  const priceDecimals = useLargest('', columnDecimals(orders.map(({ limitPx }) => limitPx)));
  const px = useLargest('', longest(orders.map((order) => priceText(order, priceDecimals))));
  const sz = useLargest('', longest(orders.map((order) => decimalText(order.sz, decimals))));
  const place = useLargest('', longest(orders.map(placeOf)));
  const ahead = useLargest('', longest(orders.map(({ szAhead }) => decimalText(szAhead, decimals))));
  return useMemo(
    () => fittingColumns(columnsOf(decimals, priceDecimals, { px, sz, place, ahead }), width),
    [decimals, priceDecimals, px, sz, place, ahead, width],
  );
}

/** Width of a wallet's letter with its padding, and of a scroll bar, px. */
const LETTER = 36;
const SCROLL_BAR = 15;

/** Place and what is ahead are seen without scrolling: without room for all columns, the size is left out and names are cut. */
function fittingColumns(
  columns: readonly TableColumn<ListedOrder>[],
  width: number,
): readonly TableColumn<ListedOrder>[] {
  const needed = columns.reduce((sum, column) => sum + (column.width ?? 0), SCROLL_BAR);
  if (width === 0 || needed <= width) return columns;
  return columns.filter(({ id }) => id !== 'sz').map((column) => (column.grow ? { ...column, width: LETTER } : column));
}

/** Lengths of the longest texts. */
type Lengths = Readonly<Record<'px' | 'sz' | 'place' | 'ahead', number>>;

function columnsOf(decimals: number, priceDecimals: number, lengths: Lengths): readonly TableColumn<ListedOrder>[] {
  return [
    { id: 'owner', title: 'wallet', width: 96, grow: true, cell: ({ user }) => <OwnerName user={user} /> },
    {
      id: 'px',
      title: 'price',
      width: numberWidth(lengths.px, 92),
      align: 'end',
      cell: (order) => <span className={toneOf(order)}>{priceText(order, priceDecimals)}</span>,
    },
    {
      id: 'sz',
      title: 'size',
      width: numberWidth(lengths.sz, 80),
      align: 'end',
      cell: ({ sz }) => decimalText(sz, decimals),
    },
    {
      id: 'place',
      title: 'place',
      hint: 'Its place in the queue of its price, from the front',
      width: numberWidth(lengths.place, 88),
      align: 'end',
      cell: placeOf,
    },
    {
      id: 'ahead',
      title: 'ahead',
      width: numberWidth(lengths.ahead, 84),
      align: 'end',
      cell: ({ szAhead }) => decimalText(szAhead, decimals),
    },
  ];
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
