import { extrasOf, type L4Order, type OrderStatus } from '@l4desk/protocol';

/** The fields of an order that many orders share, stored as one word of a table. */
export interface Shape {
  /** The owner in the order's own `user` field. Null in statuses and in keyframes, where the owner is written separately. */
  readonly user: L4Order['user'];
  readonly triggerCondition: string;
  readonly isTrigger: boolean;
  readonly triggerPx: L4Order['triggerPx'];
  readonly isPositionTpsl: boolean;
  readonly reduceOnly: boolean;
  readonly orderType: string;
  readonly tif: string | null;
}

/** Returns the word for an order's shape. */
export function shapeWord(order: L4Order, user: L4Order['user']): string {
  const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif } = order;
  return JSON.stringify([user, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif]);
}

type ShapeFields = readonly [
  L4Order['user'],
  string,
  boolean,
  L4Order['triggerPx'],
  boolean,
  boolean,
  string,
  string | null,
];

/** Returns the shape for a word that `shapeWord` made. The frame's checksum has been compared before. */
export function shapeOf(word: string): Shape {
  const fields: ShapeFields = JSON.parse(word);
  const [user, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif] = fields;
  return { user, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif };
}

const STATUS_FIELDS: ReadonlySet<string> = new Set(['time', 'user', 'status', 'order']);

type Fields = Readonly<Record<string, unknown>>;

function otherFields(status: Fields): Fields | undefined {
  let others: [string, unknown][] | undefined;
  for (const key in status) {
    if (STATUS_FIELDS.has(key)) continue;
    others ??= [];
    others.push([key, status[key]]);
  }
  return others === undefined ? undefined : Object.fromEntries(others);
}

/** Returns the fields of an order that the specification doesn't name as JSON, or undefined if there are none. */
export function orderExtras(order: L4Order): string | undefined {
  const others = extrasOf(order);
  return others === undefined ? undefined : JSON.stringify(others);
}

/** Returns the same for a status and its order together. */
export function statusExtras(status: OrderStatus): string | undefined {
  const own = otherFields(status);
  const order = extrasOf(status.order);
  return own === undefined && order === undefined ? undefined : JSON.stringify([own ?? {}, order ?? {}]);
}

export interface ReadStatusExtras {
  readonly own: Fields;
  readonly order: Fields;
}

export function readStatusExtras(text: string): ReadStatusExtras {
  const [own, order]: [Fields, Fields] = JSON.parse(text);
  return { own, order };
}

/** Returns whether every field of a status has the form that the columns store. Any other status is written as JSON. */
export function isPlainStatus({ time, user, status, order }: OrderStatus, coin: string): boolean {
  return (
    typeof time === 'string' &&
    typeof user === 'string' &&
    typeof status === 'string' &&
    order.coin === coin &&
    (order.side === 'B' || order.side === 'A') &&
    isWhole(order.oid) &&
    isWhole(order.timestamp) &&
    typeof order.limitPx === 'string' &&
    typeof order.sz === 'string' &&
    isPlainShape(order) &&
    (order.cloid === null || typeof order.cloid === 'string')
  );
}

function isPlainShape(order: L4Order): boolean {
  return (
    (order.user === null || typeof order.user === 'string') &&
    typeof order.triggerCondition === 'string' &&
    typeof order.isTrigger === 'boolean' &&
    typeof order.triggerPx === 'string' &&
    typeof order.isPositionTpsl === 'boolean' &&
    typeof order.reduceOnly === 'boolean' &&
    typeof order.orderType === 'string' &&
    (order.tif === null || typeof order.tif === 'string')
  );
}

/** Whether a value is a whole number small enough for exact differences. */
function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 51;
}

/** Returns the time of a block as a status prints it, up to the milliseconds. Most statuses add six digits to it. */
export function timePrefix(ms: number): string {
  return ms <= 8.64e15 ? new Date(ms).toISOString().slice(0, -1) : '';
}
