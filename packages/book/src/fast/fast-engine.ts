import { formatUnits } from '@l4desk/decimal';
import type {
  BookChange,
  DecimalString,
  InsertChange,
  L4Order,
  RemoveChange,
  ResizeChange,
  Side,
} from '@l4desk/protocol';
import { isAmount } from '../engine/amount.ts';
import type { DetailFields, Details } from '../engine/details.ts';
import { type ChangeListener, type Engine, OUT_OF_RANGE } from '../engine/engine.ts';
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
import { fastChecksum } from './checksum.ts';
import { FastCursor } from './cursor.ts';
import { sideJson } from './json.ts';
import { FastSide, LevelStore } from './level-store.ts';
import { NONE, OrderStore } from './order-store.ts';
import { FastRolling } from './rolling.ts';
import { fillWindow, placeOf, queueOf, rowsOf } from './rows.ts';
import type { StoredBook } from './stored-book.ts';
import { BAD, FAR, UnitScale } from './unit-scale.ts';

type Outcome = Finding | typeof OUT_OF_RANGE | undefined;

/**
 * The engine for every real book: prices and sizes are integers, in the coin's own smallest units, in doubles, which are exact
 * up to 2^53. The scales are the finest decimals seen so far; a finer one rescales the book once. The total of a side is kept
 * below 2^53, so every sum over a part of it is exact too.
 */
export class FastEngine implements Engine, StoredBook {
  readonly coin: string;
  readonly orderStore: OrderStore;
  readonly levels: LevelStore;
  readonly bids: FastSide;
  readonly asks: FastSide;
  private readonly prices = new UnitScale((factor) => this.multiplyPrices(factor));
  private readonly sizes = new UnitScale((factor) => this.multiplySizes(factor));
  /** Maintained from the first request on. */
  private rolling: FastRolling | undefined;

  /** An empty book with room for `expected` orders at once, or a copy of `source`. */
  constructor(coin: string, expected = 0, source?: FastEngine) {
    this.coin = coin;
    this.orderStore = source?.orderStore.copy() ?? new OrderStore(coin, expected);
    this.levels = source?.levels.copy() ?? new LevelStore();
    this.bids = source?.bids.copy() ?? new FastSide('B');
    this.asks = source?.asks.copy() ?? new FastSide('A');
    this.prices.scale = source?.pxScale ?? 0;
    this.sizes.scale = source?.szScale ?? 0;
  }

  /** The rolling checksum of a copy is summed up at its first request. */
  copy(): FastEngine {
    return new FastEngine(this.coin, 0, this);
  }

  get pxScale(): number {
    return this.prices.scale;
  }

  get szScale(): number {
    return this.sizes.scale;
  }

  get orderCount(): number {
    return this.orderStore.count;
  }

  orderCountOf(side: Side): number {
    return this.sideAt(side).orders;
  }

  levelCount(side: Side): number {
    return this.sideAt(side).index.size;
  }

  total(side: Side): DecimalString {
    return formatUnits(this.sideAt(side).total, this.szScale);
  }

  append(side: Side, order: L4Order): Outcome {
    const { oid } = order;
    const at = this.sideAt(side);
    const worst = at.index.worst();
    const px = this.prices.read(order.limitPx);
    if (px === BAD) return { kind: 'bad-amount', oid, field: 'px', text: order.limitPx };
    const sz = this.sizes.read(order.sz);
    if (sz === BAD) return { kind: 'bad-amount', oid, field: 'sz', text: order.sz };
    if (order.side !== side) return { kind: 'misplaced', oid, side };
    if (this.orderStore.find(oid) !== NONE) return { kind: 'duplicate-oid', oid };
    if (px === FAR || sz === FAR || !Number.isSafeInteger(at.total + sz)) return OUT_OF_RANGE;
    let level = worst;
    if (worst === NONE || this.levels.px(worst) !== px) {
      if (worst !== NONE && px * at.sign > this.levels.px(worst) * at.sign) return { kind: 'misplaced', oid, side };
      level = this.openLevel(at, px);
    }
    this.rest(at, level, NONE, oid, order.user, order, order.limitPx, sz, order.sz);
    return undefined;
  }

