import type { BookDiff, DecimalString, L4Order, OrderStatus, Side } from '@l4desk/protocol';
import type { Chance } from '../chance.ts';
import { diff, order, orderStatus, wallet } from './orders.ts';

/** The changes of one block to one coin, in wire form. */
export interface SourceBlock {
  readonly diffs: readonly BookDiff[];
  readonly statuses: readonly OrderStatus[];
}

/** Prices are multiples of this many tenths. */
const PRICE_STEP_TENTHS = 5;
const MIDDLE_TENTHS = 10_000;

/** A reference book: two plain arrays in price and queue order, changed by random valid blocks, never crossed. */
export class SourceBook {
  readonly coin: string;
  readonly #chance: Chance;
  readonly #sides: Record<Side, L4Order[]> = { B: [], A: [] };
  #nextOid: number;
  #middleTenths = MIDDLE_TENTHS;

  /** `firstOid` keeps the oids of different coins distinct, as on the exchange. */
  constructor(coin: string, chance: Chance, orders = 20, firstOid = 1_000) {
    this.coin = coin;
    this.#chance = chance;
    this.#nextOid = firstOid;
    for (let count = 0; count < orders; count += 1) this.#insert();
  }

  /** Bids, then asks, best first, in queue order. Orders are frozen, so a test may keep them without copies. */
  levels(): [L4Order[], L4Order[]] {
    return [[...this.#sides.B], [...this.#sides.A]];
  }

  /** Changes the book by about `changes` random steps and returns the changes. */
  block(changes = this.#chance.int(1, 6)): SourceBlock {
    const diffs: BookDiff[] = [];
    const statuses: OrderStatus[] = [];
    if (this.#chance.happens(0.2)) this.#middleTenths += this.#chance.int(-1, 2) * PRICE_STEP_TENTHS;
    for (let count = 0; count < changes; count += 1) {
      const step = this.#step();
      diffs.push(...step.diffs);
      statuses.push(...step.statuses);
    }
    return { diffs, statuses };
  }

  #step(): SourceBlock {
    const resting = [...this.#sides.B, ...this.#sides.A];
    const roll = this.#chance.next();
    if (resting.length < 5 || roll < 0.45) return this.#insert();
    const target = this.#chance.pick(resting);
    return roll < 0.7 ? this.#resize(target) : this.#remove(target);
  }

  #insert(): SourceBlock {
    const side = this.#chance.pick(['B', 'A'] as const);
    const tenths = this.#freePrice(side);
    const oid = this.#nextOid;
    this.#nextOid += 1;
    const user = wallet(this.#chance.int(1, 8));
    const fresh = order({
      coin: this.coin,
      side,
      oid,
      user,
      limitPx: tenthsText(tenths),
      sz: this.#size(),
      cloid: this.#cloid(),
    });
    const queue = this.#sides[side].filter((item) => item.limitPx === fresh.limitPx);
    const before = queue.length > 0 && this.#chance.happens(0.15) ? this.#chance.pick(queue) : undefined;
    this.#place(fresh, before);
    const fields = { user, oid, side, px: fresh.limitPx, coin: this.coin };
    const insert = diff.insert(fresh.sz, before === undefined ? fields : { ...fields, insertBefore: before.oid });
    const step = { diffs: [insert], statuses: [orderStatus(fresh)] };
    if (!this.#chance.happens(0.05)) return step;
    const gone = this.#remove(fresh);
    return { diffs: [insert, ...gone.diffs], statuses: [...step.statuses, ...gone.statuses] };
  }

  #resize(target: L4Order): SourceBlock {
    const newSz = this.#size();
    const resize = diff.resize(target.sz, newSz, fieldsOf(target));
    this.#replace(Object.freeze({ ...target, sz: newSz }));
    return { diffs: [resize], statuses: [] };
  }

  #remove(target: L4Order): SourceBlock {
    this.#sides[target.side] = this.#sides[target.side].filter((item) => item.oid !== target.oid);
    const remove = diff.remove(fieldsOf(target));
    // A maker that is filled completely may first shrink to zero (BOOK-7).
    if (!this.#chance.happens(0.2)) return { diffs: [remove], statuses: [orderStatus(target, 'canceled')] };
    return {
      diffs: [diff.resize(target.sz, '0.0', fieldsOf(target)), remove],
      statuses: [orderStatus(target, 'filled')],
    };
  }

  #freePrice(side: Side): number {
    const away = this.#chance.int(1, 12) * PRICE_STEP_TENTHS;
    const bestBid = tenthsOf(this.#sides.B[0]?.limitPx ?? '0.0');
    const bestAsk = tenthsOf(this.#sides.A[0]?.limitPx ?? '1000000.0');
    return side === 'B'
      ? Math.min(this.#middleTenths - away, bestAsk - PRICE_STEP_TENTHS)
      : Math.max(this.#middleTenths + away, bestBid + PRICE_STEP_TENTHS);
  }

  #place(fresh: L4Order, before: L4Order | undefined): void {
    const queue = this.#sides[fresh.side];
    const sign = fresh.side === 'B' ? 1 : -1;
    const price = tenthsOf(fresh.limitPx);
    const behind = queue.findIndex((item) => sign * (tenthsOf(item.limitPx) - price) < 0);
    const at = before === undefined ? behind : queue.findIndex((item) => item.oid === before.oid);
    queue.splice(at < 0 ? queue.length : at, 0, Object.freeze(fresh));
  }

  #replace(changed: L4Order): void {
    this.#sides[changed.side] = this.#sides[changed.side].map((item) => (item.oid === changed.oid ? changed : item));
  }

  #size(): DecimalString {
    return `${this.#chance.int(0, 50)}.${this.#chance.int(1, 10_000)}` as DecimalString;
  }

  #cloid(): string | null {
    return this.#chance.happens(0.3)
      ? `0x${this.#chance
          .int(1, 2 ** 31)
          .toString(16)
          .padStart(32, '0')}`
      : null;
  }
}

function fieldsOf({ user, oid, side, limitPx, coin }: L4Order) {
  return { user: user ?? wallet(1), oid, side, px: limitPx, coin };
}

function tenthsText(tenths: number): DecimalString {
  return `${Math.floor(tenths / 10)}.${tenths % 10}` as DecimalString;
}

function tenthsOf(text: DecimalString): number {
  const [whole = '0', tenth = '0'] = text.split('.');
  return Number(whole) * 10 + Number(tenth);
}
