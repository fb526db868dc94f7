import { add } from '@l4desk/decimal';
import type { DecimalString, ExecutedOrder } from '@l4desk/protocol';
import type { NodeFill } from '@l4desk/protocol/upstream';

/** Blocks whose fills wait for the rest of the block; more than the files may run ahead of each other. */
const HEIGHTS_MAX = 1_024;

/** What was executed of resting orders in the next blocks, by their fills (NODE-12). */
export class BlockExecutions {
  /** By height and coin, the size by order. */
  readonly #waiting = new Map<number, Map<string, Map<number, DecimalString>>>();
  /** The last block that was reported: fills that come later are not used for it. */
  #completeThrough = 0;

  /** Takes fills of one coin in one block. */
  take(height: number, coin: string, fills: readonly NodeFill[]): void {
    if (height <= this.#completeThrough) return;
    // A side that crossed came in this block: what it executed never rested.
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

  /** What is known of a block that is being reported, by coin; blocks up to it are forgotten. */
  of(height: number): ReadonlyMap<string, readonly ExecutedOrder[]> {
    const coins = this.#waiting.get(height) ?? new Map<string, ReadonlyMap<number, DecimalString>>();
    this.#completeThrough = Math.max(this.#completeThrough, height);
    for (const each of this.#waiting.keys()) if (each <= height) this.#waiting.delete(each);
    return new Map([...coins].map(([coin, sizes]) => [coin, [...sizes].map(([oid, sz]) => ({ oid, sz }))]));
  }
}
