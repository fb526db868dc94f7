import { coinName, decimalString, millis, reportedDecimal, side } from '../primitives.ts';
import { z } from '../zod.ts';

/** The fields that every order object of the info API has besides `cloid` and `children`, open or finalized (§2.3). */
function orderFields<Amount extends z.ZodType<string>>(amount: Amount) {
  return {
    coin: coinName,
    side,
    limitPx: amount,
    sz: amount,
    origSz: amount,
    oid: z.int().nonnegative(),
    timestamp: millis,
    orderType: z.string(),
    tif: z.string().nullable(),
    reduceOnly: z.boolean(),
    isTrigger: z.boolean(),
    triggerCondition: z.string(),
    triggerPx: amount,
    isPositionTpsl: z.boolean(),
  };
}

export const ORDER_FIELDS = orderFields(decimalString);

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullish() });
const passedChildless = z.looseObject({ ...orderFields(reportedDecimal), cloid: z.string().nullish() });

export interface UpstreamOrder extends z.infer<typeof childless> {
  children: UpstreamOrder[];
}

/**
 * An order as the exchange describes it in `historicalOrders`, `frontendOpenOrders` and `orderStatus`. Older responses omit
 * `cloid`; `children` are complete orders again (D17). Fields that are not named here pass through.
 */
export const upstreamOrder: z.ZodType<UpstreamOrder> = childless
  .extend({
    get children() {
      return z.array(upstreamOrder);
    },
  })
  .meta({ id: 'ExchangeOrder', description: 'an order as the exchange describes it' });

export interface PassedOrder extends z.infer<typeof passedChildless> {
  children: PassedOrder[];
}

/** The same as the service passes it on: a number may be any text (D46). */
export const passedOrder: z.ZodType<PassedOrder> = passedChildless.extend({
  get children() {
    return z.array(passedOrder);
  },
});
