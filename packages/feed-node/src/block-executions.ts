import { add } from '@l4desk/decimal';
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

  /** Adds fills of one coin in one block. */
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
