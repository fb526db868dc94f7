import { address, coinName, decimalString, millis, side } from './primitives.ts';
import { z } from './zod.ts';

/** An order of the L4 book. Unknown fields pass through; `user` is null in an order status, which names the owner. */
export const l4Order = z
  .looseObject({
    user: address.nullable(),
    coin: coinName,
    side,
    limitPx: decimalString,
    sz: decimalString,
    oid: z.int().nonnegative(),
    timestamp: millis,
    triggerCondition: z.string(),
    isTrigger: z.boolean(),
    triggerPx: decimalString,
    isPositionTpsl: z.boolean(),
    reduceOnly: z.boolean(),
    orderType: z.string(),
    tif: z.string().nullable(),
    cloid: z.string().nullable(),
  })
  .meta({ id: 'L4Order', description: 'one order of the order-level book' });

/** One order of the L4 book: prices and sizes in the coin's own units as decimal text, times in ms. */
export type L4Order = z.infer<typeof l4Order>;

/** Its fields in the specification's order. */
export const L4_ORDER_FIELDS: readonly string[] = Object.keys(l4Order.shape);

const FIELDS: ReadonlySet<string> = new Set(L4_ORDER_FIELDS);

/** The fields of an order that the specification does not name; they pass through. Undefined if there are none. */
export function extrasOf(order: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  let extras: [string, unknown][] | undefined;
  for (const key in order) {
    if (FIELDS.has(key)) continue;
    extras ??= [];
    extras.push([key, order[key]]);
  }
  return extras && Object.fromEntries(extras);
}

/** Fields of an order that a book diff does not carry and an order status adds. */
export type L4OrderDetail = Pick<
  L4Order,
  | 'timestamp'
  | 'triggerCondition'
  | 'isTrigger'
  | 'triggerPx'
  | 'isPositionTpsl'
  | 'reduceOnly'
  | 'orderType'
  | 'tif'
  | 'cloid'
>;
