/**
 * Owners near the mid and the figures of a book, computed by reading every order of two plain lists once per query. It shares
 * no code with the package or with the book.
 */
import {
  bestOf,
  type ListedOrder,
  type Lists,
  ONE,
  quotientOf,
  roundedTo,
  SCALE,
  shortest,
  sumOf,
  tenDigits,
  valueOf,
} from './brute-force.ts';

/** The placement time of an order in ms. */
export type PlacedAt = (oid: number) => number;

/** A quotient of either sign with that many decimals, rounded half away from zero. */
function signed(numerator: bigint, denominator: bigint, decimals: number): string {
  const isBelow = numerator < 0n;
  const text = roundedTo(...quotientOf(isBelow ? -numerator : numerator, denominator, decimals + 1), decimals);
  return isBelow && /[1-9]/.test(text) ? `-${text}` : text;
}

const lean = (a: bigint, b: bigint) => (a + b === 0n ? null : signed(a - b, a + b, 6));
const part = (a: bigint, b: bigint) => signed(a, b === 0n ? 1n : b, 6);

interface Middle {
  readonly bid: bigint;
  readonly ask: bigint;
}

function middleOf(lists: Lists): Middle | undefined {
  const [bid, ask] = [bestOf(lists.B), bestOf(lists.A)];
  return bid === undefined || ask === undefined ? undefined : { bid, ask };
}

/** Whether an order is within the distance; each price is checked once. */
function near({ bid, ask }: Middle, withinBps: string): (order: ListedOrder) => boolean {
  const known = new Map<string, boolean>();
  return ({ px }) => {
    let within = known.get(px);
    if (within === undefined) {
      const away = 2n * valueOf(px) - bid - ask;
      within = (away < 0n ? -away : away) * 10_000n * ONE <= valueOf(withinBps) * (bid + ask);
      known.set(px, within);
    }
    return within;
  };
}

const nameOf = ({ user }: ListedOrder) => user?.toLowerCase() ?? null;

function grouped<K>(orders: readonly ListedOrder[], keyOf: (order: ListedOrder) => K): ReadonlyMap<K, ListedOrder[]> {
  const groups = new Map<K, ListedOrder[]>();
  for (const order of orders) {
    const group = groups.get(keyOf(order));
    if (group === undefined) groups.set(keyOf(order), [order]);
    else group.push(order);
  }
  return groups;
}

/** Owners with their orders and the sum of these, largest first, ties by address, the unnamed owner last. */
function rankedGroups(orders: readonly ListedOrder[]) {
  const groups = [...grouped(orders, nameOf)].map(([user, own]) => ({ user, own, sz: sumOf(own) }));
  groups.sort((a, b) => (String(a.user) < String(b.user) ? -1 : 1));
  groups.sort((a, b) => (b.sz > a.sz ? 1 : b.sz < a.sz ? -1 : 0));
  return [...groups.filter(({ user }) => user !== null), ...groups.filter(({ user }) => user === null)];
}

function notionalOf(orders: readonly ListedOrder[]): string {
  return shortest(
    orders.reduce((sum, { px, sz }) => sum + valueOf(px) * valueOf(sz), 0n),
    2 * SCALE,
  );
}

function medianAge(orders: readonly ListedOrder[], placedAt: PlacedAt, clock: number): number {
  const ages = orders.map(({ oid }) => clock - placedAt(oid)).sort((a, b) => a - b);
  const half = ages.length / 2;
  const middle = ages.length % 2 === 1 ? [ages[Math.floor(half)]] : [ages[half - 1], ages[half]];
  return Math.floor(middle.reduce<number>((sum, age = 0) => sum + age, 0) / middle.length);
}

export interface LensQuestion {
  readonly withinBps: string;
  readonly wallShare: string;
  readonly clock: number;
  readonly limit?: number;
}

