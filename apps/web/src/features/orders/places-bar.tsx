import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useLive, useLiveMoment, useLiveValue } from '../../book-worker/live-context.tsx';
import { forgetPlaces, usePlaces } from '../../book-worker/places-store.ts';
import { useBurner } from '../../state/burn.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { PriceTag } from '../../ui/price-tag.tsx';
import type { Wallet } from '../../wallets/wallet.ts';
import type { OrderChunk } from './order-chunk.ts';
import { rests } from './place-cell.tsx';

/** Number of coins offered individually, those with most orders first; the rest is offered together. */
const OFFERED = 4;

const AT_ONCE = INFO_CREDITS.l4BookSnapshot;
const A_MINUTE = TARIFF.l4BookUpdatesPerCoinMinute;

interface PlacesBarProps {
  readonly chunks: readonly OrderChunk[];
  readonly wallets: readonly Wallet[];
}

/**
 * The coins whose order places are read, and the price of reading more. It is there without orders too, so that rows do not move
 * when the first ones arrive.
 */
export function PlacesBar({ chunks, wallets }: PlacesBarProps) {
  const live = useLive();
  const isFollowing = useLiveMoment((page) => page.isFollowing);
  const main = useLiveValue((status) => status?.coin);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const coins = useMemo(() => coinsOf(chunks), [chunks]);
  const free = isFollowing && main !== undefined && coins.includes(main) ? main : undefined;
  const paid = chosen.filter((coin) => coin !== main && coins.includes(coin));
  const read = [...(free === undefined ? [] : [free]), ...paid].join();
  const addresses = wallets.map(({ address }) => address).join();
  useEffect(() => {
    const list = (text: string) => (text === '' ? [] : text.split(','));
    live.wantPlaces(list(read), list(addresses) as Wallet['address'][]);
  }, [live, read, addresses]);
  useEffect(
    () => () => {
      live.wantPlaces([], []);
      forgetPlaces();
    },
    [live],
  );
  useBurner(
    `Places of orders in ${counted(paid.length, 'coin')}`,
    paid.length === 0 ? undefined : paid.length * A_MINUTE,
  );
  const others = coins.filter((coin) => coin !== free && !paid.includes(coin));
  const follow = (more: readonly string[]) => setChosen([...new Set([...chosen, ...more])]);
  return (
    <section
      aria-label="Places in the queues"
      data-part="places"
      className="flex min-h-[calc(var(--control)+5px)] flex-wrap items-center gap-x-2 gap-y-0.5 border-b border-line px-3 py-0.5 text-12"
    >
      <ReadCoins coins={read} />
      {others.slice(0, OFFERED).map((coin, at) => (
        // A narrow screen shows only the first one, and “all”.
        <span key={coin} className={at === 0 ? undefined : 'max-sm:hidden'}>
          <FollowButton coins={[coin]} text={coin} onFollow={follow} />
        </span>
      ))}
      {others.length > 1 && <FollowButton coins={others} text={`all ${others.length}`} onFollow={follow} />}
      {paid.length > 0 && <Button onClick={() => setChosen([])}>Stop</Button>}
    </section>
  );
}

/** The coins (separated by commas) whose places are read, and those of them whose book is not live. */
function ReadCoins({ coins }: { readonly coins: string }) {
  const known = usePlaces((places) => places.coins);
  const isLive = (coin: string) => known.get(coin)?.state === 'live';
  const list = coins.split(',');
  const live = list.filter(isLive).join(', ');
  const waiting = list.filter((coin) => !isLive(coin)).join(', ');
  if (coins === '') return <span className="text-dim">Places of no coin are read</span>;
  return (
    <span className="text-dim">
      Places
      {live !== '' && <span className="text-text"> live for {live}</span>}
      {live !== '' && waiting !== '' && ','}
      {waiting !== '' && <span className="text-stale"> waiting for {waiting}</span>}
    </span>
  );
}

interface FollowButtonProps {
  readonly coins: readonly string[];
  readonly text: string;
  readonly onFollow: (coins: readonly string[]) => void;
}

function FollowButton({ coins, text, onFollow }: FollowButtonProps) {
  const { length } = coins;
  return (
    <Button
      look="plain"
      aria-label={`Read the places in ${text}`}
      title={`${counted(length * AT_ONCE, 'credit')} at once, then ${counted(length * A_MINUTE, 'credit')} a minute while this page is open`}
      onClick={() => onFollow(coins)}
    >
      {text} <PriceTag credits={length * A_MINUTE} short /> <span className="text-dim">/ min</span>
    </Button>
  );
}

/** The coins whose books hold the open orders, those with most orders first. */
function coinsOf(chunks: readonly OrderChunk[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { response } of chunks) {
    if (response.call === 'historicalOrders') continue;
    for (const { order } of response.entries) {
      if (rests(order)) counts.set(order.coin, (counts.get(order.coin) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([coin]) => coin);
}
