import { infoCredits, TARIFF } from '@l4desk/protocol';
import { useEffect, useMemo, useState } from 'react';
import { forgetPlaces, usePlaces } from '../../book-worker/places-store.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useBurner } from '../../state/burn.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import type { Wallet } from '../../wallets/wallet.ts';
import type { OrderRow } from './order-rows.ts';
import { rests } from './place-cell.tsx';

/** Number of coins offered individually, those with most orders first; the rest is offered together. */
const OFFERED = 4;

const AT_ONCE = infoCredits('l4BookSnapshot');
const A_MINUTE = TARIFF.l4BookUpdatesPerCoinMinute;

interface PlacesBarProps {
  readonly rows: readonly OrderRow[];
  readonly wallets: readonly Wallet[];
  readonly at: number | undefined;
}

/**
 * The coins whose order places are read, and the price of reading more. It is there without orders too, so that rows do not move
 * when the first ones arrive.
 */
export function PlacesBar({ rows, wallets, at }: PlacesBarProps) {
  const live = useLive();
  const isFollowing = useBook(({ isFollowing }) => isFollowing);
  const main = useBook(({ status }) => status?.coin);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const coins = useMemo(() => coinsOf(rows), [rows]);
  const free = isFollowing && main !== undefined && coins.includes(main) ? main : undefined;
  const paid = chosen.filter((coin) => coin !== main && coins.includes(coin));
  const read = [...(free === undefined ? [] : [free]), ...paid].join();
  const addresses = wallets.map(({ address }) => address).join();
  useEffect(() => {
    const list = (text: string) => (text === '' ? [] : text.split(','));
    live.choose({ kind: 'places', coins: list(read), wallets: list(addresses) as Wallet['address'][] });
  }, [live, read, addresses]);
  useEffect(
    () => () => {
      live.choose({ kind: 'places', coins: [], wallets: [] });
      forgetPlaces();
    },
    [live],
  );
  useBurner(
    `Places of orders in ${counted(paid.length, 'coin')}`,
    paid.length === 0 ? undefined : paid.length * A_MINUTE,
  );
  const priced = coins.filter((coin) => coin !== free);
  const unread = priced.filter((coin) => !paid.includes(coin));
  const onRead = (some: readonly string[], isWanted: boolean) => {
    const others = chosen.filter((coin) => !some.includes(coin));
    setChosen(isWanted ? [...others, ...some] : others);
  };
  return (
    <section
      aria-label="Places in the queues"
      data-part="places"
      className="flex min-h-[calc(var(--control)+5px)] flex-wrap items-center gap-x-2 gap-y-0.5 border-b border-line px-3 py-0.5 text-12"
    >
      {priced
        .filter((coin) => paid.includes(coin) || unread.indexOf(coin) < OFFERED)
        .map((coin) => (
          // A narrow screen shows only the first one that is not read, and “all”.
          <span key={coin} className={coin === unread[0] || paid.includes(coin) ? undefined : 'max-sm:hidden'}>
            <ReadButton coins={[coin]} text={coin} paid={paid} onRead={onRead} />
          </span>
        ))}
      {priced.length > 1 && <ReadButton coins={priced} text={`all ${priced.length}`} paid={paid} onRead={onRead} />}
      {paid.length > 0 && <Button onClick={() => setChosen([])}>Stop</Button>}
      {/* After the buttons, because its length changes with a press on one of them. */}
      {coins.length > 0 && <ReadCoins coins={read} at={at} />}
    </section>
  );
}

interface ReadCoinsProps {
  /** Separated by commas. */
  readonly coins: string;
  readonly at: PlacesBarProps['at'];
}

/** The coins whose places are read, those of them whose book is not live, and how much older everything else is. */
function ReadCoins({ coins, at }: ReadCoinsProps) {
  const known = usePlaces((places) => places.coins);
  const isLive = (coin: string) => known.get(coin)?.state === 'live';
  const list = coins.split(',');
  const live = list.filter(isLive).join(', ');
  const waiting = list.filter((coin) => !isLive(coin)).join(', ');
  if (coins === '') return <span className="text-dim">Press a coin to see where its orders are in the queues</span>;
  return (
    <span className="text-dim">
      Places
      {live !== '' && <span className="text-text"> live for {live}</span>}
      {live !== '' && waiting !== '' && ','}
      {waiting !== '' && <span className="text-stale"> waiting for {waiting}</span>}
      {live !== '' && at !== undefined && (
        // A narrow screen shows no outcomes.
        <span className="max-sm:hidden">
          {' '}
          · outcomes and sizes <Age at={at} />
        </span>
      )}
    </span>
  );
}

interface ReadButtonProps {
  readonly coins: readonly string[];
  readonly text: string;
  /** The coins that are read for credits. */
  readonly paid: readonly string[];
  readonly onRead: (coins: readonly string[], isWanted: boolean) => void;
}

/** Starts and stops reading the places in some coins. A press moves no button before it, and leaves its own width. */
function ReadButton({ coins, text, paid, onRead }: ReadButtonProps) {
  const unread = coins.filter((coin) => !paid.includes(coin)).length;
  const isRead = unread === 0;
  const perMinute = coins.length * A_MINUTE;
  return (
    <Button
      look="plain"
      aria-label={`Read the places in ${text}`}
      aria-pressed={isRead}
      title={
        isRead
          ? `Read for ${counted(perMinute, 'credit')} a minute. Press to stop`
          : `${counted(unread * AT_ONCE, 'credit')} at once, then ${counted(perMinute, 'credit')} a minute while this page is open`
      }
      onClick={({ detail }) => {
        // The second click of a double click does not undo the first one.
        if (detail < 2) onRead(coins, !isRead);
      }}
    >
      {text} <PriceTag credits={perMinute} short /> <span className="text-dim">/ min</span>
    </Button>
  );
}

/** The coins whose books hold the open orders, those with most orders first. */
function coinsOf(rows: readonly OrderRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { call, order } of rows) {
    if (call === 'frontendOpenOrders' && rests(order)) counts.set(order.coin, (counts.get(order.coin) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([coin]) => coin);
}
