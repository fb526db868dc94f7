import { describeFinding, L4Book } from '@l4desk/book';
import {
  owners as bookOwners,
  queuePlaces as bookQueuePlaces,
  queuePlacesOf as bookQueuePlacesOf,
  sweep as bookSweep,
  type OrderPlace,
  type Owners,
  type Sweep,
  type SweepAmount,
  type TakerSide,
} from '@l4desk/insight';
import { type Address, type DecimalString, type DecodedSnapshot, WireFormatError } from '@l4desk/protocol';

/** A book to query: that of a followed coin (`follower.coin(…).book`), or a response of `l4BookSnapshot`. */
export type BookSource = L4Book | DecodedSnapshot;

/**
 * Returns the book of a snapshot, to use for several calls: building it is most of the work. A followed coin's book is returned
 * as it is. Throws WireFormatError if the snapshot contradicts itself.
 */
export function bookOf(source: BookSource): L4Book {
  if (source instanceof L4Book) return source;
  const { book, findings } = L4Book.build(source.coin, source.levels);
  const [finding] = findings;
  if (finding !== undefined)
    throw new WireFormatError('snapshot.levels', `must be a book: ${describeFinding(finding)}`);
  return book;
}

/**
 * Returns the queue place of every resting order of a wallet: bids, then asks, from the best price outward, in queue
 * order. Empty for a wallet without orders. Throws like `bookOf`.
 */
export function queuePlaces(source: BookSource, user: Address): readonly OrderPlace[] {
  return bookQueuePlaces(bookOf(source), user);
}

/** Like `queuePlaces` for several wallets in one pass. The keys are their addresses in lower case. */
export function queuePlacesOf(
  source: BookSource,
  users: Iterable<Address>,
): ReadonlyMap<Address, readonly OrderPlace[]> {
  return bookQueuePlacesOf(bookOf(source), users);
}

/**
 * Returns, per side, the wallets by resting size within a distance of the mid in basis points, with their share of it. Throws
 * like `bookOf`, and RangeError if the distance is not a decimal from zero.
 */
export function owners(source: BookSource, withinBps: DecimalString): Owners {
  return bookOwners(bookOf(source), withinBps);
}

/**
 * Returns what a market order of a size or a notional would take from the book as it is. `szDecimals` of the coin is in `meta`.
 * Throws like `bookOf`, and RangeError if the amount is not a decimal from zero.
 */
export function sweep(source: BookSource, side: TakerSide, amount: SweepAmount): Sweep {
  return bookSweep(bookOf(source), side, amount);
}
