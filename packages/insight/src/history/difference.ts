import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { shortest } from '../amounts.ts';
import { FlowTotals } from '../flow/flow-totals.ts';
import { byPlace } from './book-difference.ts';
import type { BlockMark, OrderDifference, TimeGap, TimeLine } from './time-line.ts';

/** By how much a level differs. */
export interface LevelDifference {
  readonly side: Side;
  /** As printed; in its shortest form if only a gap changed the level. */
  readonly px: DecimalString;
  /** Signed. */
  readonly sz: DecimalString;
  readonly orders: number;
}

/** What differs between two moments, and what moved in between. */
export interface Difference {
  readonly from: BlockMark;
  readonly to: BlockMark;
  /** Kept blocks between them; what moved in `gaps` is unknown. */
  readonly blocks: number;
  readonly gaps: readonly TimeGap[];
  /** Orders that rest at only one of the moments, or with another size; bids first, best price first, then by oid. */
  readonly orders: readonly OrderDifference[];
  /** The same by level. */
  readonly levels: readonly LevelDifference[];
  /** Everything that moved in the kept blocks, never netted. */
  readonly flow: FlowTotals;
}

/** What changed from one kept place to another. If `to` lies before `from`, the changes are those of going back. */
export function differenceBetween(line: TimeLine, from: number, to: number): Difference {
  const [low, high] = from <= to ? [from, to] : [to, from];
  const gaps = line.gaps.filter(({ place }) => place > low && place <= high);
  const flow = new FlowTotals();
  const fold = new Fold();
  /** Prices as printed, by their shortest form. */
  const printed = new Map<DecimalString, DecimalString>();
  let blocks = 0;
  for (let place = low + 1; place <= high; place += 1) {
    const block = line.blockAt(place);
    if (block === undefined) {
      for (const order of gaps.find((gap) => gap.place === place)?.orders ?? []) fold.add(order);
      continue;
    }
    blocks += 1;
    for (const event of block.events()) {
      const { act, oid, user, side, level: px } = event;
      flow.add(event);
      printed.set(px, event.px);
      fold.add({
        oid,
        user,
        side,
        px,
        from: act === 'insert' ? null : event.from,
        to: act === 'remove' ? null : event.to,
      });
    }
  }
  const orders = fold.result(from > to);
  const levels = levelsOf(orders).map((level) => ({ ...level, px: printed.get(level.px) ?? level.px }));
  return { from: line.markAt(from), to: line.markAt(to), blocks, gaps, orders, levels, flow };
}

/** Merges the changes of one order into one. */
class Fold {
  private readonly byOid = new Map<number, OrderDifference>();
  /** Orders that returned under the same oid on another side or price. */
  private readonly elsewhere: OrderDifference[] = [];

  add(change: OrderDifference): void {
    const before = this.byOid.get(change.oid);
    if (before === undefined) {
      this.byOid.set(change.oid, change);
    } else if (before.side === change.side && before.px === change.px) {
      this.byOid.set(change.oid, { ...before, user: change.user, to: change.to });
    } else {
      this.elsewhere.push(before);
      this.byOid.set(change.oid, change);
    }
  }

  result(isReversed: boolean): readonly OrderDifference[] {
    const changes = [...this.elsewhere, ...this.byOid.values()].filter(({ from, to }) => !isSame(from, to));
    const turned = isReversed ? changes.map((change) => ({ ...change, from: change.to, to: change.from })) : changes;
    return byPlace(turned);
  }
}

function isSame(a: DecimalString | null, b: DecimalString | null): boolean {
  return a === null || b === null ? a === b : shortest(a) === shortest(b);
}

/** Expects orders sorted by level. */
function levelsOf(orders: readonly OrderDifference[]): readonly LevelDifference[] {
  const levels: LevelDifference[] = [];
  for (let at = 0; at < orders.length; ) {
    const { side, px } = orders[at] as OrderDifference;
    let end = at;
    while (end < orders.length && orders[end]?.side === side && orders[end]?.px === px) end += 1;
    const own = orders.slice(at, end);
    const texts = own.flatMap(({ from, to }) => [from ?? '0', to ?? '0']);
    const scale = Math.max(...texts.map(significantDecimalsOf));
    const units = (text: DecimalString | null) => (text === null ? 0n : (parseBigUnits(text, scale) as bigint));
    const sz = own.reduce((sum, order) => sum + units(order.to) - units(order.from), 0n);
    const count = own.reduce((sum, { from, to }) => sum + (to === null ? 0 : 1) - (from === null ? 0 : 1), 0);
    levels.push({ side, px, sz: formatUnits(sz, scale), orders: count });
    at = end;
  }
  return levels;
}
