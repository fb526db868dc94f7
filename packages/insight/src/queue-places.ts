import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, SIDES, type Side } from '@l4desk/protocol';
import { plus } from './amounts.ts';

/** Where one resting order is in the queue of its price. */
export interface OrderPlace {
  readonly oid: number;
  readonly side: Side;
  /** Price and remaining size, as received: never reformatted, unlike sums. */
  readonly limitPx: DecimalString;
  readonly sz: DecimalString;
  /** Orders in front of it at its price, whoever owns them, and their total size in its shortest form. */
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  /** Orders of the level and their total size in its shortest form, including its own. */
  readonly levelOrders: number;
  readonly levelSz: DecimalString;
}

/**
 * The place of every resting order of a wallet: bids, then asks, from the best price outward, in queue order. The letter
 * case of the address does not matter; a wallet without orders has no places.
 */
export function queuePlaces(book: L4Book, user: Address): readonly OrderPlace[] {
  return queuePlacesOf(book, [user]).get(lowerCaseAddress(user)) ?? [];
}

/** The places of several wallets, keyed by lower-case address, in one walk over the book. */
export function queuePlacesOf(book: L4Book, users: Iterable<Address>): ReadonlyMap<Address, readonly OrderPlace[]> {
  const places = new Map([...users].map((user): [Address, OrderPlace[]] => [lowerCaseAddress(user), []]));
  for (const side of SIDES) placesOnSide(book, side, places);
  return places;
}

function placesOnSide(book: L4Book, side: Side, places: ReadonlyMap<Address, OrderPlace[]>): void {
  const cursor = book.cursor(side);
  const { szScale } = cursor;
  /** By spelling, as received: the places of a requested owner, null for any other owner. */
  const bySpelling = new Map<Address | null, OrderPlace[] | null>();
  while (cursor.nextLevel()) {
    let ordersAhead = 0;
    let szAhead: Units = 0;
    while (cursor.nextOrder()) {
      const { user, sz } = cursor;
      let own = bySpelling.get(user);
      if (own === undefined) {
        own = (user === null ? undefined : places.get(lowerCaseAddress(user))) ?? null;
        bySpelling.set(user, own);
      }
      own?.push({
        oid: cursor.oid,
        side,
        limitPx: cursor.pxText,
        sz: cursor.szText,
        ordersAhead,
        szAhead: formatUnits(szAhead, szScale),
        levelOrders: cursor.levelOrders,
        levelSz: formatUnits(cursor.levelSz, szScale),
      });
      ordersAhead += 1;
      szAhead = plus(szAhead, sz);
    }
  }
}
