import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { spotNames } from '../../api/spot-names.ts';
import { spotMetaQuery } from '../../api/spotMeta.ts';
import { aligned, columnDecimals, counted, wholeText } from '../../ui/format.ts';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';
import { NoWallets } from './balances-tile.tsx';
import type { CoinOrders, SideSum } from './order-sums.ts';
import { useRoom } from './room.ts';
import { Tile, TileFailed, TileLoading, TileWaits } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface OrdersTileProps {
  readonly orders: Overview['orders'];
  readonly wallets: number;
  readonly isAwaited: boolean;
  readonly className: string;
}

/** What rests where: the wallets' open orders by coin and side. */
export function OrdersTile({ orders, wallets, isAwaited, className }: OrdersTileProps) {
  const { shown, isAsked, credits, error, failed, onTheWay } = orders;
  const isStale = shown !== undefined && (shown.isKept || failed === orders.all);
  return (
    <Tile
      title="Open orders"
      to="/orders"
      className={className}
      at={shown?.at}
      isStale={isStale}
      refresh={
        shown === undefined
          ? undefined
          : { credits, isBusy: onTheWay > 0, run: () => (isAsked ? orders.refetch() : orders.press()) }
      }
    >
      {error !== undefined && onTheWay === 0 && <TileFailed error={error} kept={shown !== undefined} />}
      {wallets === 0 ? (
        isAwaited ? (
          <TileLoading what="example wallets" />
        ) : (
          <NoWallets />
        )
      ) : shown !== undefined ? (
        <Coins
          coins={shown.value.coins}
          answered={shown.isKept ? wallets : orders.responses.length}
          wallets={wallets}
        />
      ) : !isAsked ? (
        <TileWaits action={`Load ${counted(wallets, 'wallet')}`} credits={orders.firstCredits} onPress={orders.press}>
          One call per wallet: costs more than the page loads automatically.
        </TileWaits>
      ) : (
        error === undefined && <TileLoading what="orders" />
      )}
    </Tile>
  );
}

interface CoinsProps {
  readonly coins: readonly CoinOrders[];
  readonly answered: number;
  readonly wallets: number;
}

function Coins({ coins, answered, wallets }: CoinsProps) {
  const { rows, isWide } = useRoom();
  const shown = useMemo(() => coins.slice(0, rows), [coins, rows]);
  const meta = useQuery({ ...spotMetaQuery, enabled: false }).data;
  const columns = useMemo(() => columnsOf(shown, isWide, spotNames(meta)), [shown, isWide, meta]);
  const count = coins.reduce((all, { bids, asks }) => all + bids.count + asks.count, 0);
  const triggers = coins.reduce((all, coin) => all + coin.triggers, 0);
  if (coins.length === 0) return <p className="m-auto py-3 text-dim">These wallets have no open orders.</p>;
  return (
    <>
      <ShortTable name="Open orders by coin" columns={columns} rows={shown} keyOf={keyOf} />
      <p className="pt-1 text-12 text-dim">
        {coins.length > shown.length && `${counted(coins.length - shown.length, 'more coin')} · `}
        {counted(count, 'order')} resting, {counted(triggers, 'trigger')} waiting ·{' '}
        {answered === wallets ? counted(wallets, 'wallet') : `${answered} of ${counted(wallets, 'wallet')}`}
      </p>
    </>
  );
}

const keyOf = ({ coin }: CoinOrders) => coin;

function columnsOf(
  rows: readonly CoinOrders[],
  isWide: boolean,
  nameOf: (coin: string) => string,
): readonly ShortColumn<CoinOrders>[] {
  const sizes = columnDecimals(rows.flatMap(({ bids, asks }) => [bids.sz, asks.sz]));
  const values = columnDecimals(rows.flatMap(({ bids, asks }) => [bids.notional, asks.notional]));
  const count = (title: string, of: (row: CoinOrders) => SideSum, colour: string): ShortColumn<CoinOrders> => ({
    title,
    align: 'end',
    cell: (row) => <span className={of(row).count === 0 ? 'text-dim' : colour}>{wholeText(of(row).count)}</span>,
  });
  const amount = (title: string, of: (row: CoinOrders) => string, decimals: number): ShortColumn<CoinOrders> => ({
    title,
    align: 'end',
    cell: (row) => <span className="private">{aligned(of(row), decimals)}</span>,
  });
  return [
    {
      title: 'Coin',
      cell: ({ coin }) => (
        <Link
          to="/orders"
          search={{ coin }}
          className="block h-6 max-w-28 truncate rounded-4 leading-6 underline sm:max-w-44 decoration-edge underline-offset-2 hover:decoration-current"
        >
          {nameOf(coin)}
        </Link>
      ),
    },
    count('Buys', ({ bids }) => bids, 'text-bid'),
    amount('Buy size', ({ bids }) => bids.sz, sizes),
    ...(isWide ? [amount('Buy notional', ({ bids }) => bids.notional, values)] : []),
    count('Sells', ({ asks }) => asks, 'text-ask'),
    amount('Sell size', ({ asks }) => asks.sz, sizes),
    ...(isWide ? [amount('Sell notional', ({ asks }) => asks.notional, values)] : []),
  ];
}