  apply(
    changes: readonly BookChange[],
    from: number,
    details: Details,
    findings: Finding[],
    onBefore?: ChangeListener,
  ): number {
    const slots = this.orderStore.findAll(changes);
    for (let index = from; index < changes.length; index += 1) {
      onBefore?.(index);
      const outcome = this.change(changes[index] as BookChange, slots[index] as number, details);
      if (outcome === OUT_OF_RANGE) return index;
      if (outcome !== undefined) findings.push(outcome);
    }
    return changes.length;
  }

  crossed(): Finding | undefined {
    const bid = this.levels.bestFilled(this.bids);
    const ask = this.levels.bestFilled(this.asks);
    if (bid === NONE || ask === NONE || this.levels.px(bid) < this.levels.px(ask)) return undefined;
    return { kind: 'crossed', bid: this.levelText(bid), ask: this.levelText(ask) };
  }

  describe(oid: number, detail: DetailFields): void {
    const slot = this.orderStore.find(oid);
    if (slot !== NONE) this.orderStore.describe(slot, detail);
  }

  sideOf(oid: number): Side | undefined {
    const slot = this.orderStore.find(oid);
    return slot === NONE ? undefined : this.levels.sideOf(this.orderStore.levelOf(slot));
  }

  order(oid: number): L4Order | undefined {
    const slot = this.orderStore.find(oid);
    return slot === NONE ? undefined : this.orderAt(slot);
  }

  place(oid: number): QueuePlace | undefined {
    const slot = this.orderStore.find(oid);
    return slot === NONE ? undefined : placeOf(this, slot);
  }

  behind(oid: number): number | undefined {
    const slot = this.orderStore.find(oid);
    const next = slot === NONE ? NONE : this.orderStore.next(slot);
    return next === NONE ? undefined : this.orderStore.oid(next);
  }

  best(side: Side): BestLevel | undefined {
    const level = this.sideAt(side).index.best();
    if (level === NONE) return undefined;
    return {
      px: this.levelText(level),
      sz: formatUnits(this.levels.total(level), this.szScale),
      count: this.levels.count(level),
    };
  }

  rows(side: Side, query: RowsQuery): readonly LadderRow[] {
    return rowsOf(this, side, query);
  }

  fill(window: LadderWindow, side: Side, query: FillQuery): void {
    fillWindow(this, window, side, query);
  }

  queue(side: Side, px: DecimalString, query: QueueQuery): readonly QueuedOrder[] {
    return queueOf(this, side, px, query);
  }

  *orders(side: Side): Generator<L4Order, void, undefined> {
    const walk = this.sideAt(side).index.walk();
    for (let level = walk.next(); level !== NONE; level = walk.next()) {
      let slot = this.levels.head(level);
      for (; slot !== NONE; slot = this.orderStore.next(slot)) yield this.orderAt(slot);
    }
  }

  *keys(side: Side): Generator<OrderKey, void, undefined> {
    const { orderStore: store } = this;
    const walk = this.sideAt(side).index.walk();
    for (let level = walk.next(); level !== NONE; level = walk.next()) {
      let slot = this.levels.head(level);
      for (; slot !== NONE; slot = store.next(slot)) {
        yield {
          oid: store.oid(slot),
          user: store.ownerOf(slot),
          px: this.pxText(slot),
          sz: store.szText(slot, this.szScale),
        };
      }
    }
  }

  cursor(side: Side): OrderCursor {
    return new FastCursor(this, side);
  }

  sideJson(side: Side): Generator<Uint8Array, void, undefined> {
    return sideJson(this, side);
  }

  checksum(): string {
    return fastChecksum(this);
  }

