import type { L4Book } from '@l4desk/book';
import { add, subtract } from '@l4desk/decimal';
import {
  type Address,
  type BookChange,
  type DecimalString,
  lowerCaseAddress,
  SIDES,
  type Side,
} from '@l4desk/protocol';

/** By how much the resting size of a wallet on one side changed in a block; never zero. */
export interface SizeChange {
  readonly user: Address;
  readonly side: Side;
  readonly by: DecimalString;
}

interface Resting {
  readonly user: Address;
  readonly side: Side;
  sz: DecimalString;
}

/** The resting orders of some wallets, updated by a book's changes. Needed because a removal does not say the order's size. */
export class WalletSizes {
  readonly #users: ReadonlySet<Address>;
  readonly #orders = new Map<number, Resting>();

  constructor(users: Iterable<Address>) {
    this.#users = new Set([...users].map(lowerCaseAddress));
  }

  /** Starts over with what rests in this book. */
  read(book: L4Book): void {
    this.#orders.clear();
    if (this.#users.size === 0) return;
    for (const side of SIDES) {
      const cursor = book.cursor(side);
      while (cursor.nextLevel()) {
        while (cursor.nextOrder()) {
          const user = this.#watched(cursor.user);
          if (user !== undefined) this.#orders.set(cursor.oid, { user, side, sz: cursor.szText });
        }
      }
    }
  }

  /** Applies the changes of one block. Returns the sum per wallet and side, in the order in which they first changed. */
  apply(changes: readonly BookChange[]): readonly SizeChange[] {
    if (this.#users.size === 0) return [];
    const sums = new Map<string, SizeChange>();
    for (const change of changes) {
      const by = this.#apply(change);
      if (by === undefined) continue;
      const { user, side } = by;
      const key = `${user}${side}`;
      const before = sums.get(key);
      sums.set(key, before === undefined ? by : { user, side, by: add(before.by, by.by) });
    }
    return [...sums.values()].filter(({ by }) => /[1-9]/.test(by));
  }

  #apply(change: BookChange): SizeChange | undefined {
    const resting = this.#orders.get(change.oid);
    switch (change.kind) {
      case 'insert': {
        const user = this.#watched(change.user);
        if (user === undefined) return undefined;
        this.#orders.set(change.oid, { user, side: change.side, sz: change.sz });
        return { user, side: change.side, by: change.sz };
      }
      case 'resize': {
        if (resting === undefined) return undefined;
        const by = subtract(change.newSz, resting.sz);
        resting.sz = change.newSz;
        return { user: resting.user, side: resting.side, by };
      }
      case 'remove': {
        if (resting === undefined) return undefined;
        this.#orders.delete(change.oid);
        return { user: resting.user, side: resting.side, by: subtract('0', resting.sz) };
      }
    }
  }

  #watched(user: Address | null): Address | undefined {
    if (user === null) return undefined;
    const lower = lowerCaseAddress(user);
    return this.#users.has(lower) ? lower : undefined;
  }
}
