import { formatUnits } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { LadderWindow } from '../ladder-window.ts';
import type { FillQuery, LadderRow, QueuedOrder, QueuePlace, QueueQuery, RowsQuery } from '../types.ts';
import { Buckets } from './buckets.ts';
import type { LevelWalk } from './level-index.ts';
import { NONE } from './order-store.ts';
import type { StoredBook } from './stored-book.ts';

/** The rows of a side from the best price or from a given one outward, with all their fields. */
export function rowsOf(book: StoredBook, side: Side, query: RowsQuery): readonly LadderRow[] {
  const { levels, szScale } = book;
  const buckets = new Buckets(side, query.tick, book.pxScale);
  const start = seek(book, side, buckets, query.from);
  const rows: LadderRow[] = [];
  let { level, cumSz } = start;
  while (level !== NONE && rows.length < query.limit) {
    const first = level;
    const notional = new ExactSum();
    let sz = 0;
    let count = 0;
    let levelCount = 0;
    buckets.begin(levels.px(level));
    do {
      const total = levels.total(level);
      notional.addProduct(levels.px(level), total);
      sz += total;
      count += levels.count(level);
      levelCount += 1;
      level = start.walk.next();
    } while (level !== NONE && buckets.holds(levels.px(level)));
    cumSz += sz;
    rows.push({
      px: buckets.text(book.levelText(first)),
      sz: formatUnits(sz, szScale),
      cumSz: formatUnits(cumSz, szScale),
      notional: formatUnits(notional.value(), book.pxScale + szScale),
      count,
      levels: levelCount,
    });
  }
  return rows;
}

/** The same rows, written to a window without creating objects. */
export function fillWindow(book: StoredBook, window: LadderWindow, side: Side, query: FillQuery): void {
  const { levels, orderStore: store } = book;
  const { maxRows, maxLane, laneSz, laneUser } = window;
  const buckets = new Buckets(side, query.tick, book.pxScale);
  const start = seek(book, side, buckets, query.from);
  let { level, cumSz } = start;
  window.begin(book.szScale);
  const limit = Math.min(query.limit ?? maxRows, maxRows);
  for (let row = 0; row < limit && level !== NONE; row += 1) {
    const first = level;
    const laneStart = row * maxLane;
    let sz = 0;
    let count = 0;
    let lane = 0;
    buckets.begin(levels.px(level));
    do {
      sz += levels.total(level);
      count += levels.count(level);
      let slot = levels.head(level);
      for (; slot !== NONE && lane < maxLane; slot = store.next(slot)) {
        laneSz[laneStart + lane] = store.sz(slot);
        laneUser[laneStart + lane] = store.ownerOf(slot);
        lane += 1;
      }
      level = start.walk.next();
    } while (level !== NONE && buckets.holds(levels.px(level)));
    cumSz += sz;
    window.sz[row] = sz;
    window.cumSz[row] = cumSz;
    window.count[row] = count;
    window.laneCount[row] = lane;
    window.endRow(buckets.text(book.levelText(first)));
  }
}

/** The orders of the row that holds `px`: levels from the best price outward, each in queue order. */
export function queueOf(book: StoredBook, side: Side, px: DecimalString, query: QueueQuery): readonly QueuedOrder[] {
  const { levels, orderStore: store, szScale } = book;
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const at = book.sideAt(side);
  const { best, worst } = new Buckets(side, query.tick, book.pxScale).rangeOf(px);
  const walk = at.index.walkFrom(best * at.sign);
  const queue: QueuedOrder[] = [];
  let place = 0;
  let ahead = 0;
  for (let level = walk.next(); level !== NONE; level = walk.next()) {
    if (levels.px(level) * at.sign < worst * at.sign) break;
    let slot = levels.head(level);
    for (; slot !== NONE; slot = store.next(slot)) {
      if (place >= offset) {
        if (queue.length >= limit) return queue;
        queue.push({ place, szAhead: formatUnits(ahead, szScale), order: book.orderAt(slot) });
      }
      place += 1;
      ahead += store.sz(slot);
    }
  }
  return queue;
}

/** Where an order is in the queue of its price. */
export function placeOf(book: StoredBook, slot: number): QueuePlace {
  const { orderStore: store, levels, szScale } = book;
  const level = store.levelOf(slot);
  let ordersAhead = 0;
  let ahead = 0;
  if (store.next(slot) === NONE) {
    // The last order, like every newly placed one: no order needs to be counted.
    ordersAhead = levels.count(level) - 1;
    ahead = levels.total(level) - store.sz(slot);
  } else {
    for (let before = store.previous(slot); before !== NONE; before = store.previous(before)) {
      ordersAhead += 1;
      ahead += store.sz(before);
    }
  }
  return {
    side: levels.sideOf(level),
    px: book.levelText(level),
    ordersAhead,
    szAhead: formatUnits(ahead, szScale),
    levelCount: levels.count(level),
    levelSz: formatUnits(levels.total(level), szScale),
  };
}

interface Start {
  readonly walk: LevelWalk;
  /** The first level shown, or NONE; the walk is just past it. */
  readonly level: number;
  /** Size of all levels before it. */
  readonly cumSz: number;
}

function seek(book: StoredBook, side: Side, buckets: Buckets, from: DecimalString | undefined): Start {
  const { levels } = book;
  const at = book.sideAt(side);
  const walk = at.index.walk();
  let level = walk.next();
  let cumSz = 0;
  if (from !== undefined) {
    const best = buckets.rangeOf(from).best * at.sign;
    while (level !== NONE && levels.px(level) * at.sign > best) {
      cumSz += levels.total(level);
      level = walk.next();
    }
  }
  return { walk, level, cumSz };
}

/** An exact sum of products of safe integers: a double while it is safe, then a bigint. */
class ExactSum {
  private safe = 0;
  private rest = 0n;

  addProduct(a: number, b: number): void {
    const product = a * b;
    if (!Number.isSafeInteger(product)) {
      this.rest += BigInt(a) * BigInt(b);
      return;
    }
    const sum = this.safe + product;
    if (Number.isSafeInteger(sum)) {
      this.safe = sum;
    } else {
      this.rest += BigInt(this.safe);
      this.safe = product;
    }
  }

  value(): number | bigint {
    return this.rest === 0n ? this.safe : this.rest + BigInt(this.safe);
  }
}
