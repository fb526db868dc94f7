import type { Side } from '@l4desk/protocol';
import type { Account } from './order.ts';

/** Who holds how many lots of one coin: above zero long, below zero short. They always sum to what they started with. */
export class Positions {
  readonly #lots = new Map<Account, number>();

  of(account: Account): number {
    return this.#lots.get(account) ?? 0;
  }

  /** How many lots an order on `side` may still trade without growing or turning the account's position. */
  reducible(account: Account, side: Side): number {
    const lots = this.of(account);
    return Math.max(side === 'A' ? lots : -lots, 0);
  }

  add(account: Account, lots: number): void {
    const now = this.of(account) + lots;
    if (now === 0) this.#lots.delete(account);
    else this.#lots.set(account, now);
  }

  sum(): number {
    let total = 0;
    for (const lots of this.#lots.values()) total += lots;
    return total;
  }
}
