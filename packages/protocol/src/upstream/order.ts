import { coinName, millis, reportedAmount, side } from '../primitives.ts';
import { z } from '../zod.ts';

/** The fields that every order object of the info API has besides `cloid` and `children`, open or finalized (§2.3). */
export const ORDER_FIELDS = {
  coin: coinName,
  side,
  limitPx: reportedAmount,
  sz: reportedAmount,
  origSz: reportedAmount,
  oid: z.int().nonnegative(),
  timestamp: millis,
  orderType: z.string(),
  tif: z.string().nullable(),
  reduceOnly: z.boolean(),
  isTrigger: z.boolean(),
  triggerCondition: z.string(),
  triggerPx: reportedAmount,
  isPositionTpsl: z.boolean(),
};

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullish() });

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
