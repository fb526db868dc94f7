import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import type { CoinPlaces, PlacedOrder } from './worker/places/coin-places.ts';
import type { GoneOrder } from './worker/places/gone-orders.ts';

export interface KnownPlaces extends Pick<CoinPlaces, 'state' | 'detail' | 'height'> {
  readonly orders: ReadonlyMap<number, PlacedOrder>;
  readonly gone: ReadonlyMap<number, GoneOrder>;
  /** Some of the wallets' orders are not listed: an order missing here may still rest. */
  readonly isCut: boolean;
}

interface Places {
  readonly coins: ReadonlyMap<string, KnownPlaces>;
}

const EMPTY: Places = { coins: new Map() };

/** Where open orders rest, by coin, for the coins that were requested. */
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

/** No longer requested: drops the places, which would go stale. */
export function forgetPlaces(): void {
  usePlaces.setState(EMPTY);
}
