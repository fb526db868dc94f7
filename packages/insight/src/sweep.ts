import type { L4Book, OrderCursor } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { checkAmount, powerOfTen, quotient, significantQuotient } from './amounts.ts';
import { OwnerTally } from './wallets.ts';

/** The side of a market order: `buy` takes asks, `sell` takes bids. */
export type TakerSide = 'buy' | 'sell';

/**
 * How much is taken: a size; a notional, where the part taken of the last order is rounded down to the coin's `szDecimals`; or
 * everything up to and including a price.
 */
export type SweepAmount =
  | { readonly sz: DecimalString }
  | { readonly ntl: DecimalString; readonly szDecimals: number }
  | { readonly to: DecimalString };

/** What one wallet would sell or buy. */
export interface SweptOwner {
  /** In lower case; null stands for all orders whose owner is not named. */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
}

/** A resting order that a market order would take from. */
export interface SweptOrder {
  readonly oid: number;
  /** As received; null if its owner is not named. */
  readonly user: Address | null;
  /** Price and size as printed, and how much of the size is taken. */
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly taken: DecimalString;
}

/** What a market order would take from a book that does not change meanwhile. Sums are exact. */
export interface Sweep {
  readonly side: TakerSide;
  /** Sums are in their shortest form, prices of orders as printed. */
  readonly filledSz: DecimalString;
  /** Sum of price times size. */
  readonly filledNtl: DecimalString;
  /** The part of the amount not taken: a size for a size, a notional for a notional, zero for a price. */
  readonly unfilled: DecimalString;
  /** Average price: 10 significant digits, rounded half up. Null if nothing is taken. */
  readonly vwap: DecimalString | null;
  /** Best price of the side that is taken from, as printed; null if the side is empty. */
  readonly bestPx: DecimalString | null;
  /** Price of the last order taken from, as printed; null if nothing is taken. */
  readonly worstPx: DecimalString | null;
  /** How much worse the average is than the best price: 6 decimals, rounded half up. Null if nothing is taken. */
  readonly slippageBps: DecimalString | null;
  /** Orders and price levels of which any part is taken. */
  readonly orders: number;
  readonly levels: number;
  /** The owners that it is taken from: largest size first, ties by address. */
  readonly owners: readonly SweptOwner[];
}

const VWAP_DIGITS = 10;
const SLIPPAGE_DECIMALS = 6;
const SZ_DECIMALS_MAX = 12;

/**
 * What a market order would take: the orders of the other side from the best price, in queue order, until the amount is filled or
 * the side ends. Throws RangeError unless the amount is a non-negative plain decimal and `szDecimals` a whole number from
 * 0 to 12.
 */
export function sweep(book: L4Book, side: TakerSide, amount: SweepAmount): Sweep {
  const cursor = book.cursor(side === 'buy' ? 'A' : 'B');
  const budget = budgetOf(cursor, side, amount);
  const taken = take(cursor, budget);
  const { sz, ntl, best } = taken;
  const atBest = best * sz;
  const worse = side === 'buy' ? ntl - atBest : atBest - ntl;
  return {
    side,
    filledSz: formatUnits(sz, budget.szScale),
    filledNtl: formatUnits(ntl, cursor.pxScale + budget.szScale),
    unfilled: budget.unfilled(),
    vwap: sz === 0n ? null : significantQuotient(ntl, sz * powerOfTen(cursor.pxScale), VWAP_DIGITS),
    bestPx: taken.bestPx,
    worstPx: taken.worstPx,
    // A slippage from a best price of zero has no basis points.
    slippageBps: atBest === 0n ? null : quotient(worse * 10_000n, atBest, SLIPPAGE_DECIMALS),
    orders: taken.orders,
    levels: taken.levels,
    owners: taken.owners.ranked().map(({ user, orders, sz: size }) => ({
      user,
      orders,
      sz: formatUnits(size, budget.szScale),
    })),
  };
}

/**
 * The first `limit` orders that the same sweep takes from, in the order in which it takes them. Throws as `sweep` does.
 */
export function sweptOrders(book: L4Book, side: TakerSide, amount: SweepAmount, limit: number): readonly SweptOrder[] {
  const cursor = book.cursor(side === 'buy' ? 'A' : 'B');
  const budget = budgetOf(cursor, side, amount);
  const orders: SweptOrder[] = [];
  take(cursor, budget, (part) => {
    if (orders.length === limit) return;
    const { oid, user, pxText: px, szText: sz } = cursor;
    orders.push({ oid, user, px, sz, taken: formatUnits(part, budget.szScale) });
  });
  return orders;
}

function budgetOf(cursor: OrderCursor, side: TakerSide, amount: SweepAmount): Budget {
  if ('sz' in amount) return new SizeBudget(cursor, amount.sz);
  return 'to' in amount ? new PriceBudget(cursor, side, amount.to) : new NotionalBudget(cursor, amount);
}

