import { z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

interface FavouriteCoins {
  readonly coins: readonly string[];
  readonly toggle: (coin: string) => void;
}

const FAVOURITES_MAX = 100;

const kept = z.object({ coins: z.array(z.string().min(1).max(64)) });

const read = (state: unknown) => ({ coins: (kept.safeParse(state).data?.coins ?? []).slice(-FAVOURITES_MAX) });

export const useFavouriteCoins = accountStore<FavouriteCoins>('l4desk.favourite-coins', read, (set) => ({
  coins: [],
  toggle: (coin) =>
    set(({ coins }) =>
      read({ coins: coins.includes(coin) ? coins.filter((other) => other !== coin) : [...coins, coin] }),
    ),
}));
