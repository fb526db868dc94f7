import { parseUnits } from '@l4desk/decimal';
import type { DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { SnapshotData, UpdatesData } from './l4-client.ts';

interface Row {
  readonly oid: number;
  readonly side: Side;
  readonly px: DecimalString;
  sz: DecimalString;
}

/** The fields of an order that two books are compared by, in queue order. */
export type BookRow = readonly [oid: number, px: string, sz: string];

/**
 * The simplest possible follower of a stream: two lists of orders, changed by the diffs. It shares no code with the venue
 * and throws if a diff does not match the book.
 */
export class NaiveFollower {
  height: number;
  readonly #rows: Record<Side, Row[]>;

  constructor(snapshot: SnapshotData) {
    this.height = snapshot.height;
    const rowsOf = (orders: readonly L4Order[]) =>
      orders.map(({ oid, side, limitPx, sz }): Row => ({ oid, side, px: limitPx, sz }));
    this.#rows = { B: rowsOf(snapshot.levels[0]), A: rowsOf(snapshot.levels[1]) };
  }

  get rows(): readonly [readonly BookRow[], readonly BookRow[]] {
    const list = (side: Side) => this.#rows[side].map(({ oid, px, sz }): BookRow => [oid, px, sz]);
    return [list('B'), list('A')];
  }

  apply(updates: UpdatesData): void {
    if (updates.height <= this.height) throw new Error(`block ${updates.height} after ${this.height}`);
    this.height = updates.height;
    for (const diff of updates.book_diffs) {
      const raw = diff.raw_book_diff;
      if (raw !== 'remove' && 'new' in raw) {
        const side = diff.side ?? sideFromStatuses(updates, diff.oid);
        this.#insert({ oid: diff.oid, side, px: diff.px, sz: raw.new.sz }, raw.new.insertBefore ?? null);
        continue;
      }
      const [list, at] = this.#find(diff.oid);
      const row = list[at] as Row;
      if (row.px !== diff.px) throw new Error(`order ${diff.oid} rests at ${row.px}, not at ${diff.px}`);
      if (raw === 'remove') list.splice(at, 1);
      else {
        if (raw.update.origSz !== row.sz) throw new Error(`order ${diff.oid} has ${row.sz}, not ${raw.update.origSz}`);
        row.sz = raw.update.newSz;
      }
    }
    const [bid, ask] = [this.#rows.B[0], this.#rows.A[0]];
    if (bid !== undefined && ask !== undefined && units(bid.px) >= units(ask.px))
      throw new Error('the book is crossed');
  }

  #insert(row: Row, insertBefore: number | null): void {
    const list = this.#rows[row.side];
    if (list.some(({ oid }) => oid === row.oid)) throw new Error(`order ${row.oid} rests already`);
    if (insertBefore !== null) {
      const at = list.findIndex(({ oid }) => oid === insertBefore);
      if (list[at]?.px !== row.px) throw new Error(`no order ${insertBefore} at ${row.px}`);
      list.splice(at, 0, row);
      return;
    }
    const px = units(row.px);
    const at = list.findIndex((each) => (row.side === 'B' ? units(each.px) < px : units(each.px) > px));
    list.splice(at < 0 ? list.length : at, 0, row);
  }

  #find(oid: number): [Row[], number] {
    for (const list of [this.#rows.B, this.#rows.A]) {
      const at = list.findIndex((row) => row.oid === oid);
      if (at >= 0) return [list, at];
    }
    throw new Error(`order ${oid} does not rest`);
  }
}

/** A book of `/book/<coin>` or of a snapshot, as rows of a follower. */
export function rowsOf(levels: readonly [readonly L4Order[], readonly L4Order[]]): readonly (readonly BookRow[])[] {
  return levels.map((side) => side.map(({ oid, limitPx, sz }): BookRow => [oid, limitPx, sz]));
}

function sideFromStatuses(updates: UpdatesData, oid: number): Side {
  const status = updates.order_statuses.find(({ order }) => order.oid === oid);
  if (status === undefined) throw new Error(`unknown side of order ${oid}`);
  return status.order.side;
}

function units(px: DecimalString): number {
  const value = parseUnits(px, 8);
  if (value === undefined) throw new Error(`${px} is no price`);
  return value;
}
