import { l4Order } from '../order.ts';
import { coinName, millis } from '../primitives.ts';
import { z } from '../zod.ts';

/** Requests the whole order-level book of one perp coin: the start of the diff stream (§4.6). */
export const l4BookSnapshotRequest = z.object({
  type: z.literal('l4BookSnapshot'),
  coin: coinName,
});

/** The book after block `height` (§2.6): bids, then asks, best price first, in queue order; `seq` is within `epoch`. */
export const l4BookSnapshot = z
  .object({
    coin: coinName,
    time: millis,
    height: z.int().nonnegative(),
    epoch: z.uuid(),
    seq: z.int().nonnegative(),
    levels: z.tuple([z.array(l4Order), z.array(l4Order)]),
  })
  .meta({ id: 'L4BookSnapshot' });

/** The book at the end of block `height`, `time` in ms: bids, then asks, each best price first and in queue order at a price (§2.6). */
export type L4BookSnapshot = z.infer<typeof l4BookSnapshot>;
