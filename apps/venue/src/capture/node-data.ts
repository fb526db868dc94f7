import { address, coinName, decimalString, l4Order, rawBookDiff, side, z } from '@l4desk/protocol';

/** An order as a node prints it, without the fields that the order-level server does not pass on (`children`, `origSz`). */
const nodeOrder = z.object(l4Order.omit({ user: true }).shape);

const ownedOrders = z.array(z.tuple([address, nodeOrder]));

/** A node's snapshot file: the height, then each coin's bids and asks as pairs of owner and order. */
export const nodeSnapshot = z.tuple([
  z.int().nonnegative(),
  z.array(z.tuple([coinName, z.tuple([ownedOrders, ownedOrders])])),
]);

export type NodeSnapshot = z.infer<typeof nodeSnapshot>;

/** A node's time: ISO-8601 in UTC without a zone, with up to nine decimals. */
const nodeTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?$/, 'must be a time like 2026-05-05T17:39:13.024084407');

/** One line of a by-block file. The type of its events depends on the file. */
export function nodeBlock<E>(event: z.ZodType<E>) {
  return z.object({ block_time: nodeTime, block_number: z.int().nonnegative(), events: z.array(event) });
}

export const nodeStatus = z.object({ time: z.string(), user: address, status: z.string(), order: nodeOrder });

export type NodeStatus = z.infer<typeof nodeStatus>;

/** Older nodes omit the side. */
export const nodeDiff = z.object({
  user: address,
  oid: z.int().nonnegative(),
  coin: coinName,
  side: side.optional(),
  px: decimalString,
  raw_book_diff: rawBookDiff,
});

export type NodeDiff = z.infer<typeof nodeDiff>;

/** Fills are only counted, so only these fields are checked. */
export const nodeFill = z.tuple([address, z.looseObject({ coin: coinName })]);

/** A node's time in ms since the Unix epoch, rounded down. */
export function millisOf(time: string): number {
  return Date.parse(`${time.slice(0, 23)}Z`);
}
