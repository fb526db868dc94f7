import type { Units } from '@l4desk/book';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';
import { plus } from './amounts.ts';

/** What one wallet has of the orders that were added up. */
export interface OwnerTotal {
  /** In lower case; null stands for all orders whose owner is not named (INS-6). */
  readonly user: Address | null;
  orders: number;
  sz: Units;
}

/** Adds up orders by their owners. */
export class OwnerTally {
  /** By every spelling that came: a lower-case copy is made once for each. */
  private readonly bySpelling = new Map<Address | null, OwnerTotal>();
  private readonly byUser = new Map<Address | null, OwnerTotal>();

  /** Counts an order, or the part of it that `sz` is. */
  add(owner: Address | null, sz: Units): void {
    const total = this.bySpelling.get(owner) ?? this.enter(owner);
    total.orders += 1;
    total.sz = plus(total.sz, sz);
  }

  /** Largest size first, ties by address; what has no named owner last (INS-5, INS-6). */
  ranked(): readonly OwnerTotal[] {
    return [...this.byUser.values()].sort(byRank);
  }

  private enter(owner: Address | null): OwnerTotal {
    const user = owner === null ? null : lowerCaseAddress(owner);
    const total = this.byUser.get(user) ?? { user, orders: 0, sz: 0 };
    this.byUser.set(user, total);
    this.bySpelling.set(owner, total);
    return total;
  }
}

function byRank(a: OwnerTotal, b: OwnerTotal): number {
  if (a.user === null) return 1;
  if (b.user === null || a.sz > b.sz) return -1;
  if (a.sz < b.sz) return 1;
  return a.user < b.user ? -1 : 1;
}
