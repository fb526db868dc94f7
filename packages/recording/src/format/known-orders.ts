import type { Side } from '@l4desk/protocol';

/** What both writer and reader know about an order. Later changes and statuses refer to it instead of repeating it. */
export interface KnownOrder {
  /** Number of the order since the keyframe. A reference is the distance back to it. */
  serial: number;
  readonly oid: number;
  /** Index of the owner in the table of users. */
  user: number;
  side: Side;
  px: string;
  sz: string;
  timestamp: number;
  cloid: string | null;
  /** Index of the other fields in the table of shapes. */
  shape: number;
}

/**
 * The resting orders according to the diffs. This is not a book: prices have no levels and orders have no queue. Writer and
 * reader take the same steps, so both number the orders the same way.
 */
export class KnownOrders {
  readonly #byOid = new Map<number, KnownOrder>();
  /** Indexed by serial. The entry of an order that left stays empty until the next keyframe. */
  #bySerial: (KnownOrder | undefined)[] = [];

  clear(): void {
    this.#byOid.clear();
    this.#bySerial = [];
  }

  /** Adds an order and forgets any earlier one with the same oid. */
  add(order: KnownOrder): void {
    const before = this.#byOid.get(order.oid);
    if (before !== undefined) this.#bySerial[before.serial] = undefined;
    order.serial = this.#bySerial.length;
    this.#byOid.set(order.oid, order);
    this.#bySerial.push(order);
  }

  remove(oid: number): void {
    const order = this.#byOid.get(oid);
    if (order === undefined) return;
    this.#byOid.delete(oid);
    this.#bySerial[order.serial] = undefined;
  }

  of(oid: number): KnownOrder | undefined {
    return this.#byOid.get(oid);
  }

  /** Returns how far back an order is: 1 for the last one added. */
  distance(order: KnownOrder): number {
    return this.#bySerial.length - order.serial;
  }

  at(distance: number): KnownOrder | undefined {
    return this.#bySerial[this.#bySerial.length - distance];
  }
}
