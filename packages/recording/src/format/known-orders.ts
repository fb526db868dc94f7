import type { Side } from '@l4desk/protocol';

/** What both writer and reader know of an order: later changes and statuses refer to it instead of repeating it. */
export interface KnownOrder {
  /** Counts the orders since the keyframe; a reference is how far back it is. */
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
 * The orders that rest, as the diffs say. It is no book: prices have no levels and orders no queue. Writer and reader carry out
 * the same steps, so that both number the orders alike.
 */
export class KnownOrders {
  readonly #byOid = new Map<number, KnownOrder>();
  /** By serial; the place of an order that left is empty until the next keyframe. */
  #bySerial: (KnownOrder | undefined)[] = [];

  clear(): void {
    this.#byOid.clear();
    this.#bySerial = [];
  }

  /** Adds an order; one with the same oid is forgotten. */
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

  /** How far back an order is: 1 for the last one added. */
  distance(order: KnownOrder): number {
    return this.#bySerial.length - order.serial;
  }

  at(distance: number): KnownOrder | undefined {
    return this.#bySerial[this.#bySerial.length - distance];
  }
}
