import { add, compare } from '@l4desk/decimal';
import type { Trade } from '@l4desk/feed/core';
import type { DecimalString, ExecutedOrder } from '@l4desk/protocol';
import type { NodeFill } from '@l4desk/protocol/upstream';

/** Maximum number of blocks whose fills wait for the rest of the block; more than one file may be ahead of the others. */
const HEIGHTS_MAX = 1_024;

/** Executed sizes of resting orders in upcoming blocks, from their fills. */
export class BlockExecutions {
  /** Executed size by height, coin and oid. */
  readonly #waiting = new Map<number, Map<string, Map<number, DecimalString>>>();
  /** The last reported block; fills up to it that arrive later are ignored. */
  #completeThrough = 0;

  take(height: number, coin: string, fills: readonly NodeFill[]): void {
    if (height <= this.#completeThrough) return;
    // A side that crossed entered in this block; its executed size never rested.
    const resting = fills.filter(({ crossed }) => !crossed);
    if (resting.length === 0) return;
    const coins = this.#waiting.get(height) ?? new Map<string, Map<number, DecimalString>>();
    const sizes = coins.get(coin) ?? new Map<number, DecimalString>();
    for (const { oid, sz } of resting) sizes.set(oid, add(sizes.get(oid) ?? '0', sz));
    this.#waiting.set(height, coins.set(coin, sizes));
    if (this.#waiting.size <= HEIGHTS_MAX) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** Returns the executions of a block that is being reported, by coin, and drops all blocks up to it. */
  of(height: number): ReadonlyMap<string, readonly ExecutedOrder[]> {
    const coins = this.#waiting.get(height) ?? new Map<string, ReadonlyMap<number, DecimalString>>();
    this.#completeThrough = Math.max(this.#completeThrough, height);
    for (const each of this.#waiting.keys()) if (each <= height) this.#waiting.delete(each);
    return new Map([...coins].map(([coin, sizes]) => [coin, [...sizes].map(([oid, sz]) => ({ oid, sz }))]));
  }
}

/** Maximum number of fills kept while their other side is missing. */
const SINGLE_FILLS_MAX = 4_096;

/** Pairs the two fills of each execution (NODE-8): same trade id, price, size and time, and opposite sides. */
export class TradePairs {
  readonly #single = new Map<string, NodeFill>();

  /** Returns the trades that these fills complete, in order. */
  take(fills: readonly NodeFill[]): readonly Trade[] {
    const trades: Trade[] = [];
    for (const fill of fills) {
      const key = `${fill.coin} ${fill.tid}`;
      const other = this.#single.get(key);
      if (other === undefined || !isPair(fill, other)) {
        this.#single.set(key, fill);
        this.#forgetOldest();
      } else {
        this.#single.delete(key);
        trades.push(toTrade(other, fill));
      }
    }
    return trades;
  }

  #forgetOldest(): void {
    if (this.#single.size <= SINGLE_FILLS_MAX) return;
    const [oldest] = this.#single.keys();
    if (oldest !== undefined) this.#single.delete(oldest);
  }
}

function isPair(a: NodeFill, b: NodeFill): boolean {
  return a.side !== b.side && a.time === b.time && compare(a.px, b.px) === 0 && compare(a.sz, b.sz) === 0;
}

function toTrade(first: NodeFill, second: NodeFill): Trade {
  const taker = second.crossed && !first.crossed ? second : first;
  const { coin, px, sz, hash, time, tid, side } = taker;
  const [buyer, seller] = first.side === 'B' ? [first, second] : [second, first];
  return { coin, side, px, sz, hash, time, tid, users: [buyer.user, seller.user] };
}
