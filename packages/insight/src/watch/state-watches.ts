import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { compare, formatUnits, parseBigUnits, significantDecimalsOf, subtract } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, SIDES, type Side } from '@l4desk/protocol';
import { leanOf, narrowed, powerOfTen, signedQuotient } from '../amounts.ts';
import { type Mid, rangeAround } from '../mid.ts';
import { nextLevelWithin, sizeWithin } from '../near.ts';
import { type ChangedLevel, levelKey } from './changed-levels.ts';
import { LevelOwners } from './level-owners.ts';
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
    case 'price':
      return new OneStateWatch(({ mid }) => priceState(rule, mid));
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

/** The wallets with a wall, by the price of their level as text. */
type WallsByLevel = Readonly<Record<Side, Map<DecimalString, ReadonlySet<Address>>>>;

/** Walls of single wallets near the mid. A level is read when it comes near, and then carried on by its changes. */
class WallWatch implements StateWatch {
  private readonly rule: Extract<WatchRule, { kind: 'wall' }>;
  /** The levels that were read, by their price. */
  private readonly levels: Readonly<Record<Side, Map<Units, LevelOwners>>> = { A: new Map(), B: new Map() };
  private szScale: number | undefined;
  private standing: WallsByLevel = { A: new Map(), B: new Map() };

  constructor(rule: Extract<WatchRule, { kind: 'wall' }>) {
    this.rule = rule;
  }

  begun({ book, mid, changed }: StateOfBook): readonly WatchFacts[] {
    const { szScale } = book.cursor('B');
    this.follow(this.szScale === szScale ? changed : undefined);
    this.szScale = szScale;
    const before = this.standing;
    const standing: WallsByLevel = { A: new Map(), B: new Map() };
    this.standing = standing;
    if (mid === undefined) return [];
    const begun: WatchFacts[] = [];
    const range = rangeAround(mid, this.rule.withinBps);
    const wallSz = narrowed(unitsFrom(this.rule.minSz, szScale));
    for (const side of SIDES) {
      const cursor = book.cursor(side);
      while (nextLevelWithin(cursor, side, range)) {
        // Most levels are too small to be read.
        if (cursor.levelSz < wallSz) continue;
        const level = this.levelAt(cursor, side, wallSz);
        const { walls, pxText: px } = level;
        const known = before[side].get(px);
        const hasChanged = level.takeWallsChanged();
        if (known !== undefined && !hasChanged) {
          standing[side].set(px, known);
          continue;
        }
        standing[side].set(px, new Set([...walls].map(({ user }) => user)));
        for (const { user, sz } of walls) {
          if (known?.has(user) !== true) begun.push({ kind: 'wall', user, side, px, sz: formatUnits(sz, szScale) });
        }
      }
    }
    return begun;
  }

  private follow(changed: readonly ChangedLevel[] | undefined): void {
    if (changed === undefined) for (const side of SIDES) this.levels[side].clear();
    for (const { side, px, changes } of changed ?? []) {
      const known = this.levels[side].get(px);
      if (known !== undefined && (!known.follow(changes) || known.isEmpty)) this.levels[side].delete(px);
    }
  }

  private levelAt(cursor: OrderCursor, side: Side, wallSz: Units): LevelOwners {
    const key = levelKey(cursor.px);
    const known = this.levels[side].get(key);
    if (known !== undefined) return known;
    const read = new LevelOwners(cursor, wallSz);
    this.levels[side].set(key, read);
    return read;
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

function priceState(
  { reaches, px }: Extract<WatchRule, { kind: 'price' }>,
  mid: Mid | undefined,
): OneState | undefined {
  const above = mid === undefined ? 0 : compare(mid.text, px) * (reaches === 'above' ? 1 : -1);
  return mid === undefined || above < 0 ? undefined : { what: 'reached', facts: { kind: 'price', mid: mid.text } };
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
