import { millis, reportedAmount } from '../primitives.ts';
import { z } from '../zod.ts';

/**
 * The fields of every order object of the info API besides `cloid` and `children` (§2.3). Only coin and oid are
 * certain: another may be null, missing or a word that nobody knows yet (D59).
 */
export const ORDER_FIELDS = {
  coin: z.string(),
  side: z.string().meta({ description: 'B bid, A ask' }),
  limitPx: reportedAmount,
  sz: reportedAmount,
  origSz: reportedAmount,
  oid: z.int().nonnegative(),
  timestamp: millis.nullish(),
  orderType: z.string().nullish(),
  tif: z.string().nullish(),
  reduceOnly: z.boolean().nullish(),
  isTrigger: z.boolean().nullish(),
  triggerCondition: z.string().nullish(),
  triggerPx: reportedAmount,
  isPositionTpsl: z.boolean().nullish(),
};

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullish() });

export interface UpstreamOrder extends z.infer<typeof childless> {
  children?: UpstreamOrder[] | null | undefined;
}

/** An order as the exchange describes it. Older responses omit `cloid`; `children` are complete orders again (D17). */
export const upstreamOrder: z.ZodType<UpstreamOrder> = childless
  .extend({
    get children() {
      return z.array(upstreamOrder).nullish();
    },
  })
  .meta({ id: 'ExchangeOrder', description: 'an order as the exchange describes it' });
