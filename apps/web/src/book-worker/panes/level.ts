import type { L4Book, QueuedOrder } from '@l4desk/book';
import { add, multiply } from '@l4desk/decimal';
import { LevelList, type LevelListQuery, type ListedOwner } from '@l4desk/insight';
import type { DecimalString, L4Order } from '@l4desk/protocol';
import type { LevelRef } from '../position.ts';
import type { PaneComputer } from '../worker/shown.ts';

export type { LevelSort, ListedOwner } from '@l4desk/insight';

export type LevelView = LevelListQuery;

/** The level pane's request: a range of one row's queue. */
export interface LevelParams {
  readonly level: LevelRef;
  /** In place of the level's price the best one of its side, whichever that is in the shown block. */
  readonly isBest: boolean;
  /** Sorted, filtered or grouped; null for the whole queue in its own order. */
  readonly view: LevelView | null;
  /** Lines of the list to return: `from … from + length - 1`, or the last ones. */
  readonly from: number;
  readonly length: number;
  /** The order whose details are open; it is returned even if it is not visible. */
  readonly chosen: OrderPlace | null;
}

export interface OrderPlace {
  readonly oid: number;
  readonly place: number;
}

export interface QueueOrder {
  readonly index: number;
  /** Its place in the queue, 0 at the front, however the list is sorted. */
  readonly place: number;
  readonly oid: number;
  readonly user: string;
  readonly sz: DecimalString;
  readonly szAhead: DecimalString;
  /** `cumSz`: total size of the listed orders down to this one. `notional`: price times size. */
  readonly cumSz: DecimalString;
  readonly notional: DecimalString;
  readonly px: DecimalString;
  /** Ms since the Unix epoch; 0 when the stream does not say. */
  readonly timestamp: number;
  readonly tif: string | null;
  readonly orderType: string;
  readonly reduceOnly: boolean;
  readonly cloid: string | null;
}

/** A line of the list: an order, or all listed orders of one owner, which follow below it when it is open. */
export type LevelLine = QueueOrder | ListedOwner;

export interface Listed {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  readonly wallets: number;
}

export interface LevelData {
  /** The row that is listed. */
  readonly level: LevelRef;
  readonly count: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  readonly length: number;
  readonly listed: Listed | null;
  readonly lines: readonly LevelLine[];
  /** The chosen order now; null when none is chosen or it has left this row. */
  readonly chosen: QueueOrder | null;
}

/** An order of a lane: null once it has left the row, and if no order had the place. */
export interface LaneOrder {
  readonly count: number;
  readonly order: QueueOrder | null;
}

/** An order is looked for within this distance of its last place, before the whole queue is searched. */
const NEARBY = 256;

export const level: PaneComputer<LevelParams, LevelData> = {
  open: () => {
    let known:
      | { readonly book: L4Book; readonly revision: number; readonly key: string; readonly list: LevelList }
      | undefined;

    /** The same list while the book and the request are the same, so that scrolling does not read the book again. */
    const listOf = (book: L4Book, row: LevelRef, view: LevelView): LevelList => {
      const { revision } = book;
      const key = JSON.stringify([row, view]);
      if (known?.book !== book || known.revision !== revision || known.key !== key)
        known = { book, revision, key, list: new LevelList(book, row, view) };
      return known.list;
    };

    return ({ book }, { level: asked, isBest, view, from, length, chosen: wanted }) => {
      const best = isBest ? book.rows(asked.side, { tick: asked.tick, limit: 1 })[0] : undefined;
      const row = best === undefined ? asked : { ...asked, px: best.px };
      const total = book.row(row.side, row.px, row.tick);
      if (total === undefined) return { level: row, ...NOTHING };
      const list = view === null ? undefined : listOf(book, row, view);
      const lines = list?.length ?? total.count;
      const offset = Math.max(0, Math.min(lines - length, from));
      const found = wanted === null ? undefined : findInQueue(book, row, wanted);
      const chosen = found && toQueueOrder(found);
      return {
        level: row,
        count: total.count,
        sz: total.sz,
        notional: total.notional,
        length: lines,
        listed: list === undefined ? null : listedOf(list),
        lines: list === undefined ? queueLines(book, row, offset, length) : listLines(book, list, offset, length),
        chosen: chosen ? { ...chosen, index: list ? (list.indexOf(chosen.oid) ?? -1) : chosen.place } : null,
      };
    };
  },
};

const NOTHING = {
  count: 0,
  sz: '0',
  notional: '0',
  length: 0,
  listed: null,
  lines: [],
  chosen: null,
} as const;

function queueLines(book: L4Book, { side, px, tick }: LevelRef, offset: number, limit: number): readonly QueueOrder[] {
  return book.queue(side, px, { tick, offset, limit }).map(toQueueOrder);
}

function listLines(book: L4Book, list: LevelList, offset: number, limit: number): readonly LevelLine[] {
  return list.lines(offset, limit).flatMap((line): readonly LevelLine[] => {
    if (line.kind === 'owner') return [line];
    const order = book.order(line.oid);
    return order === undefined ? [] : [{ ...detailsOf(order), ...line }];
  });
}

function listedOf({ orders, sz, notional, wallets }: LevelList): Listed {
  return { orders, sz, notional, wallets };
}

function detailsOf(order: L4Order) {
  return {
    oid: order.oid,
    user: order.user ?? '',
    sz: order.sz,
    px: order.limitPx,
    timestamp: order.timestamp,
    tif: order.tif,
    orderType: order.orderType,
    reduceOnly: order.reduceOnly,
    cloid: order.cloid,
  };
}

/** An order of the queue itself, listed in queue order. */
function toQueueOrder({ place, szAhead, order }: QueuedOrder): QueueOrder {
  const { sz, limitPx } = order;
  return {
    ...detailsOf(order),
    index: place,
    place,
    szAhead,
    cumSz: add(szAhead, sz),
    notional: multiply(limitPx, sz),
  };
}

/** Finds an order in a row's queue, searching around its last place first. */
function findInQueue(book: L4Book, { side, px, tick }: LevelRef, { oid, place }: OrderPlace): QueuedOrder | undefined {
  if (book.sideOf(oid) !== side) return undefined;
  const isIt = ({ order }: QueuedOrder) => order.oid === oid;
  const offset = Math.max(0, place - NEARBY);
  return (
    book.queue(side, px, { tick, offset, limit: 2 * NEARBY }).find(isIt) ?? book.queue(side, px, { tick }).find(isIt)
  );
}

/** An order of a row's queue: the one at a place, or wherever the order with this oid is now. */
export function laneOrder(
  book: L4Book,
  level: LevelRef,
  { place, oid }: { readonly place: number; readonly oid: number | undefined },
): LaneOrder {
  const { side, px, tick } = level;
  const found =
    oid === undefined
      ? book.queue(side, px, { tick, offset: place, limit: 1 })[0]
      : findInQueue(book, level, { oid, place });
  return { count: book.row(side, px, tick)?.count ?? 0, order: found === undefined ? null : toQueueOrder(found) };
}
