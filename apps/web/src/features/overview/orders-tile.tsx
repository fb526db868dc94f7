import { multiply, roundTo } from '@l4desk/decimal';
import { coinMarket } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSpotNames } from '../../api/use-spot-names.ts';
import { searchTextOf } from '../../state/page-search.ts';
import { counted, grouped, wholeText } from '../../ui/format.ts';
import { Age, NotLoaded } from '../../ui/page/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { NoWallets } from '../../wallets/no-wallets.tsx';
import type { CoinOrders, SideSum } from './order-sums.ts';
import { OverLimit, Tile, TileFailed, TileLoading, useRoom, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface OrdersTileProps {
  readonly orders: Overview['orders'];
  readonly wallets: number;
  readonly className: string;
}

/** The wallets' open orders by coin and side. */
export function OrdersTile({ orders, wallets, className }: OrdersTileProps) {
  const { shown, isOld, isRequested, credits, error, failedAt, failed, onTheWay, unknown } = orders;
  const isStale = isOld || (shown !== undefined && failed === orders.all);
  return (
    <Tile
      title="Open orders"
      to="/orders"
      className={className}
      at={shown?.at}
      isStale={isStale}
      refresh={
        shown === undefined && (!isRequested || unknown > 0 || wallets === 0)
          ? undefined
          : { credits, isBusy: onTheWay > 0, run: () => (isRequested ? orders.refetch() : orders.press()) }
      }
    >
      {error !== undefined && onTheWay === 0 && (
        <TileFailed
          error={error}
          at={failedAt}
          kept={shown !== undefined}
          of={failed < orders.all ? `${failed} of ${counted(orders.all, 'wallet')}` : undefined}
        />
      )}
      {wallets === 0 ? (
        <NoWallets look="plain" />
      ) : shown !== undefined ? (
        <>
          {/* The mids may come later than the orders, which do not move then. */}
          {shown.value.coins.length > 0 && <div className="min-h-9">{orders.near && <Near near={orders.near} />}</div>}
          <Coins coins={shown.value.coins} withResponse={shown.value.answered} wallets={wallets} />
        </>
      ) : !isRequested ? (
        <NotLoaded
          look="plain"
          action={`Load ${counted(wallets, 'wallet')}`}
          credits={orders.firstCredits}
          onLoad={orders.press}
        >
          <OverLimit />
        </NotLoaded>
      ) : (
        (error === undefined || onTheWay > 0) && (
          <TileLoading what={`orders: ${wallets - unknown} of ${counted(wallets, 'wallet')}`} />
        )
      )}
    </Tile>
  );
}

/** How near the orders are to being executed, by the mids that the page has loaded. */
function Near({ near: { near, nearest, unknown, at } }: { readonly near: NonNullable<Overview['orders']['near']> }) {
  const { coinText } = useSpotNames(false);
  const w = useWalletLink();
  const text = nearest && `${coinText(nearest.coin)} ${nearest.side === 'B' ? 'buy' : 'sell'}`;
  return (
    <p data-part="near-mid" data-near={near} className="pb-1 text-12 text-dim">
      {counted(near, 'order')} within 10 bps of the mid
      {nearest && (
        <>
          {' · next: '}
          {/* Of a spot pair there is no book. */}
          {coinMarket(nearest.coin) === 'spot' ? (
            <Link to="/orders" search={{ w, coin: searchTextOf([nearest.coin]) }} className="text-text underline">
              {text}
            </Link>
          ) : (
            <Link
              to="/book/$coin"
              params={{ coin: nearest.coin }}
              search={{ level: `${nearest.side}${nearest.px}` }}
              className="text-text underline"
            >
              {text}
            </Link>
          )}{' '}
          at <span className="num private">{grouped(nearest.px)}</span>,{' '}
          {grouped(roundTo(multiply(nearest.distance, '10000'), 2))} bps away
        </>
      )}
      {unknown > 0 && ` · ${counted(unknown, 'order')} without a loaded mid`}
      {' · mids '}
      <Age at={at} />
    </p>
  );
}

interface CoinsProps {
  readonly coins: readonly CoinOrders[];
  readonly withResponse: number;
  readonly wallets: number;
}

function Coins({ coins, withResponse, wallets }: CoinsProps) {
  const w = useWalletLink();
  const { rows, isWide } = useRoom();
  const { coinText } = useSpotNames(false);
  const shown = useMemo(() => coins.slice(0, rows), [coins, rows]);
  const columns = useMemo(() => columnsOf(isWide, coinText, w), [isWide, coinText, w]);
  const count = coins.reduce((sum, { bids, asks }) => sum + bids.count + asks.count, 0);
  const triggers = coins.reduce((sum, coin) => sum + coin.triggers, 0);
  const others = coins.reduce((sum, coin) => sum + coin.others, 0);
  const all = counted(wallets, 'wallet');
  const whose = withResponse === wallets ? all : `${withResponse} of ${all}`;
  const parts = [
    ...(coins.length > shown.length ? [counted(coins.length - shown.length, 'more coin')] : []),
    `${counted(count, 'order')} resting, ${counted(triggers, 'trigger')} waiting`,
    ...(others > 0 ? [`${counted(others, 'order')} without price, size or side`] : []),
    whose,
  ];
  if (coins.length === 0) return <p className="m-auto py-3 text-dim">No open orders in {whose}.</p>;
  return (
    <>
      <DataTable name="Open orders by coin" isShort columns={columns} rows={shown} keyOf={({ coin }) => coin} />
      <p className="pt-1 text-12 text-dim">{parts.join(' · ')}</p>
    </>
  );
}

function columnsOf(
  isWide: boolean,
  nameOf: (coin: string) => string,
  w: string | undefined,
): readonly TableColumn<CoinOrders>[] {
  const count = (title: string, of: (row: CoinOrders) => SideSum, colour: string): TableColumn<CoinOrders> => ({
    id: title,
    title,
    align: 'end',
    cell: (row) => <span className={of(row).count === 0 ? 'text-dim' : colour}>{wholeText(of(row).count)}</span>,
  });
  // Each row has another unit: aligning decimal points would compare nothing, and take space from the names.
  const amount = (title: string, of: (row: CoinOrders) => string): TableColumn<CoinOrders> => ({
    id: title,
    title,
    align: 'end',
    narrow: true,
    cell: (row) => <span className="private">{grouped(of(row))}</span>,
  });
  return [
    {
      id: 'coin',
      title: 'Coin',
      grow: true,
      narrow: true,
      cell: ({ coin }) => (
        <Link
          to="/orders"
          search={{ w, coin: searchTextOf([coin]) }}
          className="block h-6 truncate rounded-4 leading-6 underline decoration-edge underline-offset-2 hover:decoration-current"
        >
          {nameOf(coin)}
        </Link>
      ),
    },
    count('Buys', ({ bids }) => bids, 'text-bid'),
    amount('Buy size', ({ bids }) => bids.sz),
    ...(isWide ? [amount('Buy notional', ({ bids }) => bids.notional)] : []),
    count('Sells', ({ asks }) => asks, 'text-ask'),
    amount('Sell size', ({ asks }) => asks.sz),
    ...(isWide ? [amount('Sell notional', ({ asks }) => asks.notional)] : []),
  ];
}
