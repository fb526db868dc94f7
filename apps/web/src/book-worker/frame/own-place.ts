import type { DecimalString } from '@l4desk/protocol';

/** The place of a watched wallet's foremost order in a row. */
export interface OwnPlace {
  /** The wallet's mark, 1 to 254. */
  readonly mark: number;
  /** From 1, among all orders of the row. */
  readonly place: number;
  readonly orders: number;
  readonly szAhead: DecimalString;
  /** Further orders of watched wallets in the row. */
  readonly more: number;
}

/** Encodes it as the text in a packed frame's row. */
export function packOwnPlace({ mark, place, orders, szAhead, more }: OwnPlace): string {
  return `${mark} ${place} ${orders} ${szAhead} ${more}`;
}

/** Undefined for a row without such an order. */
export function readOwnPlace(text: string): OwnPlace | undefined {
  if (text === '') return undefined;
  const [mark, place, orders, szAhead = '0', more] = text.split(' ');
  return {
    mark: Number(mark),
    place: Number(place),
    orders: Number(orders),
    szAhead: szAhead as DecimalString,
    more: Number(more),
  };
}
