import { z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

interface Recents {
  readonly items: readonly string[];
  readonly note: (...items: readonly string[]) => void;
}

const items = z.array(z.string().min(1).max(200));

const kept = z.object({ items });

/** What an account used last, at most `max` of it. Stored in this browser. */
function recentsStore(name: string, max: number) {
  const read = (state: unknown) => ({ items: (kept.safeParse(state).data?.items ?? []).slice(0, max) });
  return accountStore<Recents>(name, read, (set) => ({
    items: [],
    note: (...last) => set(({ items: before }) => read({ items: [...new Set([...last, ...before])] })),
  }));
}

export const useRecentCoins = recentsStore('l4desk.recent-coins', 6);

/** The ids of the actions that were run from the palette last. */
export const useRecentActions = recentsStore('l4desk.recent-actions', 5);

/** Addresses that the exchange does not know, and whose notice was dismissed. */
export const useKnownMissing = recentsStore('l4desk.known-missing', 1_000);

interface FavouriteCoins {
  readonly coins: readonly string[];
  readonly toggle: (coin: string) => void;
}

const FAVOURITES_MAX = 100;

const favourites = z.object({ coins: items });

const readFavourites = (state: unknown) => ({
  coins: (favourites.safeParse(state).data?.coins ?? []).slice(-FAVOURITES_MAX),
});

export const useFavouriteCoins = accountStore<FavouriteCoins>('l4desk.favourite-coins', readFavourites, (set) => ({
  coins: [],
  toggle: (coin) =>
    set(({ coins }) =>
      readFavourites({ coins: coins.includes(coin) ? coins.filter((other) => other !== coin) : [...coins, coin] }),
    ),
}));
