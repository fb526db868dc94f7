import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { compare, formatUnits, parseBigUnits, significantDecimalsOf, subtract } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, SIDES, type Side } from '@l4desk/protocol';
import { leanOf, narrowed, powerOfTen, signedQuotient } from '../amounts.ts';
import { type Mid, rangeAround } from '../mid.ts';
import { nextLevelWithin, sizeWithin, WallReader } from '../near.ts';
import { type ChangedLevel, levelKey } from './changed-levels.ts';
import type { WatchFacts, WatchRule } from './rules.ts';

/** A book as the rules about its state read it. */
interface StateOfBook {
  readonly book: L4Book;
  /** Undefined unless the book has both sides. */
  readonly mid: Mid | undefined;
  /** The levels that may differ from the last read; undefined for all. */
  readonly changed: readonly ChangedLevel[] | undefined;
}

/** Watches one state of a book. */
export interface StateWatch {
  /** Reads the book; returns each state that has begun since the last read. */
  begun(state: StateOfBook): readonly WatchFacts[];
}

/** The watch of a rule about the state of a book; undefined for rules about anything else. */
export function stateWatch(rule: WatchRule): StateWatch | undefined {
  switch (rule.kind) {
    case 'place':
      return new PlaceWatch(rule);
    case 'wall':
      return new WallWatch(rule);
    case 'spread':
      return new OneStateWatch(({ mid }) => spreadState(rule, mid));
    case 'imbalance':
      return new OneStateWatch(({ book, mid }) => imbalanceState(rule, book, mid));
    case 'wallet':
    case 'suspect':
    case 'epoch':
      return undefined;
  }
}

/** Orders of a wallet at the front of their queues. Of a block only the levels that it changed are read. */
class PlaceWatch implements StateWatch {
  private readonly user: Address;
  private readonly place: number;
  /** The orders that have the place, by the price of their level. */
  private readonly oids: Readonly<Record<Side, Map<Units, readonly number[]>>> = { A: new Map(), B: new Map() };

  constructor({ user, place }: Extract<WatchRule, { kind: 'place' }>) {
    this.user = lowerCaseAddress(user);
    this.place = place;
  }

  begun({ book, changed }: StateOfBook): readonly WatchFacts[] {
    const before = new Set<number>();
    const now: PlaceFacts[] = [];
    for (const side of SIDES) {
      const known = this.oids[side];
      const cursor = book.cursor(side);
      if (changed === undefined) {
        for (const oids of known.values()) for (const oid of oids) before.add(oid);
        known.clear();
        while (cursor.nextLevel()) now.push(...this.readLevel(cursor, side));
      } else {
        for (const level of changed) {
          if (level.side !== side) continue;
          for (const oid of known.get(level.px) ?? []) before.add(oid);
          known.delete(level.px);
          if (cursor.toLevel(level.px)) now.push(...this.readLevel(cursor, side));
        }
      }
    }
    return now.filter(({ oid }) => !before.has(oid));
  }

  private readLevel(cursor: OrderCursor, side: Side): readonly PlaceFacts[] {
    const found: PlaceFacts[] = [];
    for (let place = 1; place <= this.place && cursor.nextOrder(); place += 1) {
      const { user } = cursor;
      if (user === null || lowerCaseAddress(user) !== this.user) continue;
      const { oid, pxText: px, levelOrders: of } = cursor;
      found.push({ kind: 'place', user: this.user, oid, side, px, place, of });
    }
    if (found.length > 0)
      this.oids[side].set(
        levelKey(cursor.px),
        found.map(({ oid }) => oid),
      );
    return found;
  }
}

type PlaceFacts = Extract<WatchFacts, { kind: 'place' }>;

interface Wall {
  readonly key: string;
  readonly facts: WatchFacts;
}

/** Walls of single wallets near the mid. Of a block only the levels that it changed, or that the mid reaches, are read. */
class WallWatch implements StateWatch {
  private readonly rule: Extract<WatchRule, { kind: 'wall' }>;
  /** The walls of each level that was read, by its price. */
  private readonly levels: Readonly<Record<Side, Map<Units, readonly Wall[]>>> = { A: new Map(), B: new Map() };
  private readonly reader = new WallReader();
  private standing: ReadonlySet<string> = new Set();

