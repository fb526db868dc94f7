import { decimalsOf, formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import {
  type BookChange,
  type DecimalString,
  type InsertChange,
  type L4Order,
  ownCopy,
  type RemoveChange,
  type ResizeChange,
  type Side,
} from '@l4desk/protocol';
import { isAmount } from '../engine/amount.ts';
import { asciiBytes, asciiJson } from '../engine/ascii-writer.ts';
import { type DetailFields, type Details, ordered } from '../engine/details.ts';
import type { ChangeListener, Engine } from '../engine/engine.ts';
import type { Finding } from '../finding.ts';
import type { LadderWindow } from '../ladder-window.ts';
import type {
  BestLevel,
  FillQuery,
  LadderRow,
  OrderCursor,
  OrderKey,
  QueuedOrder,
  QueuePlace,
  QueueQuery,
  RowsQuery,
} from '../types.ts';
import { exactChecksum, exactRollingChecksum } from './checksums.ts';
import { ExactCursor } from './cursor.ts';
import { type ExactLevel, type ExactOrder, sumOf, textOf, totalOf } from './level.ts';
import { type ExactRow, fillWindow } from './window.ts';

/**
 * The engine for numbers of any size and precision: plain objects and bigint, every sum computed on request. It takes over when
 * a number leaves the range of the fast engine, and is the model that the fast engine is tested against: simple rather than
 * fast.
 */
export class ExactEngine implements Engine {
  private readonly coin: string;
  /** All amounts are whole multiples of `10^-scale`; a finer decimal raises the scale. */
  private scale = 0;
  /** Decimals of the finest size seen: the unit of the sizes of a window and a cursor. */
  private szScale = 0;
  private readonly byOid = new Map<number, ExactOrder>();
  /** Best first. */
  private readonly bids: ExactLevel[] = [];
  private readonly asks: ExactLevel[] = [];

  constructor(coin: string) {
    this.coin = coin;
  }

  /** The orders of any engine. */
  static of(coin: string, source: Engine): ExactEngine {
    const exact = new ExactEngine(coin);
    for (const side of ['B', 'A'] as const) {
      for (const order of source.orders(side)) exact.append(side, order);
    }
    return exact;
  }

  copy(): ExactEngine {
    return ExactEngine.of(this.coin, this);
  }

  get orderCount(): number {
    return this.byOid.size;
  }

  orderCountOf(side: Side): number {
    return this.sideAt(side).reduce((count, level) => count + level.orders.length, 0);
  }

  levelCount(side: Side): number {
    return this.sideAt(side).length;
  }

  total(side: Side): DecimalString {
    return this.print(this.sideAt(side).reduce((sum, level) => sum + totalOf(level), 0n));
  }

  append(side: Side, order: L4Order): Finding | undefined {
    const { oid } = order;
    if (!isAmount(order.limitPx)) return { kind: 'bad-amount', oid, field: 'px', text: order.limitPx };
    if (!isAmount(order.sz)) return { kind: 'bad-amount', oid, field: 'sz', text: order.sz };
    if (order.side !== side) return { kind: 'misplaced', oid, side };
    if (this.byOid.has(oid)) return { kind: 'duplicate-oid', oid };
    this.refine(order.limitPx, order.sz);
    const px = this.read(order.limitPx);
    const worst = this.sideAt(side).at(-1);
    if (worst !== undefined && isBetter(side, px, worst.px)) return { kind: 'misplaced', oid, side };
    this.rest({ order: ordered(order), side, px, sz: this.read(order.sz) }, undefined);
    return undefined;
  }

  apply(
    changes: readonly BookChange[],
    from: number,
    details: Details,
    findings: Finding[],
    onBefore?: ChangeListener,
  ): number {
    for (let index = from; index < changes.length; index += 1) {
      onBefore?.(index);
      const finding = this.change(changes[index] as BookChange, details);
      if (finding !== undefined) findings.push(finding);
    }
    return changes.length;
  }

  crossed(): Finding | undefined {
    const bid = this.bids.find((level) => totalOf(level) > 0n);
    const ask = this.asks.find((level) => totalOf(level) > 0n);
    if (bid === undefined || ask === undefined || bid.px < ask.px) return undefined;
    return { kind: 'crossed', bid: textOf(bid), ask: textOf(ask) };
  }

  describe(oid: number, detail: DetailFields): void {
    const resting = this.byOid.get(oid);
    if (resting === undefined) return;
    const { user, coin, side, limitPx, sz } = resting.order;
    resting.order = ordered({ ...detail, user, coin, side, limitPx, sz, oid });
  }

  sideOf(oid: number): Side | undefined {
    return this.byOid.get(oid)?.side;
  }

  order(oid: number): L4Order | undefined {
    return this.byOid.get(oid)?.order;
  }

  place(oid: number): QueuePlace | undefined {
    const resting = this.byOid.get(oid);
    if (resting === undefined) return undefined;
    const level = this.levelAt(resting.side, resting.px) as ExactLevel;
    const ahead = level.orders.slice(0, level.orders.indexOf(resting));
    return {
      side: resting.side,
      px: textOf(level),
      ordersAhead: ahead.length,
      szAhead: this.print(sumOf(ahead)),
      levelCount: level.orders.length,
      levelSz: this.print(totalOf(level)),
    };
  }

  behind(oid: number): number | undefined {
    const resting = this.byOid.get(oid);
    if (resting === undefined) return undefined;
    const { orders } = this.levelAt(resting.side, resting.px) as ExactLevel;
    return orders[orders.indexOf(resting) + 1]?.order.oid;
  }

  best(side: Side): BestLevel | undefined {
    const level = this.sideAt(side)[0];
    if (level === undefined) return undefined;
    return { px: textOf(level), sz: this.print(totalOf(level)), count: level.orders.length };
  }

  rows(side: Side, query: RowsQuery): readonly LadderRow[] {
    return this.rowsOf(side, query).map(({ row }) => row);
  }

  fill(window: LadderWindow, side: Side, query: FillQuery): void {
    fillWindow(
      window,
      this.rowsOf(side, { ...query, limit: Math.min(query.limit ?? window.maxRows, window.maxRows) }),
      this.szScale,
    );
  }

  queue(side: Side, px: DecimalString, query: QueueQuery): readonly QueuedOrder[] {
    const { tick, offset = 0, limit = Number.POSITIVE_INFINITY } = query;
    this.refine(px, tick);
    const wanted = this.bucketOf(side, this.read(px), tick);
    const levels = this.sideAt(side).filter((level) => this.bucketOf(side, level.px, tick) === wanted);
    let ahead = 0n;
    const queue = levels
      .flatMap((level) => level.orders)
      .map(({ order, sz }, place): QueuedOrder => {
        const szAhead = this.print(ahead);
        ahead += sz;
        return { place, szAhead, order };
      });
    return queue.slice(offset, offset + limit);
  }

  *orders(side: Side): Generator<L4Order, void, undefined> {
    for (const level of this.sideAt(side)) {
      for (const { order } of level.orders) yield order;
    }
  }

  *keys(side: Side): Generator<OrderKey, void, undefined> {
    for (const { oid, user, limitPx: px, sz } of this.orders(side)) yield { oid, user, px, sz };
  }

  cursor(side: Side): OrderCursor {
    return new ExactCursor(this.sideAt(side), this.scale, this.szScale);
  }

  *sideJson(side: Side): Generator<Uint8Array, void, undefined> {
    let comma = '';
    for (const order of this.orders(side)) {
      yield asciiBytes(comma + asciiJson(order));
      comma = ',';
    }
  }

  checksum(): string {
    return exactChecksum({ B: this.bids, A: this.asks }, this.scale);
  }

  rollingChecksum(): string {
    return exactRollingChecksum({ B: this.bids, A: this.asks });
  }

  private change(change: BookChange, details: Details): Finding | undefined {
    if (change.kind === 'insert') this.refine(change.px, change.sz);
    else if (change.kind === 'resize') this.refine(change.px, change.origSz, change.newSz);
    else this.refine(change.px);
    switch (change.kind) {
      case 'insert':
        return this.insert(change, details);
      case 'resize':
        return this.resize(change);
      case 'remove':
        return this.remove(change);
    }
  }

  private insert(change: InsertChange, details: Details): Finding | undefined {
    const { oid, insertBefore, side } = change;
    if (!isAmount(change.px)) return { kind: 'bad-amount', oid, field: 'px', text: change.px };
    if (!isAmount(change.sz)) return { kind: 'bad-amount', oid, field: 'sz', text: change.sz };
    const sz = this.read(change.sz);
    if (sz === 0n) return { kind: 'empty-insert', oid };
    if (this.byOid.has(oid)) return { kind: 'duplicate-oid', oid };
    const px = this.read(change.px);
    const neighbour = insertBefore === null ? undefined : this.byOid.get(insertBefore);
    if (insertBefore !== null && (neighbour === undefined || neighbour.side !== side || neighbour.px !== px)) {
      return { kind: 'unknown-neighbour', oid, insertBefore };
    }
    this.rest({ order: orderOf(this.coin, change, details), side, px, sz }, neighbour);
    return undefined;
  }

  private resize(change: ResizeChange): Finding | undefined {
    const { oid } = change;
    const resting = this.byOid.get(oid);
    if (resting === undefined) return { kind: 'unknown-oid', change: 'resize', oid };
    const mismatch = this.mismatch(change, resting);
    if (mismatch !== undefined) return mismatch;
    if (!isAmount(change.origSz)) return { kind: 'bad-amount', oid, field: 'origSz', text: change.origSz };
    if (this.read(change.origSz) !== resting.sz) {
      return { kind: 'size-mismatch', oid, said: change.origSz, resting: resting.order.sz };
    }
    if (!isAmount(change.newSz)) return { kind: 'bad-amount', oid, field: 'newSz', text: change.newSz };
    resting.sz = this.read(change.newSz);
    resting.order = { ...resting.order, sz: ownCopy(change.newSz) };
    this.noteSize(change.newSz);
    return undefined;
  }

  private remove(change: RemoveChange): Finding | undefined {
    const { oid } = change;
    const resting = this.byOid.get(oid);
    if (resting === undefined) return { kind: 'unknown-oid', change: 'remove', oid };
    const mismatch = this.mismatch(change, resting);
    if (mismatch !== undefined) return mismatch;
    const levels = this.sideAt(resting.side);
    const level = this.levelAt(resting.side, resting.px) as ExactLevel;
    this.byOid.delete(oid);
    level.orders.splice(level.orders.indexOf(resting), 1);
    if (level.orders.length === 0) levels.splice(levels.indexOf(level), 1);
    return undefined;
  }

  private mismatch(change: ResizeChange | RemoveChange, resting: ExactOrder): Finding | undefined {
    const { oid } = change;
    if (change.side !== resting.side) return { kind: 'side-mismatch', oid, said: change.side, resting: resting.side };
    if (!isAmount(change.px)) return { kind: 'bad-amount', oid, field: 'px', text: change.px };
    if (this.read(change.px) !== resting.px) {
      return { kind: 'price-mismatch', oid, said: change.px, resting: resting.order.limitPx };
    }
    return undefined;
  }

  private sideAt(side: Side): ExactLevel[] {
    return side === 'B' ? this.bids : this.asks;
  }

  private levelAt(side: Side, px: bigint): ExactLevel | undefined {
    const levels = this.sideAt(side);
    const level = levels[placeOf(levels, side, px)];
    return level?.px === px ? level : undefined;
  }

  /** Inserts an order in front of a neighbour of its level, or at the back. */
  private rest(resting: ExactOrder, neighbour: ExactOrder | undefined): void {
    const { side, px } = resting;
    const levels = this.sideAt(side);
    let level = this.levelAt(side, px);
    if (level === undefined) {
      level = { px, orders: [] };
      levels.splice(placeOf(levels, side, px), 0, level);
    }
    const place = neighbour === undefined ? level.orders.length : level.orders.indexOf(neighbour);
    level.orders.splice(place, 0, resting);
    this.byOid.set(resting.order.oid, resting);
    this.noteSize(resting.order.sz);
  }

  private rowsOf(side: Side, { tick, from, limit }: RowsQuery): readonly ExactRow[] {
    this.refine(tick, from);
    const start = from === undefined ? undefined : this.bucketOf(side, this.read(from), tick);
    const groups: { readonly bucket: bigint; readonly levels: ExactLevel[] }[] = [];
    let cumSz = 0n;
    for (const level of this.sideAt(side)) {
      const bucket = this.bucketOf(side, level.px, tick);
      if (start !== undefined && isBetter(side, bucket, start)) cumSz += totalOf(level);
      else if (groups.at(-1)?.bucket === bucket) groups.at(-1)?.levels.push(level);
      else if (groups.length < limit) groups.push({ bucket, levels: [level] });
      else break;
    }
    return groups.map(({ bucket, levels }): ExactRow => {
      const orders = levels.flatMap((level) => level.orders);
      const sz = sumOf(orders);
      cumSz += sz;
      const row: LadderRow = {
        px: tick === undefined ? textOf(levels[0] as ExactLevel) : formatUnits(bucket, this.scale, decimalsOf(tick)),
        sz: this.print(sz),
        cumSz: this.print(cumSz),
        notional: formatUnits(sumOfProducts(orders), this.scale * 2),
        count: orders.length,
        levels: levels.length,
      };
      return { row, levels };
    });
  }

  /** The multiple of the tick that a price falls into: bids round down, asks up. Without a tick the price itself. */
  private bucketOf(side: Side, px: bigint, tick: DecimalString | undefined): bigint {
    if (tick === undefined) return px;
    const step = this.read(tick);
    const past = ((px % step) + step) % step;
    if (past === 0n) return px;
    return side === 'B' ? px - past : px - past + step;
  }

  /** Makes the scale fine enough for these amounts; texts that are not amounts are left for their readers to reject. */
  private refine(...texts: readonly (DecimalString | undefined)[]): void {
    const decimals = texts.map((text) => (text !== undefined && isAmount(text) ? significantDecimalsOf(text) : 0));
    const scale = Math.max(this.scale, ...decimals);
    if (scale === this.scale) return;
    const factor = 10n ** BigInt(scale - this.scale);
    for (const level of [...this.bids, ...this.asks]) {
      level.px *= factor;
      for (const resting of level.orders) {
        resting.px *= factor;
        resting.sz *= factor;
      }
    }
    this.scale = scale;
  }

  private noteSize(text: DecimalString): void {
    this.szScale = Math.max(this.szScale, significantDecimalsOf(text));
  }

  private read(text: DecimalString): bigint {
    return parseBigUnits(text, this.scale) as bigint;
  }

  private print(units: bigint): DecimalString {
    return formatUnits(units, this.scale);
  }
}

function isBetter(side: Side, px: bigint, than: bigint): boolean {
  return side === 'B' ? px > than : px < than;
}

/** Index of the first level that is not better than `px`. */
function placeOf(levels: readonly ExactLevel[], side: Side, px: bigint): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBetter(side, (levels[middle] as ExactLevel).px, px)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sumOfProducts(orders: readonly ExactOrder[]): bigint {
  return orders.reduce((sum, { px, sz }) => sum + px * sz, 0n);
}

/** The order that a change inserts: price, size and owner from the change, the rest from its status. */
function orderOf(coin: string, change: InsertChange, details: Details): L4Order {
  const { oid, user, side, px, sz } = change;
  const place = { user: ownCopy(user), coin, side, limitPx: ownCopy(px), sz: ownCopy(sz), oid };
  return ordered({ ...details.of(change), ...place });
}