  rollingChecksum(): string {
    this.rolling ??= new FastRolling(this);
    return this.rolling.digest();
  }

  sideAt(side: Side): FastSide {
    return side === 'B' ? this.bids : this.asks;
  }

  /** A level's price as its front order printed it. */
  levelText(level: number): DecimalString {
    return this.pxText(this.levels.head(level));
  }

  /** A price as an order printed it. */
  pxText(slot: number): DecimalString {
    return this.orderStore.pxText(slot, this.levels.px(this.orderStore.levelOf(slot)), this.pxScale);
  }

  orderAt(slot: number): L4Order {
    const level = this.orderStore.levelOf(slot);
    return this.orderStore.order(slot, this.levels.sideOf(level), this.pxText(slot), this.szScale);
  }

  /** `found` is the slot of the order when the block began, or NONE. */
  private change(change: BookChange, found: number, details: Details): Outcome {
    const { oid } = change;
    // Earlier changes of the block may have moved it.
    const slot = found !== NONE && this.orderStore.oid(found) === oid ? found : this.orderStore.find(oid);
    switch (change.kind) {
      case 'insert':
        return this.insert(change, slot, details);
      case 'resize':
        return slot === NONE ? { kind: 'unknown-oid', change: 'resize', oid } : this.resize(change, slot);
      case 'remove':
        return slot === NONE ? { kind: 'unknown-oid', change: 'remove', oid } : this.remove(change, slot);
    }
  }

  private insert(change: InsertChange, slot: number, details: Details): Outcome {
    const { oid, insertBefore } = change;
    const px = this.prices.read(change.px);
    if (px === BAD) return { kind: 'bad-amount', oid, field: 'px', text: change.px };
    const sz = this.sizes.read(change.sz);
    if (sz === BAD) return { kind: 'bad-amount', oid, field: 'sz', text: change.sz };
    if (sz === 0) return { kind: 'empty-insert', oid };
    if (slot !== NONE) return { kind: 'duplicate-oid', oid };
    const at = this.sideAt(change.side);
    let level = px === FAR ? NONE : at.index.find(px * at.sign);
    let neighbour = NONE;
    if (insertBefore !== null) {
      neighbour = this.orderStore.find(insertBefore);
      if (neighbour === NONE || level === NONE || this.orderStore.levelOf(neighbour) !== level) {
        return { kind: 'unknown-neighbour', oid, insertBefore };
      }
    }
    if (px === FAR || sz === FAR || !Number.isSafeInteger(at.total + sz)) return OUT_OF_RANGE;
    if (level === NONE) level = this.openLevel(at, px);
    this.rest(at, level, neighbour, oid, change.user, details.of(change), change.px, sz, change.sz);
    return undefined;
  }

  private resize(change: ResizeChange, slot: number): Outcome {
    const { oid } = change;
    const mismatch = this.mismatch(change, slot);
    if (mismatch !== undefined) return mismatch;
    const before = this.orderStore.sz(slot);
    if (this.sizes.unitsOf(change.origSz) !== before) {
      if (!isAmount(change.origSz)) return { kind: 'bad-amount', oid, field: 'origSz', text: change.origSz };
      const resting = this.orderStore.szText(slot, this.szScale);
      return { kind: 'size-mismatch', oid, said: change.origSz, resting };
    }
    const szScale = this.szScale;
    const sz = this.sizes.read(change.newSz);
    if (sz === BAD) return { kind: 'bad-amount', oid, field: 'newSz', text: change.newSz };
    const level = this.orderStore.levelOf(slot);
    const at = this.sideAt(change.side);
    // Reading the new size may just have rescaled the book.
    const grows = sz - (szScale === this.szScale ? before : this.orderStore.sz(slot));
    if (sz === FAR || !Number.isSafeInteger(at.total + grows)) return OUT_OF_RANGE;
    this.orderStore.setSize(slot, sz, change.newSz);
    this.rolling?.renew(slot);
    this.levels.add(level, 0, grows);
    at.total += grows;
    return undefined;
  }

