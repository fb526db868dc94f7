import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import type { GoneOrder } from './panes/gone.ts';
import type { CoinPlaces, PlacedOrder } from './panes/places.ts';

/** One coin's places, by oid. */
export interface KnownPlaces {
  readonly state: CoinPlaces['state'];
  readonly detail: string;
  readonly height: number | undefined;
  readonly orders: ReadonlyMap<number, PlacedOrder>;
  readonly gone: ReadonlyMap<number, GoneOrder>;
  /** Some of the wallets' orders are not listed: one that is not here may rest all the same. */
  readonly isCut: boolean;
}

interface Places {
  readonly coins: ReadonlyMap<string, KnownPlaces>;
}

const EMPTY: Places = { coins: new Map() };

/** Where open orders stand, of the coins that places were asked of. */
export const usePlaces = create<Places>()(() => EMPTY);

onAccountChange({ leave: () => usePlaces.setState(EMPTY) });

export function notePlaces({ coin, state, detail, height, orders, gone, total }: CoinPlaces): void {
  const known: KnownPlaces = {
    state,
    detail,
    height,
    orders: new Map(orders.map((order) => [order.oid, order])),
    gone: new Map(gone.map((order) => [order.oid, order])),
    isCut: orders.length < total,
  };
  usePlaces.setState(({ coins }) => ({ coins: new Map(coins).set(coin, known) }));
}

/** Nobody asks any more: what was told grows old. */
export function forgetPlaces(): void {
  usePlaces.setState(EMPTY);
}
