import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { Popover } from '../../ui/popover.tsx';
import { useListbox } from '../../ui/use-listbox.ts';
import { CoinFacts, PickerFooter } from './coin-facts.tsx';

interface CoinPickerProps {
  readonly coin: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onPick: (coin: string) => void;
}

/** The page's title: the coin, which opens a list of the others. */
export function CoinPicker({ coin, open, onOpenChange, onPick }: CoinPickerProps) {
  return (
    <Popover
      name="Coins"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <button
          type="button"
          data-space-free
          aria-label={`Coin: ${coin}`}
          className="flex h-(--control) items-center gap-1 rounded-4 px-2 text-15 font-semibold text-strong max-sm:pr-0 hover:bg-surface-2 aria-expanded:bg-surface-2"
        >
          {coin}
          <ChevronDown size={16} strokeWidth={1.75} className="text-dim" aria-hidden />
        </button>
      }
    >
      <CoinList coin={coin} onPick={onPick} />
    </Popover>
  );
}

/** A searchable list of coins to choose from. */
export function CoinList({ coin, onPick }: { readonly coin: string; readonly onPick: (coin: string) => void }) {
  const { data, error, refetch } = useQuery(coinsQuery);
  const [query, setQuery] = useState('');
  const found = useMemo(() => matchingCoins(data?.coins.map((item) => item.coin) ?? [], query), [data, query]);
  const listbox = useListbox({ options: found, keyOf: String, onPress: onPick, first: coin });

  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <input
        {...listbox.input}
        aria-label="Search coins"
        placeholder="Search"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          listbox.reset();
        }}
        className="h-8 w-full rounded-4 border border-edge bg-surface-0 px-2 text-13 text-text placeholder:text-dim"
      />
      {error === null ? null : (
        <p role="alert" className="text-stale">
          Coins failed to load: {error.message}.{' '}
          <button type="button" className="underline" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      <div {...listbox.list} aria-label="Coins" className="max-h-80 overflow-y-auto">
        {found.map((item, at) => (
          <div
            key={item}
            {...listbox.option(at)}
            data-coin={item}
            aria-selected={item === coin}
            className={`flex h-(--control) cursor-pointer items-center justify-between rounded-4 px-2 ${at === listbox.at ? 'bg-surface-3 text-strong' : ''}`}
          >
            {item}
            <CoinFacts coin={item} />
            {item === coin && <span className="ml-2 text-11 text-dim">shown</span>}
          </div>
        ))}
        {found.length === 0 && data !== undefined && <p className="px-2 py-1 text-dim">No coin matches “{query}”.</p>}
      </div>
      <PickerFooter />
    </div>
  );
}

/** Coins whose name contains the query, those that start with it first; a builder dex's prefix may be omitted. */
export function matchingCoins(coins: readonly string[], query: string): readonly string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return coins;
  const rank = (coin: string) => {
    const name = coin.toLowerCase();
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (name.includes(`:${wanted}`)) return 2;
    return name.includes(wanted) ? 3 : 4;
  };
  return coins
    .map((coin) => ({ coin, rank: rank(coin) }))
    .filter((item) => item.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map((item) => item.coin);
}
