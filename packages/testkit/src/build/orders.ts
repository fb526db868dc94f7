import type { Address, BookDiff, DecimalString, L4Order, OrderStatus, Side } from '@l4desk/protocol';

export function wallet(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

/** Returns a plain resting limit order. Every field can be overridden. */
export function order(fields: Partial<L4Order> = {}): L4Order {
  return {
    user: wallet(1),
    coin: 'BTC',
    side: 'B',
    limitPx: '100.0',
    sz: '1.0',
    oid: 1,
    timestamp: 1_778_002_752_000,
    triggerCondition: 'N/A',
    isTrigger: false,
    triggerPx: '0.0',
    isPositionTpsl: false,
    reduceOnly: false,
    orderType: 'Limit',
    tif: 'Gtc',
    cloid: null,
    ...fields,
  };
}

/** Returns the status for an order. Its inner owner is null, as on the wire (L4-21). */
export function orderStatus(of: L4Order, status = 'open'): OrderStatus {
  const user = of.user ?? wallet(1);
  return { time: '2026-05-05T17:39:12.123456789', user, status, order: { ...of, user: null } };
}

type DiffBase = Partial<Pick<BookDiff, 'user' | 'oid' | 'side' | 'px' | 'coin'>>;

function diffBase({ user = wallet(1), oid = 1, side = 'B', px = '100.0', coin = 'BTC' }: DiffBase) {
  return { user, oid, side, px, coin };
}

/** Builders of wire diffs (§2.7). */
export const diff = {
  insert(sz: DecimalString, fields: DiffBase & { readonly insertBefore?: number } = {}): BookDiff {
    const { insertBefore, ...base } = fields;
    const descriptor = insertBefore === undefined ? { sz } : { sz, insertBefore };
    return { ...diffBase(base), raw_book_diff: { new: descriptor } };
  },
  resize(origSz: DecimalString, newSz: DecimalString, fields: DiffBase = {}): BookDiff {
    return { ...diffBase(fields), raw_book_diff: { update: { origSz, newSz } } };
  },
  remove(fields: DiffBase = {}): BookDiff {
    return { ...diffBase(fields), raw_book_diff: 'remove' };
  },
};

export function opposite(side: Side): Side {
  return side === 'B' ? 'A' : 'B';
}
