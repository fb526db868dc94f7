import type { Units } from '@l4desk/book';
import { formatUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { narrowed, negative, plusExact, powerOfTen, readUnits, shortest } from '../amounts.ts';
import { FLOW_KINDS, type FlowEvent, type FlowKind } from './flow-event.ts';
import { type Move, moveOf } from './moves.ts';

/** How much of one kind moved, and in how many changes. */
export interface FlowSum {
  readonly sz: DecimalString;
  readonly count: number;
  /** For executions: how many of them are inferred; absent if none are. */
  readonly inferred?: number;
}

/** What moved at one level, or at all levels, by kind; never netted. */
export type FlowSums = Readonly<Record<FlowKind, FlowSum>>;

/** What moved at one level. */
export interface LevelFlow {
  readonly side: Side;
  /** In its shortest form. */
  readonly px: DecimalString;
  readonly flow: FlowSums;
}

/** What moved at a row of a ladder, by kind and never netted. */
export interface RowMoved {
  /** The size that changes of these kinds moved; `0` if none did. */
  size(kinds: readonly FlowKind[]): DecimalString;
  /** Whether some of the executed size is inferred. */
  readonly isInferred: boolean;
}

/** The rows of a ladder at which anything moved. */
export interface MovedRows {
  /** Undefined if nothing did. */
  at(side: Side, px: DecimalString): RowMoved | undefined;
}

/** Ticks whose rows are kept up to date: as many as there are ladders side by side. */
const FOLLOWED_MAX = 3;

/** Running sums of one level, in units of the totals' scale. */
interface Kept {
  readonly side: Side;
  readonly px: DecimalString;
  readonly units: Units[];
  readonly counts: number[];
  /** Number of inferred executions. */
  inferred: number;
  /** Number of changes that were added and not removed, including those of zero size. */
  changes: number;
  row?: { readonly tick: DecimalString; readonly px: DecimalString; readonly key: string };
}

/** Running sums of one row, in units of the totals' scale. */
interface KeptRow {
  readonly units: Units[];
  /** Number of inferred executions. */
  inferred: number;
  /** Number of kinds whose sum is not zero. */
  kinds: number;
}

/** Rows of one tick, updated along with the levels. */
interface Followed {
  readonly tick: DecimalString;
  readonly rows: Map<string, KeptRow>;
}

/** The levels of each row of one tick, updated along with the levels. */
interface Grouped {
  readonly tick: DecimalString;
  readonly rows: Map<string, Kept[]>;
}

const INDEX_OF: Readonly<Record<FlowKind, number>> = {
  added: 0,
  requotedIn: 1,
  grown: 2,
  canceled: 3,
  requotedOut: 4,
  shrunk: 5,
  executed: 6,
};

/** Exact sums of changes by level and kind. A change that was added can be removed again. */
export class FlowTotals {
  /** By side, then by level: a combined key would create a new string for every change. */
  private readonly levels = { B: new Map<DecimalString, Kept>(), A: new Map<DecimalString, Kept>() };
  /** All amounts are whole multiples of `10^-scale`; a finer amount raises the scale. */
  private scale = 0;
  /** The tick requested last is the last one. */
  private followed: Followed[] = [];
  private grouped: Grouped | undefined;

  add(event: FlowEvent): void {
    this.addMove(moveOf(event));
  }

  /** Removes a change that was added. */
  remove(event: FlowEvent): void {
    this.removeMove(moveOf(event));
  }

  /** Adds what a change moved. */
  addMove(move: Move): void {
    this.count(move, 1);
  }

  /** Removes what a change moved. */
  removeMove(move: Move): void {
    this.count(move, -1);
  }

  clear(): void {
    this.levels.B.clear();
    this.levels.A.clear();
    this.followed = [];
    this.grouped = undefined;
  }

  /** Levels with any change, in no particular order. */
  *changed(): Generator<LevelFlow, void, undefined> {
    for (const kept of this.all()) yield { side: kept.side, px: kept.px, flow: this.print(kept) };
  }

  /** What moved at a level. */
  at(side: Side, level: DecimalString): FlowSums {
    return this.print(this.levels[side].get(level) ?? empty(side, level));
  }

  /** What moved on one side, or in the whole book. */
  total(side?: Side): FlowSums {
    const sums = empty(side ?? 'B', '0');
    for (const kept of this.all()) if (side === undefined || kept.side === side) gather(sums, kept);
    return this.print(sums);
  }

  /**
   * What moved in one row of a ladder, whose price is a whole multiple of a tick: bids round down, asks up. The levels
   * of each row are cached for the tick requested last, because a pane asks again and again.
   */
  row(side: Side, px: DecimalString, tick: DecimalString): FlowSums {
    if (this.grouped?.tick !== tick) this.grouped = this.groupedBy(tick);
    const sums = empty(side, px);
    for (const kept of this.grouped.rows.get(`${side}${shortest(px)}`) ?? []) gather(sums, kept);
    return this.print(sums);
  }

  /** The same for all rows with any change, keyed by side and shortest price. */
  rows(tick: DecimalString): ReadonlyMap<string, FlowSums> {
    const rows = new Map<string, Kept>();
    for (const kept of this.all()) {
      const { px, key } = this.rowOfKept(kept, tick);
      const row = rows.get(key) ?? empty(kept.side, px);
      rows.set(key, row);
      gather(row, kept);
    }
    return new Map([...rows].map(([key, row]) => [key, this.print(row)]));
  }

  /**
   * What moved at each row. The rows of the ticks requested last are updated along with the levels and printed on
   * request, because a ladder asks on every frame. Read the result at once: it follows the totals.
   */
  moved(tick: DecimalString): MovedRows {
    const { rows } = this.follow(tick);
    return {
      at: (side, px) => {
        const row = rows.get(`${side}${shortest(px)}`);
        if (row === undefined) return undefined;
        return {
          size: (kinds) => {
            let sum: Units = 0;
            for (const kind of kinds) sum = plusExact(sum, row.units[INDEX_OF[kind]] as Units);
            return formatUnits(sum, this.scale);
          },
          isInferred: row.inferred > 0,
        };
      },
    };
  }

  private *all(): Generator<Kept, void, undefined> {
    yield* this.levels.B.values();
    yield* this.levels.A.values();
  }

  private groupedBy(tick: DecimalString): Grouped {
    const grouped: Grouped = { tick, rows: new Map() };
    for (const kept of this.all()) this.group(grouped, kept);
    return grouped;
  }

  private group({ tick, rows }: Grouped, kept: Kept): void {
    const { key } = this.rowOfKept(kept, tick);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [kept]);
    else row.push(kept);
  }

  private ungroup({ tick, rows }: Grouped, kept: Kept): void {
    const { key } = this.rowOfKept(kept, tick);
    const row = rows.get(key);
    row?.splice(row.indexOf(kept), 1);
    if (row?.length === 0) rows.delete(key);
  }

  private follow(tick: DecimalString): Followed {
    const at = this.followed.findIndex((one) => one.tick === tick);
    const known = this.followed[at];
    if (known !== undefined && at === this.followed.length - 1) return known;
    const followed = known ?? this.movedBy(tick);
    const others = this.followed.filter((one) => one !== known);
    this.followed = [...others.slice(1 - FOLLOWED_MAX), followed];
    return followed;
  }

  private movedBy(tick: DecimalString): Followed {
    const followed: Followed = { tick, rows: new Map() };
    for (const kept of this.all()) {
      for (const kind of FLOW_KINDS) {
        const at = INDEX_OF[kind];
        const inferred = kind === 'executed' ? kept.inferred : 0;
        this.move(followed, kept, at, kept.units[at] as Units, inferred);
      }
    }
    return followed;
  }

  private move({ tick, rows }: Followed, kept: Kept, at: number, units: Units, inferred: number): void {
    if (isZeroUnits(units)) return;
    const { key } = this.rowOfKept(kept, tick);
    let row = rows.get(key);
    if (row === undefined) {
      row = { units: FLOW_KINDS.map(() => 0), inferred: 0, kinds: 0 };
      rows.set(key, row);
    }
    const before = row.units[at] as Units;
    const after = plusExact(before, units);
    row.units[at] = after;
    row.inferred += inferred;
    if (isZeroUnits(before)) row.kinds += 1;
    else if (isZeroUnits(after)) row.kinds -= 1;
    if (row.kinds === 0) rows.delete(key);
  }

  /** Computed once per tick, because frames ask for the same one. */
  private rowOfKept(kept: Kept, tick: DecimalString): NonNullable<Kept['row']> {
    if (kept.row?.tick !== tick) {
      const px = rowOf(kept.side, kept.px, tick);
      kept.row = { tick, px, key: `${kept.side}${px}` };
    }
    return kept.row;
  }

  private count({ side, level, kind, inferred: isInferred, sz }: Move, sign: 1 | -1): void {
    const levels = this.levels[side];
    let kept = levels.get(level);
    if (kept === undefined) {
      kept = empty(side, level);
      levels.set(level, kept);
      if (this.grouped !== undefined) this.group(this.grouped, kept);
    }
    const units = this.units(sz);
    const at = INDEX_OF[kind];
    const signed = sign === 1 ? units : negative(units);
    kept.units[at] = plusExact(kept.units[at] as Units, signed);
    const inferred = kind === 'executed' && isInferred && !isZeroUnits(units) ? sign : 0;
    for (const followed of this.followed) this.move(followed, kept, at, signed, inferred);
    // A change of zero size moved nothing: the removal of an order that was executed before it left.
    if (!isZeroUnits(units)) {
      kept.counts[at] = (kept.counts[at] as number) + sign;
      kept.inferred += inferred;
    }
    kept.changes += sign;
    if (kept.changes > 0) return;
    levels.delete(level);
    if (this.grouped !== undefined) this.ungroup(this.grouped, kept);
  }

  private units(sz: DecimalString): Units {
    const decimals = significantDecimalsOf(sz);
    if (decimals > this.scale) this.refine(decimals);
    return readUnits(sz, this.scale);
  }

  private refine(scale: number): void {
    const factor = powerOfTen(scale - this.scale);
    for (const { units } of this.all()) {
      for (let at = 0; at < units.length; at += 1) units[at] = narrowed(BigInt(units[at] as Units) * factor);
    }
    this.scale = scale;
    this.followed = [];
  }

  private print({ units, counts, inferred }: Kept): FlowSums {
    const sums = FLOW_KINDS.map((kind): [FlowKind, FlowSum] => {
      const at = INDEX_OF[kind];
      const sum = { sz: formatUnits(units[at] as Units, this.scale), count: counts[at] as number };
      return [kind, kind === 'executed' && inferred > 0 ? { ...sum, inferred } : sum];
    });
    return Object.fromEntries(sums) as FlowSums;
  }
}

