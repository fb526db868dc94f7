import type { L4Book, Units } from '@l4desk/book';
import { compare, formatUnits, parseBigUnits, significantDecimalsOf, subtract } from '@l4desk/decimal';
import { type Address, type BookChange, type DecimalString, lowerCaseAddress, SIDES } from '@l4desk/protocol';
import { leanOf, powerOfTen, signedQuotient } from '../amounts.ts';
import { type Mid, midOf, rangeAround } from '../mid.ts';
import { sizeWithin, wallsWithin } from '../near.ts';
import { type OrderPlace, queuePlacesOf } from '../queue-places.ts';
import { checkRule, type WatchFacts, type WatchHit, type WatchRule } from './rules.ts';
import { WalletSizes } from './wallet-sizes.ts';

/** Where a book is in the stream, as hits report it. */
export interface WatchPosition {
  readonly height: number;
  /** Time of the block, ms since the Unix epoch. */
  readonly time: number;
  readonly epoch: string;
}

/**
 * Watches one coin's book by rules. A rule about a block's changes fires for each block that matches. A rule about a state fires
 * when the state begins, separately for each wall, order and side, and not again until it has ended.
 */
export class RuleWatch {
  readonly #rules: readonly WatchRule[];
  readonly #coin: string;
  readonly #sizes: WalletSizes;
  readonly #placed: readonly Address[];
  /** States that hold now, as `rule what`: they do not fire again. */
  #standing: ReadonlySet<string> = new Set();
  #epoch: string | undefined;

  /** Throws RangeError for a rule whose numbers are meaningless (INS-41). */
  constructor(coin: string, rules: readonly WatchRule[]) {
    for (const rule of rules) checkRule(rule);
    this.#coin = coin;
    this.#rules = rules;
    this.#sizes = new WalletSizes(rules.flatMap((rule) => (rule.kind === 'wallet' ? [rule.user] : [])));
    this.#placed = [...new Set(rules.flatMap((rule) => (rule.kind === 'place' ? [lowerCaseAddress(rule.user)] : [])))];
  }

  /**
   * Takes a new book. It is not compared with the one before: that is an outage, not an event. `look` reports the states that
   * hold in it.
   */
  onBook(book: L4Book, position: WatchPosition): readonly WatchHit[] {
    this.#sizes.read(book);
    const before = this.#epoch;
    this.#epoch = position.epoch;
    if (before === undefined || before === position.epoch) return [];
    return this.#hits(position, (rule) => (rule.kind === 'epoch' ? [{ kind: 'epoch', epoch: position.epoch }] : []));
  }

  /** Takes the changes of one block, in block order. */
  onBlock(changes: readonly BookChange[], position: WatchPosition): readonly WatchHit[] {
    const sizes = this.#sizes.apply(changes);
    if (sizes.length === 0) return [];
    return this.#hits(position, (rule) => {
      if (rule.kind !== 'wallet') return [];
      return sizes.flatMap(({ user, side, by }): readonly WatchFacts[] => {
        const sz = rule.event === 'placed' ? by : subtract('0', by);
        if (user !== lowerCaseAddress(rule.user) || compare(sz, rule.minSz) < 0) return [];
        return [{ kind: 'wallet', user, side, event: rule.event, sz }];
      });
    });
  }

  /**
   * Checks the rules about states; callers may call this as often as they like. `suspicion` says why the feed is suspect, null
   * while it is not.
   */
  look(book: L4Book, position: WatchPosition, suspicion: string | null = null): readonly WatchHit[] {
    const mid = midOf(book);
    const places = this.#placed.length === 0 ? undefined : queuePlacesOf(book, this.#placed);
    const standing = new Set<string>();
    const hits = this.#rules.flatMap((rule, index): readonly WatchHit[] => {
      const found: readonly (readonly [string, WatchFacts])[] =
        rule.kind === 'place'
          ? placeFacts(rule, places?.get(lowerCaseAddress(rule.user)) ?? [])
          : standingFacts(rule, book, mid, suspicion);
      return found.flatMap(([what, facts]) => {
        const key = `${index} ${what}`;
        standing.add(key);
        return this.#standing.has(key) ? [] : [this.#hit(index, position, facts)];
      });
    });
    this.#standing = standing;
    return hits;
  }

  #hits(position: WatchPosition, facts: (rule: WatchRule) => readonly WatchFacts[]): readonly WatchHit[] {
    return this.#rules.flatMap((rule, index) => facts(rule).map((found) => this.#hit(index, position, found)));
  }

  #hit(rule: number, { height, time }: WatchPosition, facts: WatchFacts): WatchHit {
    return { rule, coin: this.#coin, height, time, facts };
  }
}

type Standing = readonly (readonly [what: string, facts: WatchFacts])[];

function placeFacts({ user, place }: Extract<WatchRule, { kind: 'place' }>, orders: readonly OrderPlace[]): Standing {
  return orders.flatMap(({ oid, side, limitPx, ordersAhead, levelOrders }) => {
    if (ordersAhead >= place) return [];
    const facts = {
      kind: 'place',
      user: lowerCaseAddress(user),
      oid,
      side,
      px: limitPx,
      place: ordersAhead + 1,
      of: levelOrders,
    } as const;
    return [[String(oid), facts] as const];
  });
}

function standingFacts(rule: WatchRule, book: L4Book, mid: Mid | undefined, suspicion: string | null): Standing {
  switch (rule.kind) {
    case 'suspect':
      return suspicion === null ? [] : [['', { kind: 'suspect', reason: suspicion }]];
    case 'wall':
      return mid === undefined ? [] : wallFacts(rule, book, mid);
    case 'spread': {
      const bps = mid === undefined ? undefined : spreadBps(mid);
      return bps === undefined || compare(bps, rule.aboveBps) <= 0 ? [] : [['', { kind: 'spread', bps }]];
    }
    case 'imbalance': {
      if (mid === undefined) return [];
      const range = rangeAround(mid, rule.withinBps);
      const [bids, asks] = SIDES.map((side) => sizeWithin(book, side, range)) as [Units, Units];
      const lean = leanOf(bids, asks);
      if (lean === null || compare(absolute(lean), rule.above) <= 0) return [];
      return [[lean.startsWith('-') ? 'A' : 'B', { kind: 'imbalance', lean }]];
    }
    case 'wallet':
    case 'place':
    case 'epoch':
      return [];
  }
}

function wallFacts({ withinBps, minSz }: Extract<WatchRule, { kind: 'wall' }>, book: L4Book, mid: Mid): Standing {
  const range = rangeAround(mid, withinBps);
  return SIDES.flatMap((side) => {
    const { szScale } = book.cursor(side);
    const wallSz = unitsFrom(minSz, szScale);
    return wallsWithin(book, side, range, wallSz).flatMap(({ user, pxText, sz }) => {
      if (user === null) return [];
      const facts = {
        kind: 'wall',
        user: lowerCaseAddress(user),
        side,
        px: pxText,
        sz: formatUnits(sz, szScale),
      } as const;
      return [[`${side}${pxText} ${facts.user}`, facts] as const];
    });
  });
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

function spreadBps({ bid, ask }: Mid): DecimalString | undefined {
  return bid + ask === 0n ? undefined : signedQuotient((ask - bid) * 20_000n, bid + ask, 6);
}
