import type { Address, BookChange, BookLevels, CoinBatch, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { order, wallet } from '@l4desk/testkit';

/** Where a change happens. The default is an order of wallet 1 with oid 1 that bids 100.0. */
interface Place {
  readonly oid?: number;
  readonly user?: Address;
  readonly side?: Side;
  readonly px?: DecimalString;
}

function placed({ oid = 1, user = wallet(1), side = 'B', px = '100.0' }: Place) {
  return { oid, user, side, px };
}

export function insert(oid: number, sz: DecimalString, place: Place & { readonly before?: number } = {}): BookChange {
  const { before = null, ...rest } = place;
  return { kind: 'insert', ...placed({ ...rest, oid }), sz, insertBefore: before };
}

export function resize(oid: number, origSz: DecimalString, newSz: DecimalString, place: Place = {}): BookChange {
  return { kind: 'resize', ...placed({ ...place, oid }), origSz, newSz };
}

export function remove(oid: number, place: Place = {}): BookChange {
  return { kind: 'remove', ...placed({ ...place, oid }) };
}

export function bid(oid: number, px: DecimalString, sz: DecimalString, fields: Partial<L4Order> = {}): L4Order {
  return order({ side: 'B', oid, limitPx: px, sz, ...fields });
}

export function ask(oid: number, px: DecimalString, sz: DecimalString, fields: Partial<L4Order> = {}): L4Order {
  return order({ side: 'A', oid, limitPx: px, sz, ...fields });
}

/** Bids 100.0 (oids 1, 2, 3) and 99.5 (4), asks 101.0 (5, 6) and 102.0 (7). */
export function smallLevels(): BookLevels {
  return [
    [bid(1, '100.0', '1.0'), bid(2, '100.0', '2.0'), bid(3, '100.0', '3.0'), bid(4, '99.5', '4.0')],
    [ask(5, '101.0', '0.5'), ask(6, '101.0', '0.25'), ask(7, '102.0', '7.0')],
  ];
}

/** A batch of one coin that inserts the order whose oid is its seq. */
export function batch(seq: number, fields: Partial<CoinBatch> = {}): CoinBatch {
  return {
    coin: 'BTC',
    epoch: 'epoch-1',
    height: 1_000 + seq,
    time: 1_778_002_752_000,
    seq,
    prevSeq: seq - 1,
    changes: [insert(seq, '1.0')],
    statuses: [],
    ...fields,
  };
}