  private remove(change: RemoveChange, slot: number): Outcome {
    const { orderStore: store, levels } = this;
    const mismatch = this.mismatch(change, slot);
    if (mismatch !== undefined) return mismatch;
    const level = store.levelOf(slot);
    const at = this.sideAt(change.side);
    const sz = store.sz(slot);
    const next = store.next(slot);
    const previous = store.previous(slot);
    if (previous === NONE) levels.setHead(level, next);
    else store.setNext(previous, next);
    if (next === NONE) levels.setTail(level, previous);
    else store.setPrevious(next, previous);
    if (this.rolling !== undefined) {
      this.rolling.leave(slot);
      if (next !== NONE) this.rolling.renew(next);
    }
    at.total -= sz;
    at.orders -= 1;
    levels.add(level, -1, -sz);
    store.remove(slot);
    if (levels.count(level) === 0) {
      at.index.delete(levels.px(level) * at.sign);
      levels.close(level);
    }
    return undefined;
  }

  /** Checks that the side and price that a change repeats are those of the resting order. */
  private mismatch(change: ResizeChange | RemoveChange, slot: number): Finding | undefined {
    const { oid } = change;
    const level = this.orderStore.levelOf(slot);
    const side = this.levels.sideOf(level);
    if (change.side !== side) return { kind: 'side-mismatch', oid, said: change.side, resting: side };
    if (this.prices.unitsOf(change.px) !== this.levels.px(level)) {
      if (!isAmount(change.px)) return { kind: 'bad-amount', oid, field: 'px', text: change.px };
      return { kind: 'price-mismatch', oid, said: change.px, resting: this.pxText(slot) };
    }
    return undefined;
  }

  /** Links an order into the queue of a level: in front of `neighbour`, or at the back if that is NONE. */
  private rest(
    at: FastSide,
    level: number,
    neighbour: number,
    oid: number,
    owner: string | null,
    detail: DetailFields,
    pxText: DecimalString,
    sz: number,
    szText: DecimalString,
  ): void {
    const { orderStore: store, levels } = this;
    const slot = store.add(oid, owner, detail, level, pxText);
    store.setSize(slot, sz, szText);
    const previous = neighbour === NONE ? levels.tail(level) : store.previous(neighbour);
    store.setPrevious(slot, previous);
    store.setNext(slot, neighbour);
    if (previous === NONE) levels.setHead(level, slot);
    else store.setNext(previous, slot);
    if (neighbour === NONE) levels.setTail(level, slot);
    else store.setPrevious(neighbour, slot);
    if (this.rolling !== undefined) {
      this.rolling.enter(slot);
      if (neighbour !== NONE) this.rolling.renew(neighbour);
    }
    levels.add(level, 1, sz);
    at.total += sz;
    at.orders += 1;
  }

  private openLevel(at: FastSide, px: number): number {
    const level = this.levels.open(at.side, px);
    at.index.insert(px * at.sign, level);
    return level;
  }

  private multiplyPrices(factor: number): boolean {
    const highest = Math.max(this.priceAt(this.bids.index.best()), this.priceAt(this.asks.index.worst()));
    if (!Number.isSafeInteger(highest * factor)) return false;
    this.levels.scalePrices(factor);
    this.bids.index.scale(factor);
    this.asks.index.scale(factor);
    return true;
  }

  private multiplySizes(factor: number): boolean {
    const largest = Math.max(this.bids.total, this.asks.total);
    if (!Number.isSafeInteger(largest * factor)) return false;
    this.orderStore.scaleSizes(factor);
    this.levels.scaleTotals(factor);
    this.bids.total *= factor;
    this.asks.total *= factor;
    return true;
  }

  private priceAt(level: number): number {
    return level === NONE ? 0 : this.levels.px(level);
  }
}
