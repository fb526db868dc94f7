import type { BookChange, DecimalString } from '@l4desk/protocol';

const ORDERS_MAX = 500;

/** An endless series of generated blocks' changes. The same seed gives the same series. */
export class EndlessChanges {
  readonly #resting: Extract<BookChange, { kind: 'insert' }>[] = [];
  #state: number;
  #oid = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The changes of the next block. */
  next(): readonly BookChange[] {
    return Array.from({ length: 1 + this.#below(40) }, () => this.#change());
  }

  /** Returns a whole number from 0 to `limit` (exclusive). A linear congruential generator is random enough here. */
  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  #change(): BookChange {
    const resting = this.#resting;
    if (resting.length > ORDERS_MAX || (resting.length > 0 && this.#below(3) === 0)) {
      const [order] = resting.splice(this.#below(resting.length), 1);
      if (order !== undefined) {
        const { user, side, px } = order;
        return { kind: 'remove', oid: order.oid, user, side, px };
      }
    }
    this.#oid += 1 + this.#below(9);
    const isBid = this.#below(2) === 0;
    const insert = {
      kind: 'insert',
      oid: this.#oid,
      user: `0x${String(this.#below(9)).repeat(40)}`,
      side: isBid ? 'B' : 'A',
      px: `${isBid ? 900 + this.#below(99) : 1_001 + this.#below(99)}.${this.#below(10)}` as DecimalString,
      sz: `${this.#below(9)}.${1 + this.#below(9_999)}` as DecimalString,
      insertBefore: null,
    } as const;
    resting.push(insert);
    return insert;
  }
}
