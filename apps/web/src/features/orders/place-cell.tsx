import { coinMarket } from '@l4desk/protocol';
import { useMemo } from 'react';
import { usePlaces } from '../../book-worker/places-store.ts';
import { hasLeft, type OrderPlace, orderPlace } from './order-place.ts';
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