  constructor(rule: Extract<WatchRule, { kind: 'wall' }>) {
    this.rule = rule;
  }

  begun({ book, mid, changed }: StateOfBook): readonly WatchFacts[] {
    this.forget(changed);
    const begun: WatchFacts[] = [];
    const standing = new Set<string>();
    for (const { key, facts } of mid === undefined ? [] : this.near(book, mid)) {
      standing.add(key);
      if (!this.standing.has(key)) begun.push(facts);
    }
    this.standing = standing;
    return begun;
  }

  private forget(changed: readonly ChangedLevel[] | undefined): void {
    if (changed !== undefined) for (const { side, px } of changed) this.levels[side].delete(px);
    else for (const side of SIDES) this.levels[side].clear();
  }

  private *near(book: L4Book, mid: Mid): Generator<Wall, void, undefined> {
    const range = rangeAround(mid, this.rule.withinBps);
    const { szScale } = book.cursor('B');
    const wallSz = narrowed(unitsFrom(this.rule.minSz, szScale));
    for (const side of SIDES) {
      const known = this.levels[side];
      const cursor = book.cursor(side);
      while (nextLevelWithin(cursor, side, range)) {
        // Most levels are too small to be read, or to be remembered.
        if (cursor.levelSz < wallSz) continue;
        const key = levelKey(cursor.px);
        let walls = known.get(key);
        if (walls === undefined) {
          walls = this.readLevel(cursor, side, wallSz);
          known.set(key, walls);
        }
        yield* walls;
      }
    }
  }

  private readLevel(cursor: OrderCursor, side: Side, wallSz: Units): readonly Wall[] {
    const { szScale } = cursor;
    return this.reader.read(cursor, wallSz).flatMap(({ user, pxText: px, sz }) => {
      if (user === null) return [];
      return { key: `${side}${px} ${user}`, facts: { kind: 'wall', user, side, px, sz: formatUnits(sz, szScale) } };
    });
  }
}

/** A state that is one at a time: it begins when it was another, or none. */
class OneStateWatch implements StateWatch {
  private readonly read: (state: StateOfBook) => OneState | undefined;
  private standing: string | undefined;

  constructor(read: (state: StateOfBook) => OneState | undefined) {
    this.read = read;
  }

  begun(state: StateOfBook): readonly WatchFacts[] {
    const now = this.read(state);
    const before = this.standing;
    this.standing = now?.what;
    return now === undefined || now.what === before ? [] : [now.facts];
  }
}

interface OneState {
  readonly what: string;
  readonly facts: WatchFacts;
}

function spreadState({ aboveBps }: Extract<WatchRule, { kind: 'spread' }>, mid: Mid | undefined): OneState | undefined {
  const bps = mid === undefined ? undefined : spreadBps(mid);
  if (bps === undefined || compare(bps, aboveBps) <= 0) return undefined;
  return { what: 'wide', facts: { kind: 'spread', bps } };
}

function spreadBps({ bid, ask }: Mid): DecimalString | undefined {
  return bid + ask === 0n ? undefined : signedQuotient((ask - bid) * 20_000n, bid + ask, 6);
}

/** Leaning to the other side is another state. */
function imbalanceState(
  { withinBps, above }: Extract<WatchRule, { kind: 'imbalance' }>,
  book: L4Book,
  mid: Mid | undefined,
): OneState | undefined {
  if (mid === undefined) return undefined;
  const range = rangeAround(mid, withinBps);
  const lean = leanOf(sizeWithin(book, 'B', range), sizeWithin(book, 'A', range));
  if (lean === null || compare(absolute(lean), above) <= 0) return undefined;
  return { what: lean.startsWith('-') ? 'A' : 'B', facts: { kind: 'imbalance', lean } };
}

function absolute(value: DecimalString): DecimalString {
  return value.startsWith('-') ? subtract('0', value) : value;
}

/** The smallest whole number of units that is at least this size. */
function unitsFrom(sz: DecimalString, scale: number): bigint {
  const own = Math.max(scale, significantDecimalsOf(sz));
  const units = parseBigUnits(sz, own) ?? 0n;
  const step = powerOfTen(own - scale);
  return (units + step - 1n) / step;
}
