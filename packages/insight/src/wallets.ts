import type { Units } from '@l4desk/book';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';
import { plus } from './amounts.ts';

/** Entries by owner; all orders without a named owner share one entry. */
export class ByOwner<T extends { readonly user: Address | null }> {
  private readonly create: (user: Address | null) => T;
  /** By spelling, as received: a lower-case copy is made once for each. */
  private readonly bySpelling = new Map<Address | null, T>();
  private readonly byUser = new Map<Address | null, T>();

  /** `create` makes the entry of an owner, whose address is in lower case. */
  constructor(create: (user: Address | null) => T) {
    this.create = create;
  }

  /** The entry of an owner in any spelling, created if there is none. */
  of(owner: Address | null): T {
    return this.bySpelling.get(owner) ?? this.enter(owner);
  }

  /** The entry of an address in lower case, if there is one. */
  find(user: Address | null): T | undefined {
    return this.byUser.get(user);
  }

  all(): IterableIterator<T> {
    return this.byUser.values();
  }

  private enter(owner: Address | null): T {
    const user = owner === null ? null : lowerCaseAddress(owner);
    const entry = this.byUser.get(user) ?? this.create(user);
    this.byUser.set(user, entry);
    this.bySpelling.set(owner, entry);
    return entry;
  }
}

/** What one wallet has among the orders added up. */
export interface OwnerTotal {
  /** In lower case; null stands for all orders whose owner is not named. */
  readonly user: Address | null;
  orders: number;
  sz: Units;
}

/** Adds up orders by their owners. */
export class OwnerTally {
  private readonly totals = new ByOwner<OwnerTotal>((user) => ({ user, orders: 0, sz: 0 }));

  /** Counts an order with this size, which may be only part of the order. */
  add(owner: Address | null, sz: Units): void {
    const total = this.totals.of(owner);
    total.orders += 1;
    total.sz = plus(total.sz, sz);
  }

  /** Largest size first, ties by address; orders without a named owner last. */
  ranked(): readonly OwnerTotal[] {
    return [...this.totals.all()].sort(byRank);
  }
}

/** Largest size first, ties by address; orders without a named owner last. */
export function byRank(a: OwnerTotal, b: OwnerTotal): number {
  if (a.user === null) return 1;
  if (b.user === null || a.sz > b.sz) return -1;
  if (a.sz < b.sz) return 1;
  return a.user < b.user ? -1 : 1;
}
