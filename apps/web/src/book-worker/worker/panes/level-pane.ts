import type { L4Book, QueuedOrder } from '@l4desk/book';
import { add, multiply } from '@l4desk/decimal';
import { type FlowEvent, LevelList, type ListedOrder } from '@l4desk/insight';
import type { L4Order } from '@l4desk/protocol';
import {
  type LevelAsk,
  type LevelResponse,
  type LevelView,
  type OrderPlace,
  type QueueOrder,
  UNLISTED,
} from '../../panes/level.ts';
import { rowHolds } from '../../prices.ts';

/** An order is looked for within this distance of its last place, before the whole queue is searched. */
const NEARBY = 256;

/** The most anchors that hold a view in place. */
const ANCHORS = 8;

/**
 * A range of one row's queue that follows what the person reads: for the same request, every frame moves the range with the
 * visible orders, and reports how far it has moved since the request.
 */
export class LevelPane {
  #serial: number | undefined;
  #revision = 0;
  #shift = 0;
  #anchors: readonly OrderPlace[] = [];
  #last:
    | { readonly book: L4Book; readonly revision: number; readonly ask: LevelAsk; readonly response: LevelResponse }
    | undefined;
  #known:
    | { readonly book: L4Book; readonly revision: number; readonly key: string; readonly list: LevelList }
    | undefined;

  /** After a block: if the block left the row unchanged, the last response is still valid. */
  note(book: L4Book, events: readonly FlowEvent[]): void {
    const last = this.#last;
    if (last === undefined || last.book !== book) return;
    const { level } = last.ask;
    const isOther =
      last.revision + 1 !== book.revision || events.some(({ side, level: px }) => rowHolds(level, side, px));
    this.#last = isOther ? undefined : { ...last, revision: book.revision };
  }

  respond(book: L4Book, ask: LevelAsk): LevelResponse {
    const last = this.#last;
    if (last?.book === book && last.revision === book.revision && last.ask.serial === ask.serial) return last.response;
    const response = this.#read(book, ask);
    this.#last = { book, revision: book.revision, ask, response };
    return response;
  }

  #read(book: L4Book, ask: LevelAsk): LevelResponse {
    if (ask.serial !== this.#serial) {
      this.#serial = ask.serial;
      this.#shift = 0;
      this.#anchors = ask.anchors;
    }
    this.#revision += 1;
    const { serial, level } = ask;
    const revision = this.#revision;
    const { side, px, tick } = level;
    const row = book.row(side, px, tick);
    if (row === undefined) {
      const nothing = { length: 0, listed: null, orders: [], owners: [], chosen: null };
      return { serial, revision, level, count: 0, sz: '0', notional: '0', shift: this.#shift, ...nothing };
    }
    const { count, sz, notional } = row;
    const list = ask.view === null ? undefined : this.#listOf(book, level, ask.view);
    const shown = list === undefined ? this.#queue(book, ask, count) : this.#list(book, ask, list);
    const found = ask.chosen === null ? undefined : findInQueue(book, level, ask.chosen);
    const chosen = found && toQueueOrder(found);
    return {
      serial,
      revision,
      level,
      count,
      sz,
      notional,
      shift: this.#shift,
      ...shown,
      chosen:
        chosen === undefined
          ? null
          : { ...chosen, index: list === undefined ? chosen.place : (list.indexOf(chosen.oid) ?? UNLISTED) },
    };
  }

  /** Returns the same list while the book and the request are the same, so that scrolling does not read the book again. */
  #listOf(book: L4Book, level: LevelAsk['level'], view: LevelView): LevelList {
    const { revision } = book;
    const key = JSON.stringify([level, view]);
    const known = this.#known;
    if (known?.book === book && known.revision === revision && known.key === key) return known.list;
    const list = new LevelList(book, level, view);
    this.#known = { book, revision, key, list };
    return list;
  }

  #queue(book: L4Book, ask: LevelAsk, count: number): Lines {
    const { side, px, tick } = ask.level;
    this.#shift += shiftOf(this.#anchors, ({ oid, place }) => findInQueue(book, ask.level, { oid, place })?.place);
    const orders = book
      .queue(side, px, { tick, offset: this.#offset(ask, count), limit: ask.length })
      .map((order) => toQueueOrder(order));
    this.#anchors = anchorsIn(orders, ask, this.#shift);
    return { length: count, listed: null, orders, owners: [] };
  }

  #list(book: L4Book, ask: LevelAsk, list: LevelList): Lines {
    this.#shift += shiftOf(this.#anchors, ({ oid }) => list.indexOf(oid));
    const lines = list.lines(this.#offset(ask, list.length), ask.length);
    const orders = lines.flatMap((line) => {
      const order = line.kind === 'order' ? book.order(line.oid) : undefined;
      return order === undefined ? [] : [{ ...detailsOf(order), ...(line as ListedOrder) }];
    });
    this.#anchors = anchorsIn(orders, ask, this.#shift);
    return {
      length: list.length,
      listed: { orders: list.orders, sz: list.sz, notional: list.notional, wallets: list.wallets },
      orders,
      owners: lines.filter((line) => line.kind === 'owner'),
    };
  }

  /** The first line to return. */
  #offset({ from, length }: LevelAsk, lines: number): number {
    return Math.min(Math.max(0, lines - length), Math.max(0, from + this.#shift));
  }
}

type Lines = Pick<LevelResponse, 'length' | 'listed' | 'orders' | 'owners'>;

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
export function toQueueOrder({ place, szAhead, order }: QueuedOrder): QueueOrder {
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

/** How far the first anchor that is still listed has moved; 0 when none is. */
function shiftOf(anchors: readonly OrderPlace[], placeOf: (anchor: OrderPlace) => number | undefined): number {
  for (const anchor of anchors) {
    const now = placeOf(anchor);
    if (now !== undefined) return now - anchor.place;
  }
  return 0;
}

/** The orders that are visible now; empty if the request had no anchors, because then the view stays at the front. */
function anchorsIn(orders: readonly QueueOrder[], { anchors }: LevelAsk, shift: number): readonly OrderPlace[] {
  const [first] = anchors;
  if (first === undefined) return [];
  return orders
    .filter(({ index }) => index >= first.place + shift)
    .slice(0, ANCHORS)
    .map(({ index, oid }) => ({ oid, place: index }));
}

/** Finds an order in a row's queue, searching around its last place first. */
export function findInQueue(
  book: L4Book,
  { side, px, tick }: LevelAsk['level'],
  { oid, place }: OrderPlace,
): QueuedOrder | undefined {
  if (book.sideOf(oid) !== side) return undefined;
  const isIt = ({ order }: QueuedOrder) => order.oid === oid;
  const offset = Math.max(0, place - NEARBY);
  return (
    book.queue(side, px, { tick, offset, limit: 2 * NEARBY }).find(isIt) ?? book.queue(side, px, { tick }).find(isIt)
  );
}