/** What is taken, in units of the budget. */
interface Taken {
  sz: bigint;
  ntl: bigint;
  best: bigint;
  bestPx: DecimalString | null;
  worstPx: DecimalString | null;
  orders: number;
  levels: number;
  readonly owners: OwnerTally;
}

/** Calls `onTake` with the size taken from the order at the cursor. */
function take(cursor: OrderCursor, budget: Budget, onTake?: (part: bigint) => void): Taken {
  const owners = new OwnerTally();
  const taken: Taken = { sz: 0n, ntl: 0n, best: 0n, bestPx: null, worstPx: null, orders: 0, levels: 0, owners };
  const finer = powerOfTen(budget.szScale - cursor.szScale);
  while (cursor.nextLevel()) {
    const px = BigInt(cursor.px);
    let isCounted = false;
    while (cursor.nextOrder()) {
      const sz = BigInt(cursor.sz) * finer;
      // Already filled, and about to leave.
      if (sz === 0n) continue;
      if (taken.bestPx === null) {
        taken.best = px;
        taken.bestPx = cursor.pxText;
      }
      const part = budget.take(px, sz);
      if (part > 0n) {
        if (!isCounted) taken.levels += 1;
        isCounted = true;
        taken.sz += part;
        taken.ntl += px * part;
        taken.worstPx = cursor.pxText;
        taken.orders += 1;
        owners.add(cursor.user, part);
        onTake?.(part);
      }
      if (part < sz) return taken;
    }
  }
  return taken;
}

/** What is left to take, updated order by order. */
interface Budget {
  /** Sizes are whole multiples of `10^-szScale`, which is at least as fine as the book's. */
  readonly szScale: number;
  /** Takes as much of an order as the budget allows and returns it. Taking less than the whole order ends the sweep. */
  take(px: bigint, sz: bigint): bigint;
  unfilled(): DecimalString;
}

class SizeBudget implements Budget {
  readonly szScale: number;
  private left: bigint;

  constructor(cursor: OrderCursor, sz: DecimalString) {
    checkAmount('sz', sz);
    this.szScale = Math.max(cursor.szScale, significantDecimalsOf(sz));
    this.left = parseBigUnits(sz, this.szScale) as bigint;
  }

  take(_px: bigint, sz: bigint): bigint {
    const part = sz < this.left ? sz : this.left;
    this.left -= part;
    return part;
  }

  unfilled(): DecimalString {
    return formatUnits(this.left, this.szScale);
  }
}

class NotionalBudget implements Budget {
  readonly szScale: number;
  private left: bigint;
  /**
   * `left` is in units of `10^-scale`. One unit of price times one unit of size is `unit` of them, and sizes are traded in
   * multiples of `lot`.
   */
  private readonly scale: number;
  private readonly unit: bigint;
  private readonly lot: bigint;

  constructor(cursor: OrderCursor, { ntl, szDecimals }: { readonly ntl: DecimalString; readonly szDecimals: number }) {
    checkAmount('ntl', ntl);
    if (!Number.isInteger(szDecimals) || szDecimals < 0 || szDecimals > SZ_DECIMALS_MAX) {
      throw new RangeError(`szDecimals must be a whole number from 0 to ${SZ_DECIMALS_MAX}: ${szDecimals}`);
    }
    this.szScale = Math.max(cursor.szScale, szDecimals);
    this.scale = Math.max(cursor.pxScale + this.szScale, significantDecimalsOf(ntl));
    this.unit = powerOfTen(this.scale - cursor.pxScale - this.szScale);
    this.lot = powerOfTen(this.szScale - szDecimals);
    this.left = parseBigUnits(ntl, this.scale) as bigint;
  }

  take(px: bigint, sz: bigint): bigint {
    const price = px * this.unit;
    const part = price * sz <= this.left ? sz : (this.left / (price * this.lot)) * this.lot;
    this.left -= price * part;
    return part;
  }

  unfilled(): DecimalString {
    return formatUnits(this.left, this.scale);
  }
}

/** Takes everything at prices up to a bound. */
class PriceBudget implements Budget {
  readonly szScale: number;
  /** The bound in units of `10^-scale`, and how many of these one unit of the book's prices is. */
  private readonly bound: bigint;
  private readonly unit: bigint;
  private readonly side: TakerSide;

  constructor(cursor: OrderCursor, side: TakerSide, to: DecimalString) {
    checkAmount('to', to);
    this.side = side;
    this.szScale = cursor.szScale;
    const scale = Math.max(cursor.pxScale, significantDecimalsOf(to));
    this.bound = parseBigUnits(to, scale) as bigint;
    this.unit = powerOfTen(scale - cursor.pxScale);
  }

  take(px: bigint, sz: bigint): bigint {
    const price = px * this.unit;
    return (this.side === 'buy' ? price <= this.bound : price >= this.bound) ? sz : 0n;
  }

  unfilled(): DecimalString {
    return '0';
  }
}
