import type { FlowEvent, FlowKind } from '@l4desk/insight';
import type { Address, DecimalString } from '@l4desk/protocol';
import type { BookAt } from '../book-at.ts';

export interface GoneOrder {
  readonly oid: number;
  readonly height: number;
  readonly time: number;
  readonly kind: FlowKind;
  /** No order status reports it: it was inferred from the change. */
  readonly inferred: boolean;
  /** The order that replaced it under the same cloid, and its price. */
  readonly other: { readonly oid: number; readonly px: DecimalString } | null;
}

const GONE_MAX = 1_000;

/** Orders of some wallets that were seen leaving a book, and how. */
export class GoneOrders {
  readonly #gone = new Map<number, GoneOrder>();

  note({ book, position }: BookAt, events: readonly FlowEvent[], users: ReadonlySet<Address>): void {
    const { height, blockTime: time } = position;
    for (const { act, oid, user, kind, inferred, other } of events) {
      if (!users.has(user)) continue;
      // An order that moved within its level is inserted again under the same oid.
      if (act === 'insert') this.#gone.delete(oid);
      if (act !== 'remove') continue;
      const heir = other === null ? undefined : book.order(other);
      const to = heir === undefined ? null : { oid: heir.oid, px: heir.limitPx };
      this.#gone.set(oid, { oid, height, time, kind, inferred, other: to });
    }
    for (const oid of this.#gone.keys()) {
      if (this.#gone.size <= GONE_MAX) break;
      this.#gone.delete(oid);
    }
  }

  get(oid: number): GoneOrder | undefined {
    return this.#gone.get(oid);
  }

  all(): readonly GoneOrder[] {
    return [...this.#gone.values()];
  }

  forget(): void {
    this.#gone.clear();
  }
}