export function lensOf(lists: Lists, placedAt: PlacedAt, { withinBps, wallShare, clock, limit }: LensQuestion) {
  const middle = middleOf(lists);
  if (middle === undefined) {
    const nothing = {
      orders: 0,
      sz: '0',
      notional: '0',
      wallets: 0,
      top1: '0.000000',
      top5: '0.000000',
      hhi: '0.000000',
    };
    const side = { ...nothing, owners: [], walls: [] };
    return { mid: null, withinBps, skew: null, bids: side, asks: side };
  }
  const isNear = near(middle, withinBps);
  const inside = { B: lists.B.filter(isNear), A: lists.A.filter(isNear) };
  const byName = { B: grouped(inside.B, nameOf), A: grouped(inside.A, nameOf) };
  const sizeOf = (side: 'B' | 'A', user: string | null) => sumOf(byName[side].get(user) ?? []);
  const side = (letter: 'B' | 'A') => {
    const orders = inside[letter];
    const total = sumOf(orders);
    const groups = rankedGroups(orders);
    const named = groups.filter(({ user }) => user !== null).map(({ sz }) => sz);
    const top = (count: number) => named.slice(0, count).reduce((sum, sz) => sum + sz, 0n);
    const isWall = (sz: bigint) => sz > 0n && sz * ONE >= total * valueOf(wallShare);
    const walls = [...grouped(orders, ({ px }) => valueOf(px))].flatMap(([px, level]) => {
      const levelSz = sumOf(level);
      // Without this shortcut the owners of thousands of small levels would be ranked.
      if (!isWall(levelSz)) return [];
      return rankedGroups(level)
        .filter(({ user, sz }) => user !== null && isWall(sz))
        .map(({ user, own, sz }) => ({
          user,
          px: level[0]?.px,
          orders: own.length,
          sz: shortest(sz),
          share: part(sz, total),
          levelShare: part(sz, levelSz),
          bps:
            middle.bid + middle.ask === 0n
              ? '0.00'
              : signed(
                  (letter === 'B' ? middle.bid + middle.ask - 2n * px : 2n * px - middle.bid - middle.ask) * 10_000n,
                  middle.bid + middle.ask,
                  2,
                ),
        }));
    });
    return {
      orders: orders.length,
      sz: shortest(total),
      notional: notionalOf(orders),
      wallets: named.length,
      top1: part(top(1), total),
      top5: part(top(5), total),
      hhi: part(
        named.reduce((sum, sz) => sum + sz * sz, 0n),
        total * total,
      ),
      owners: groups.slice(0, limit).map(({ user, own, sz }) => ({
        user,
        orders: own.length,
        sz: shortest(sz),
        notional: notionalOf(own),
        share: part(sz, total),
        skew: lean(sizeOf('B', user), sizeOf('A', user)),
        medianAgeMs: medianAge(own, placedAt, clock),
      })),
      walls,
    };
  };
  return {
    mid: shortest((middle.bid + middle.ask) * 5n, SCALE + 1),
    withinBps,
    skew: lean(sumOf(inside.B), sumOf(inside.A)),
    bids: side('B'),
    asks: side('A'),
  };
}

/** The wallets near the mid with their sums. */
export function ownersNear(lists: Lists, withinBps: string): object {
  const { mid, bids, asks } = lensOf(lists, () => 0, { withinBps, wallShare: '1', clock: 0 });
  const sums = ({ owners }: ReturnType<typeof lensOf>['bids']) =>
    owners.map(({ user, orders, sz, share }) => ({ user, orders, sz, share }));
  return { mid, withinBps, bids: sums(bids), asks: sums(asks) };
}

export function figuresOf(lists: Lists, tick?: string): object | undefined {
  const middle = middleOf(lists);
  if (middle === undefined) return undefined;
  const { bid, ask } = middle;
  const atBest = (orders: readonly ListedOrder[], best: bigint) =>
    sumOf(orders.filter(({ px }) => valueOf(px) === best));
  const [bidSz, askSz] = [atBest(lists.B, bid), atBest(lists.A, ask)];
  const inside = [...lists.B, ...lists.A].filter(near(middle, '10'));
  const top = rankedGroups(inside).find(({ user }) => user !== null);
  const wholeTicks = tick === undefined ? 0n : (ask - bid) / valueOf(tick);
  return {
    mid: shortest((bid + ask) * 5n, SCALE + 1),
    microprice: tenDigits(bid * askSz + ask * bidSz, (bidSz + askSz) * ONE),
    spread: ask < bid ? `-${shortest(bid - ask)}` : shortest(ask - bid),
    spreadBps: bid + ask === 0n ? null : signed((ask - bid) * 20_000n, bid + ask, 6),
    spreadTicks:
      tick === undefined
        ? null
        : wholeTicks * valueOf(tick) === ask - bid
          ? String(wholeTicks)
          : signed(ask - bid, valueOf(tick), 6),
    imbalances: ['5', '10', '25', '50', '100'].map((withinBps) => {
      const sums = [lists.B, lists.A].map((orders) => sumOf(orders.filter(near(middle, withinBps))));
      const [b = 0n, a = 0n] = sums;
      return { withinBps, lean: lean(b, a), bidSz: shortest(b), askSz: shortest(a) };
    }),
    topOwner: top === undefined || sumOf(inside) === 0n ? null : { user: top.user, share: part(top.sz, sumOf(inside)) },
  };
}