/** The price of the row that holds a level. */
function rowOf(side: Side, level: DecimalString, tick: DecimalString): DecimalString {
  const scale = Math.max(significantDecimalsOf(level), significantDecimalsOf(tick));
  const [px, step] = [readUnits(level, scale), readUnits(tick, scale)];
  if (typeof px === 'number' && typeof step === 'number') {
    const past = px % step;
    const row = past === 0 || side === 'B' ? px - past : px - past + step;
    if (Number.isSafeInteger(row)) return formatUnits(row, scale);
  }
  const [exactPx, exactStep] = [BigInt(px), BigInt(step)];
  const past = exactPx % exactStep;
  return formatUnits(past === 0n || side === 'B' ? exactPx - past : exactPx - past + exactStep, scale);
}

function empty(side: Side, px: DecimalString): Kept {
  return { side, px, units: FLOW_KINDS.map(() => 0), counts: FLOW_KINDS.map(() => 0), inferred: 0, changes: 0 };
}

function gather(into: Kept, from: Kept): void {
  for (let at = 0; at < FLOW_KINDS.length; at += 1) {
    into.units[at] = plusExact(into.units[at] as Units, from.units[at] as Units);
    into.counts[at] = (into.counts[at] as number) + (from.counts[at] as number);
  }
  into.inferred += from.inferred;
}

function isZeroUnits(units: Units): boolean {
  return units === 0 || units === 0n;
}
