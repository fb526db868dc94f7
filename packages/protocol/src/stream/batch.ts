import { l4Order } from '../order.ts';
import { address, amount, coinName, millis, side } from '../primitives.ts';
import { z } from '../zod.ts';

/**
 * What happened to one order, in the exchange's own form. `insertBefore` names the oid that it rests directly in front
 * of at the same price; absent means the back of the queue (D31).
 */
export const rawBookDiff = z.union([
  z.object({ new: z.looseObject({ sz: amount, insertBefore: z.int().nonnegative().nullish() }) }),
  z.object({ update: z.looseObject({ origSz: amount, newSz: amount }) }),
  z.literal('remove'),
]);

export type RawBookDiff = z.infer<typeof rawBookDiff>;

/** One change of one resting order (§2.7). */
export const bookDiff = z.looseObject({
  user: address,
  oid: z.int().nonnegative(),
  side,
  px: amount,
  coin: coinName,
  raw_book_diff: rawBookDiff,
});

export type BookDiff = z.infer<typeof bookDiff>;

/** ISO-8601 without a zone, in UTC, with up to nanoseconds. */
const STATUS_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;

export function isStatusTime(value: unknown): value is string {
  return typeof value === 'string' && STATUS_TIME_PATTERN.test(value);
}

/** One event of an order's life. `time` is ISO-8601 with nanoseconds, without a zone, in UTC; `order.user` is null (§2.7). */
export const orderStatus = z.looseObject({
  time: z.string().regex(STATUS_TIME_PATTERN),
  user: address,
  status: z.string(),
  order: l4Order,
});

export type OrderStatus = z.infer<typeof orderStatus>;

/** Sixteen hexadecimal digits. */
const CHECKSUM_PATTERN = /^[0-9a-f]{16}$/;

export function isChecksum(value: unknown): value is string {
  return typeof value === 'string' && CHECKSUM_PATTERN.test(value);
}

const checksumText = z.string().regex(CHECKSUM_PATTERN);

/** How much of one resting order a block executed, in all its executions together. */
export const executedOrder = z.object({ oid: z.int().nonnegative(), sz: amount });

export type ExecutedOrder = z.infer<typeof executedOrder>;

/** What a block changed in one coin. `prev_seq` is the `seq` of the coin's previous entry (§2.7). */
export const coinUpdates = z.object({
  coin: coinName,
  seq: z.int().positive(),
  prev_seq: z.int().nonnegative(),
  order_statuses: z.array(orderStatus),
  book_diffs: z.array(bookDiff),
  checksum: checksumText
    .optional()
    .meta({ description: 'rolling checksum of the whole book after this entry; only with `"checksum": true`' }),
  executed: z.array(executedOrder).optional().meta({
    description:
      'orders of the diffs that the fills of a node say were executed in this block, each with the executed size; only with `"executions": true`, and only where any are known',
  }),
});

export type CoinUpdates = z.infer<typeof coinUpdates>;

/** One block of the stream: an entry per subscribed coin whose book changed in it (§2.7). */
export const updates = z.object({
  time: millis,
  block_height: z.int().nonnegative(),
  epoch: z.uuid(),
  cursor: z.string().regex(/^\d+:\d+$/),
  book_diffs: z.array(coinUpdates),
});

export type Updates = z.infer<typeof updates>;
