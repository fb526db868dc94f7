import { isObject } from '@l4desk/protocol';

/** A status that the book contradicts: the order rests although it is not in the book, or the reverse. */
interface Claim {
  readonly rests: boolean;
  readonly height: number;
  /** When the status was read, in ms. */
  readonly at: number;
}

/** A diff comes at most this long after the status that names its order, in ms (D68). */
export const DIFF_WITHIN_MS = 2_000;

/** Maximum number of contradicted statuses kept for each coin; one is enough to doubt its book. */
const CLAIMS_MAX = 1_000;

/** Statuses after which an order rests no longer. Rejected orders never rested. */
const LEAVES = /^filled$|cancel(ed)?$/i;

/** Whether each order rests according to its last status. Orders of which the statuses do not say so are left out. */
function restingBy(statusEvents: readonly unknown[]): ReadonlyMap<number, boolean> {
  const resting = new Map<number, boolean>();
  for (const event of statusEvents) {
    const { status, order } = isObject(event) ? event : {};
    if (!isObject(order) || order.isTrigger !== false) continue;
    if (typeof order.oid !== 'number' || typeof status !== 'string') continue;
    if (status === 'open') resting.set(order.oid, true);
    else if (LEAVES.test(status)) resting.set(order.oid, false);
  }
  return resting;
}

/** Finds diffs that a node did not write, by statuses that the books contradict (NODE-21). */
export class RestingClaims {
  readonly #rests: (coin: string, oid: number) => boolean | undefined;
  readonly #contradicted = new Map<string, Map<number, Claim>>();

  /** `rests` tells whether an order is in the coin's book; undefined while there is none. */
  constructor(rests: (coin: string, oid: number) => boolean | undefined) {
    this.#rests = rests;
  }

  /** Compares the statuses of a block, read at `at`, with the coin's book after it. */
  add(coin: string, statusEvents: readonly unknown[], height: number, at: number): void {
    const claims = this.#contradicted.get(coin) ?? new Map<number, Claim>();
    for (const [oid, rests] of restingBy(statusEvents)) {
      if (!this.#contradicts(coin, oid, rests)) claims.delete(oid);
      else if (claims.size < CLAIMS_MAX) claims.set(oid, { rests, height, at });
    }
    if (claims.size > 0) this.#contradicted.set(coin, claims);
  }

  /** Whether the book contradicts statuses of blocks that were not applied yet. */
  contradicted(coin: string, statusEvents: readonly unknown[]): boolean {
    return [...restingBy(statusEvents)].some(([oid, rests]) => this.#contradicts(coin, oid, rests));
  }

  /** The last block with a status that was read `DIFF_WITHIN_MS` ago and is still contradicted; null if there is none. */
  overdue(coin: string, now: number): number | null {
    const claims = this.#contradicted.get(coin);
    if (claims === undefined) return null;
    let last: number | null = null;
    for (const [oid, { rests, height, at }] of claims) {
      if (now - at < DIFF_WITHIN_MS) continue;
      if (this.#contradicts(coin, oid, rests)) last = Math.max(last ?? height, height);
      else claims.delete(oid);
    }
    if (claims.size === 0) this.#contradicted.delete(coin);
    return last;
  }

  forget(coin: string): void {
    this.#contradicted.delete(coin);
  }

  #contradicts(coin: string, oid: number, rests: boolean): boolean {
    const isResting = this.#rests(coin, oid);
    return isResting !== undefined && isResting !== rests;
  }
}
