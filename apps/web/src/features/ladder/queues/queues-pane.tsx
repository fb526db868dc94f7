import { useMemo, useState } from 'react';
import type { WatchedOrder } from '../../../book-worker/panes/queues.ts';
import { useSlowQueues } from '../../../book-worker/use-slow-pane.ts';
import { Button } from '../../../ui/button.tsx';
import { aligned, columnDecimals, counted, sizeText, wholeText } from '../../../ui/format.ts';
import { Grid } from '../../../ui/grid/grid.tsx';
import type { GridColumn } from '../../../ui/grid/grid-column.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { useWalletsDialog } from '../../../wallets/use-wallets-dialog.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { QueueLifePanel } from './queue-life-panel.tsx';
import { placeText } from './texts.ts';

/** Orders listed per side: the nearest to the mid. */
const LISTED = 100;

const ASK = { limit: LISTED };
const NO_ORDERS: readonly WatchedOrder[] = [];

const keyOf = ({ oid }: WatchedOrder) => String(oid);

/** The exact place of every order of the watched wallets, and what happened to the queue in front of it. */
export function QueuesPane() {
  const watched = useWalletBook(({ wallets }) => wallets.length);
  const [chosen, setChosen] = useState<number>();
  const frame = useSlowQueues(watched === 0 ? undefined : ASK, chosen ?? null);
  const decimals = frame?.sizeDecimals ?? 0;
  const response = frame?.queues;
  const columns = useColumns(frame?.generation, response?.orders ?? NO_ORDERS, decimals);
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
      <Grid
        name="Orders of the watched wallets"
        columns={columns}
        rows={response.orders}
        keyOf={keyOf}
        selected={chosen === undefined ? undefined : String(chosen)}
        onOpen={({ oid }) => setChosen((last) => (last === oid ? undefined : oid))}
        empty={<PaneHint>No order of a watched wallet rests in this book.</PaneHint>}
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

/** `decimals`: those of the column, by which the prices are aligned. */
const priceText = ({ side, limitPx }: WatchedOrder, decimals: number) => `${side} ${aligned(limitPx, decimals)}`;

/** The columns are as wide as their longest number so far of the book, by its generation. */
function useColumns(
  book: number | undefined,
  orders: readonly WatchedOrder[],
  decimals: number,
): readonly GridColumn<WatchedOrder>[] {
  const priceDecimals = useLargest(book, columnDecimals(orders.map(({ limitPx }) => limitPx)));
  const px = useLargest(book, longest(orders.map((order) => priceText(order, priceDecimals))));
  const sz = useLargest(book, longest(orders.map((order) => sizeText(order.sz, decimals))));
  const place = useLargest(book, longest(orders.map(placeText)));
  const ahead = useLargest(book, longest(orders.map(({ szAhead }) => sizeText(szAhead, decimals))));
  return useMemo(
    () => columnsOf(decimals, priceDecimals, { px, sz, place, ahead }),
    [decimals, priceDecimals, px, sz, place, ahead],
  );
}

/** Lengths of the longest texts. */
type Lengths = Readonly<Record<'px' | 'sz' | 'place' | 'ahead', number>>;

function columnsOf(decimals: number, priceDecimals: number, lengths: Lengths): readonly GridColumn<WatchedOrder>[] {
  return [
    { id: 'owner', title: 'wallet', width: 96, grow: true, cell: ({ user }) => <OwnerName user={user} /> },
    {
      id: 'px',
      title: 'price',
      width: numberWidth(lengths.px, 92),
      align: 'end',
      cell: (order) => (
        <span className={order.side === 'B' ? 'text-bid' : 'text-ask'}>{priceText(order, priceDecimals)}</span>
      ),
    },
    {
      id: 'sz',
      title: 'size',
      width: numberWidth(lengths.sz, 80),
      align: 'end',
      cell: ({ sz }) => sizeText(sz, decimals),
    },
    {
      id: 'place',
      title: 'place',
      hint: 'Its place in the queue of its price, from the front',
      width: numberWidth(lengths.place, 88),
      align: 'end',
      cell: placeText,
    },
    {
      id: 'ahead',
      title: 'ahead',
      width: numberWidth(lengths.ahead, 84),
      align: 'end',
      cell: ({ szAhead }) => sizeText(szAhead, decimals),
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
