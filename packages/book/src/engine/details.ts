import { extrasOf, type InsertChange, type L4Order, type L4OrderDetail, type OrderStatus } from '@l4desk/protocol';
import { OidTable } from '../fast/oid-table.ts';

/** The fields of an order that no diff carries, plus everything else that its order status reports. */
export type DetailFields = L4OrderDetail & Readonly<Record<string, unknown>>;

/** Where an engine gets the fields of a new order besides owner, price and size. Called once for every inserted order. */
export interface Details {
  of(change: InsertChange): DetailFields;
}

/**
 * What the order statuses of one block report about its new orders: metadata only, never a price or a size (BOOK-2). If an
 * order has several statuses, the last one that agrees with the change on owner and side and is complete counts.
 */
export class BlockDetails implements Details {
  private readonly statuses: readonly OrderStatus[];
  private readonly time: number;
  /** Shared by all orders of the block that have no status. */
  private readonly unknown: DetailFields;
  private oids: Float64Array | undefined;
  private table: OidTable | undefined;

  /** `time` is the time of the block in ms: the placement time of an order without a status. */
  constructor(statuses: readonly OrderStatus[], time: number) {
    this.statuses = statuses;
    this.time = time;
    this.unknown = unknownDetail(time);
  }

  of(change: InsertChange): DetailFields {
    return this.said(change) ?? this.unknown;
  }

  /** The same; undefined if no status applies. */
  said(change: InsertChange): DetailFields | undefined {
    const at = this.lastOf(change.oid);
    for (let index = at; index >= 0; index -= 1) {
      const status = this.statuses[index] as OrderStatus;
      if (status.order.oid === change.oid && fits(status, change)) return resting(status, this.time);
    }
    return undefined;
  }

  private lastOf(oid: number): number {
    const { statuses } = this;
    if (statuses.length === 0) return -1;
    if (this.oids === undefined || this.table === undefined) {
      // Blocks without a new order never reach this: their statuses are not read.
      this.oids = new Float64Array(statuses.length);
      this.table = new OidTable(statuses.length);
      for (let index = 0; index < statuses.length; index += 1) {
        const named = (statuses[index] as OrderStatus).order.oid;
        this.oids[index] = named;
        this.table.set(this.oids, named, index);
      }
    }
    return this.table.find(this.oids, oid);
  }
}

/** The fields of an order that no status describes. A diff without a status is normal (BOOK-6). */
export function unknownDetail(time: number): DetailFields {
  return {
    timestamp: time,
    triggerCondition: 'N/A',
    isTrigger: false,
    triggerPx: '0.0',
    isPositionTpsl: false,
    reduceOnly: false,
    orderType: 'Limit',
    tif: null,
    cloid: null,
  };
}

function fits({ user, order }: OrderStatus, change: InsertChange): boolean {
  return (
    order.side === change.side &&
    (user === change.user || user.toLowerCase() === change.user.toLowerCase()) &&
    typeof order.timestamp === 'number' &&
    typeof order.triggerCondition === 'string' &&
    typeof order.isTrigger === 'boolean' &&
    typeof order.triggerPx === 'string' &&
    typeof order.isPositionTpsl === 'boolean' &&
    typeof order.reduceOnly === 'boolean' &&
    typeof order.orderType === 'string' &&
    (typeof order.tif === 'string' || order.tif === null) &&
    (typeof order.cloid === 'string' || order.cloid === null)
  );
}

/**
 * A trigger order rests from the moment it triggered, and the exchange's snapshots show it so: `Triggered`, no trigger price,
 * placed at the block's time, good till cancelled. Its status still shows it as it was before it triggered.
 */
function resting({ order }: OrderStatus, time: number): DetailFields {
  if (!order.isTrigger) return order;
  return {
    ...order,
    timestamp: time,
    triggerCondition: 'Triggered',
    isTrigger: false,
    triggerPx: '0.0',
    tif: order.tif ?? 'Gtc',
  };
}

/** An order with its fields in the specification's order, followed by its other fields. */
export function ordered(order: L4Order): L4Order {
  const { user, coin, side, limitPx, sz, oid, timestamp } = order;
  const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid } = order;
  const place = { user, coin, side, limitPx, sz, oid, timestamp };
  const detail = { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid };
  return { ...place, ...detail, ...extrasOf(order) };
}
