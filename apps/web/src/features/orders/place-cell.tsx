import { coinMarket } from '@l4desk/protocol';
import { useMemo } from 'react';
import { usePlaces } from '../../book-worker/places-store.ts';
import { type OrderPlace, orderPlace } from './order-place.ts';
import { flagOf, type ReportedOrder } from './reported-order.ts';

/** Whether an order rests in a book: a trigger waits outside of it, and only perps have one here. */
export function rests(order: ReportedOrder): boolean {
  return coinMarket(order.coin) === 'perp' && flagOf(order, 'isTrigger') !== true;
}

/** Where an open order stands now. */
export function PlaceCell({ order }: { readonly order: ReportedOrder }) {
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
  return <Place place={place} />;
}

function Place({ place }: { readonly place: OrderPlace }) {
  switch (place.kind) {
    case 'unread':
      return (
        <span className="text-dim" title="The book of this coin is not followed: see Places above the table">
          not followed
        </span>
      );
    case 'waiting':
      return (
        <span className="truncate text-stale" title={`The book is ${place.state}: ${place.detail}`}>
          {place.text} <span className="text-11">{place.state}</span>
        </span>
      );
    case 'resting':
      return (
        <span className="truncate" data-place="resting" title={place.hint}>
          {place.note !== '' && <span className="mr-1 text-11 text-stale">{place.note}</span>}
          {place.text}
        </span>
      );
    case 'gone':
      return (
        <span className="truncate text-stale" data-place="gone" title={place.hint}>
          {place.text}
        </span>
      );
    case 'absent':
      return (
        <span className="truncate text-dim" data-place="absent" title={place.hint}>
          {place.text}
        </span>
      );
  }
}
