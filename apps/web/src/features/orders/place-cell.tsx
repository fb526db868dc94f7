import { coinMarket } from '@l4desk/protocol';
import { useMemo } from 'react';
import { type KnownPlaces, usePlaces } from '../../book-worker/places-store.ts';
import type { PlacedOrder } from '../../book-worker/worker/places/coin-places.ts';
import type { GoneOrder } from '../../book-worker/worker/places/gone-orders.ts';
import { grouped, wholeText } from '../../ui/format.ts';
import type { OrderRow } from './order-rows.ts';
import { flagOf, type ReportedOrder } from './reported-order.ts';

/** Whether an order rests in a book. A trigger waits outside of it, and only perps have a book here. */
export function rests(order: ReportedOrder): boolean {
  return coinMarket(order.coin) === 'perp' && flagOf(order, 'isTrigger') !== true;
}

/** Whether an order that was reported as open has left the book since, according to its place. */
export function useHasLeft({ call, order, parent, later }: OrderRow): boolean {
  const mayRest = call !== 'historicalOrders' && parent === undefined && later === undefined && rests(order);
  return usePlaces(({ coins }) => mayRest && hasLeft(coins.get(order.coin), order.oid));
}

/** What is copied of it: with the state of a book that is not live. */
export function copiedPlace(order: ReportedOrder): string {
  if (!rests(order)) return '';
  const { kind, text, note } = orderPlace(usePlaces.getState().coins.get(order.coin), order.oid);
  return kind === 'waiting' ? `${text} ${note ?? ''}`.trim() : text;
}

interface PlaceCellProps {
  readonly order: ReportedOrder;
  /** Shows only the place: the row of a narrow screen has no room for the size ahead. */
  readonly isShort?: boolean;
}

/** The current place of an open order in its queue. */
export function PlaceCell({ order, isShort = false }: PlaceCellProps) {
  const known = usePlaces(({ coins }) => coins.get(order.coin));
  const place = useMemo(() => orderPlace(known, order.oid), [known, order.oid]);
  if (!rests(order)) {
    return (
      <span
        className="text-dim"
        title="It rests in no book that is followed here: a trigger that waits, or a spot order"
      >
        –<span className="sr-only">no place</span>
      </span>
    );
  }
  return <Place place={isShort ? shortPlace(place) : place} />;
}

const SHORT_MAX = 9;

/** `12 of 58`, or `#112`; a place that is not current keeps a sign: `~12 of 58`. Nothing is cut. */
function shortPlace({ kind, text, hint }: OrderPlace): OrderPlace {
  if (kind === 'unread') return { kind, hint, text: 'not read' };
  if (kind === 'absent') return { kind, hint, text: text === '?' ? text : 'has left' };
  if (kind === 'gone') return { kind, hint, text: text.replace(/ to .*/, '') };
  const [place = ''] = text.split(' · ', 1);
  const sign = kind === 'waiting' && place !== '…' ? '~' : '';
  const isLong = sign.length + place.length > SHORT_MAX;
  return { kind, hint, text: sign + (isLong ? place.replace(/^([\d,]+) of .*/, '#$1') : place) };
}

const LOOKS: Readonly<Record<OrderPlace['kind'], string>> = {
  unread: 'text-dim',
  waiting: 'truncate text-stale',
  resting: 'truncate',
  gone: 'truncate text-stale',
  absent: 'truncate text-dim',
};

function Place({ place: { kind, text, hint, note } }: { readonly place: OrderPlace }) {
  return (
    <span className={LOOKS[kind]} data-place={kind} title={hint}>
      {kind === 'resting' && note && <span className="mr-1 text-11 text-stale">{note}</span>}
      {text} {kind === 'waiting' && <span className="text-11">{note}</span>}
    </span>
  );
}

/** The place of an open order in its queue, as shown on the page. */
interface OrderPlace {
  /**
   * Nobody follows the coin's book for it; the book is loading or not live; the order rests; the order has left; the order is
   * not in the book and was not seen leaving it.
   */
  readonly kind: 'unread' | 'waiting' | 'resting' | 'gone' | 'absent';
  readonly text: string;
  readonly hint: string;
  /** The state of a book that is not live, or the orders inserted in front. */
  readonly note?: string;
}

/** The place of the order with this oid, from what is known about its coin. */
export function orderPlace(known: KnownPlaces | undefined, oid: number): OrderPlace {
  if (known === undefined) {
    return {
      kind: 'unread',
      text: 'not followed',
      hint: 'The book of this coin is not followed: see Places above the table',
    };
  }
  const { state, detail, orders, gone, height, isCut } = known;
  const resting = orders.get(oid);
  if (state !== 'live') {
    const text = resting === undefined ? '…' : placeText(resting);
    return { kind: 'waiting', text, hint: `The book is ${state}: ${detail}`, note: state };
  }
  if (resting !== undefined) return restingPlace(resting);
  const left = gone.get(oid);
  if (left !== undefined) return gonePlace(left);
  const at = height === undefined ? '' : ` at block ${wholeText(height)}`;
  if (isCut) {
    return { kind: 'absent', text: '?', hint: `These wallets have more orders in the book than are listed${at}` };
  }
  return {
    kind: 'absent',
    text: 'not in the book',
    hint: `It does not rest${at}, and was not seen leaving: it left before its places were read. Refresh the orders`,
  };
}

/** Whether the order rests no longer, as far as known: what was loaded of it is then from before. */
export function hasLeft(known: KnownPlaces | undefined, oid: number): boolean {
  if (known === undefined || known.state !== 'live' || known.orders.has(oid)) return false;
  return known.gone.has(oid) || !known.isCut;
}

/** `12 of 58 · 4.28 ahead`; for the first order `next`. */
function placeText({ ordersAhead, levelOrders, szAhead }: PlacedOrder): string {
  const place = `${wholeText(ordersAhead + 1)} of ${wholeText(levelOrders)}`;
  return `${place} · ${ordersAhead === 0 ? 'next' : `${grouped(szAhead)} ahead`}`;
}

function restingPlace(order: PlacedOrder): OrderPlace {
  const { inserted } = order;
  const isMoved = inserted !== null && inserted.orders > 0;
  return {
    kind: 'resting',
    text: placeText(order),
    note: isMoved ? `+${wholeText(inserted.orders)} in front` : '',
    hint: isMoved
      ? `${wholeText(inserted.orders)} orders (${grouped(inserted.sz)}) came to rest in front of it since it is followed`
      : `${grouped(order.szAhead)} of ${grouped(order.levelSz)} rests in front of it`,
  };
}

const LEFT: Readonly<Partial<Record<GoneOrder['kind'], string>>> = {
  executed: 'executed',
  canceled: 'canceled',
  requotedOut: 'moved',
};

function gonePlace({ kind, inferred, height, other }: GoneOrder): OrderPlace {
  const word = `${LEFT[kind] ?? 'gone'}${inferred ? '*' : ''}`;
  const star = inferred ? ' *inferred: no order status says so.' : '';
  return {
    kind: 'gone',
    text: other === null ? word : `${word} to ${grouped(other.px)}`,
    hint:
      other === null
        ? `Left at block ${wholeText(height)}.${star}`
        : `Order ${other.oid} took its place under the same cloid at block ${wholeText(height)}.${star}`,
  };
}
