import { TARIFF } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Star } from 'lucide-react';
import { useMemo, useState } from 'react';
import { baseOfSymbol, fullNameOf, isMisspelt } from '../../api/coin-names.ts';
import { dayChange, type Market } from '../../api/perps.ts';
import { coinsQuery } from '../../api/session.ts';
import { useFavouriteCoins } from '../../state/recents.ts';
import { classNames, signColour } from '../../ui/class-names.ts';
import { grouped, signedPercent, wholeUnits } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { Popover } from '../../ui/popover.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { useListbox } from '../../ui/use-listbox.ts';
import { useBookPage } from './book-page.ts';
import { BOOK_CREDITS } from './books/books.ts';
import { type Markets, useMarkets } from './markets.ts';
import { usePageMenu } from './page-menu.ts';

export function CoinPicker() {
  const { coin, onCoin } = useBookPage();
  const { open, onOpenChange } = usePageMenu('coin');
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
      <CoinList coin={coin} onPick={onCoin} />
    </Popover>
  );
}

const NO_COINS: readonly string[] = [];

/** A searchable list of coins to choose from, favourites first, each with its market. */
export function CoinList({ coin, onPick }: { readonly coin: string; readonly onPick: (coin: string) => void }) {
  const { data, error, refetch } = useQuery(coinsQuery);
  const [query, setQuery] = useState('');
  const favourites = useFavouriteCoins((state) => state.coins);
  const toggle = useFavouriteCoins((state) => state.toggle);
  const offered = useMemo(() => data?.coins.map((item) => item.coin) ?? NO_COINS, [data]);
  const found = useMemo(() => {
    const matching = matchingCoins(offered, query);
    return query.trim() === '' ? matching.toSorted((a, b) => rankOf(favourites, a) - rankOf(favourites, b)) : matching;
  }, [offered, query, favourites]);
  const markets = useMarkets(offered);
  const listbox = useListbox({ options: found, keyOf: String, onPress: onPick, first: coin });
  const active = found[listbox.at];

  return (
    <div className="flex w-140 max-w-full flex-col gap-2">
      <input
        {...listbox.input}
        aria-label="Search coins"
        placeholder="Search"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          listbox.reset();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.shiftKey && active !== undefined) {
            event.preventDefault();
            toggle(active);
          } else listbox.input.onKeyDown(event);
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
      <div className="flex flex-col">
        {markets.at !== undefined && (
          <div aria-hidden className={`${ROW} text-11 text-dim`}>
            <span className="pl-6">coin</span>
            <span className="text-right">price</span>
            <span className="text-right">24 h</span>
            <span className="text-right max-sm:hidden">volume 24 h</span>
            <span className="text-right max-sm:hidden">funding</span>
          </div>
        )}
        <div {...listbox.list} aria-label="Coins" className="max-h-80 overflow-y-auto">
          {found.map((item, at) => {
            const isFavourite = favourites.includes(item);
            return (
              <div
                key={item}
                {...listbox.option(at)}
                data-coin={item}
                data-favourite={isFavourite}
                aria-selected={item === coin}
                className={classNames(ROW, 'cursor-pointer rounded-4', at === listbox.at && 'bg-surface-3 text-strong')}
              >
                <span className="flex min-w-0 items-center">
                  {/* An option contains no control: the keyboard's way is Shift+Enter. */}
                  <Star
                    size={14}
                    strokeWidth={1.75}
                    data-part="favourite"
                    aria-hidden
                    className={classNames(
                      'mr-2 box-content shrink-0 py-1',
                      isFavourite ? 'fill-current text-accent' : 'text-edge hover:text-text',
                    )}
                    onClick={(event) => {
                      event.stopPropagation();
                      toggle(item);
                    }}
                  />
                  <span className="truncate">{item}</span>
                  {isFavourite && <span className="sr-only"> favourite</span>}
                  {item === coin && <span className="ml-2 text-11 text-dim">shown</span>}
                </span>
                <CoinMarket market={markets.of.get(item)} />
              </div>
            );
          })}
          {found.length === 0 && data !== undefined && <p className="px-2 py-1 text-dim">No coin matches “{query}”.</p>}
        </div>
      </div>
      <PickerFooter markets={markets} />
    </div>
  );
}

/** The columns of a row: coin, price, change, volume, funding. */
const ROW =
  'grid h-(--control) grid-cols-[minmax(0,1fr)_88px_72px_112px_100px] items-center gap-x-2 px-2 whitespace-nowrap max-sm:grid-cols-[minmax(0,1fr)_88px_72px]';

const rankOf = (favourites: readonly string[], coin: string) => (favourites.includes(coin) ? 0 : 1);

function CoinMarket({ market }: { readonly market: Market | undefined }) {
  if (market === undefined) return null;
  const change = dayChange(market);
  const funding = signedPercent(market.funding);
  return (
    <>
      <span data-fact="price" className="num text-right text-12">
        {grouped(market.midPx ?? market.markPx)}
      </span>
      <span data-fact="change" className={classNames('num text-right text-12', signColour(change))}>
        {change ?? '—'}
      </span>
      <span data-fact="volume" className="num text-right text-12 max-sm:hidden">
        {wholeUnits(market.dayNtlVlm)}
      </span>
      <span data-fact="funding" className={classNames('num text-right text-12 max-sm:hidden', signColour(funding))}>
        {funding}
      </span>
    </>
  );
}

/** The cost of following a coin, and a button that loads all prices. */
function PickerFooter({ markets }: { readonly markets: Markets }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-2 border-t border-line px-2 pt-1.5 text-12 text-dim">
      <span>
        following: <PriceTag credits={BOOK_CREDITS} short /> then {TARIFF.l4BookUpdatesPerCoinMinute} cr/min
      </span>
      <span className="max-sm:hidden">
        favourite: <kbd className="num">Shift+Enter</kbd>
      </span>
      <span className={classNames(markets.error !== null && 'text-stale')}>
        {markets.error !== null && 'Prices failed to load. '}
        {markets.at !== undefined && <Age at={markets.at} />}{' '}
        <button
          type="button"
          className="underline underline-offset-2"
          disabled={markets.isFetching}
          onClick={markets.load}
        >
          {markets.at === undefined ? 'Load prices' : 'Reload prices'} <PriceTag credits={markets.credits} short />
        </button>
      </span>
    </p>
  );
}

/**
 * Coins whose ticker or name contains the query, those that start with it first; a builder dex's prefix may be omitted. If there is
 * none, those of a symbol as other venues write it (`BTC-PERP`, `BTCUSDT`), else those whose name was misspelt.
 */
export function matchingCoins(coins: readonly string[], query: string): readonly string[] {
  const wanted = query.normalize('NFKC').trim().toLowerCase();
  if (wanted === '') return coins;
  const rank = (coin: string) => {
    const ticker = coin.toLowerCase();
    if (ticker === wanted) return 0;
    if (ticker.startsWith(wanted)) return 1;
    if (ticker.includes(`:${wanted}`)) return 2;
    if (ticker.includes(wanted)) return 3;
    return fullNameOf(coin)?.toLowerCase().includes(wanted) ? 4 : 5;
  };
  const found = coins
    .map((coin) => ({ coin, rank: rank(coin) }))
    .filter((item) => item.rank < 5)
    .sort((a, b) => a.rank - b.rank)
    .map((item) => item.coin);
  if (found.length > 0 || wanted.length < 4) return found;
  const base = baseOfSymbol(wanted);
  if (base !== undefined) return matchingCoins(coins, base);
  return coins.filter((coin) => isMisspelt(wanted, fullNameOf(coin)?.toLowerCase() ?? ''));
}
