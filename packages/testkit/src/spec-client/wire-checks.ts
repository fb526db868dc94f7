/** Checks of each message against the specification, field by field (sections 2.6, 2.7 and 4.7). */
import { isObject, parsedJson, z } from '@l4desk/protocol';

type Report = (problem: string) => void;

const count = z.int().nonnegative();
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
const side = z.enum(['B', 'A']);

const order = z.object({
  coin: z.string(),
  side,
  limitPx: decimal,
  sz: decimal,
  oid: count,
  timestamp: count,
  triggerCondition: z.string(),
  isTrigger: z.boolean(),
  triggerPx: decimal,
  isPositionTpsl: z.boolean(),
  reduceOnly: z.boolean(),
  orderType: z.string(),
  tif: z.string().nullable(),
  cloid: z.string().nullable(),
});

const listed = z.array(order.extend({ user: address }));

/** Section 2.6. */
const snapshotWire = z.object({
  coin: z.string(),
  time: count,
  height: count,
  epoch: uuid,
  seq: count,
  levels: z.tuple([listed, listed]),
});

const diff = z.object({
  user: address,
  oid: count,
  side,
  px: decimal,
  coin: z.string(),
  raw_book_diff: z.union([
    z.literal('remove'),
    z.strictObject({ new: z.object({ sz: decimal, insertBefore: count.nullish() }) }),
    z.strictObject({ update: z.object({ origSz: decimal, newSz: decimal }) }),
  ]),
});

const status = z.object({
  time: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/),
  user: address,
  status: z.string(),
  // The owner is in the status itself. Inside the order it is null.
  order: order.extend({ user: z.null() }),
});

const entryWire = z.object({
  coin: z.string(),
  seq: count,
  prev_seq: count,
  order_statuses: z.array(status),
  book_diffs: z.array(diff).min(1),
});

/** Section 2.7. */
const batchWire = z.object({
  time: count,
  block_height: count,
  epoch: uuid,
  cursor: z.string(),
  book_diffs: z.array(entryWire).min(1),
});

export type SnapshotWire = z.infer<typeof snapshotWire>;
export type EntryWire = z.infer<typeof entryWire>;
export type BatchWire = z.infer<typeof batchWire>;

/** Reads a message of the stream: its object, and the content of an `l4BookUpdates` message. */
export function checkMessage(text: string, report: Report) {
  const message = parsedJson(text);
  if (!isObject(message)) report(`a frame that is no JSON object: ${text.slice(0, 80)}`);
  if (!isObject(message) || message.channel !== 'l4BookUpdates')
    return { message: isObject(message) ? message : undefined };
  const { data } = message;
  if (isObject(data) && Object.keys(data).join() === 'Updates')
    return { message, batch: checkBatch(data.Updates, report) };
  report('data of l4BookUpdates must hold Updates and nothing else');
  return { message };
}

export function checkSnapshot(value: unknown, coin: string, report: Report): SnapshotWire | undefined {
  const snapshot = read(snapshotWire, value, 'snapshot', report);
  if (snapshot === undefined) return undefined;
  const [bids, asks] = snapshot.levels;
  const strays = [...bids.filter((each) => each.side !== 'B'), ...asks.filter((each) => each.side !== 'A')];
  strays.push(...[...bids, ...asks].filter((each) => each.coin !== coin));
  if (snapshot.coin === coin && strays.length === 0) return snapshot;
  report(`snapshot of ${snapshot.coin} instead of ${coin}, orders out of place: ${JSON.stringify(strays.slice(0, 2))}`);
  return undefined;
}

export function checkBatch(value: unknown, report: Report): BatchWire | undefined {
  const batch = read(batchWire, value, 'Updates', report);
  if (batch === undefined) return undefined;
  if (batch.cursor !== `${batch.block_height}:${batch.time}`) report(`cursor is ${batch.cursor}`);
  const coins = batch.book_diffs.map((entry) => entry.coin);
  if (new Set(coins).size !== coins.length) report(`two entries of one coin: ${coins.join(', ')}`);
  for (const { coin, seq, prev_seq: prevSeq, book_diffs: diffs, order_statuses: statuses } of batch.book_diffs) {
    if (seq <= prevSeq) report(`${coin}: seq ${seq} does not follow ${prevSeq}`);
    if (diffs.some((each) => each.coin !== coin) || statuses.some((each) => each.order.coin !== coin))
      report(`${coin}: an entry with changes of another coin`);
  }
  return batch;
}

/** Returns the value as it was received. */
function read<T extends z.ZodType>(schema: T, value: unknown, name: string, report: Report): z.infer<T> | undefined {
  const result = schema.safeParse(value);
  if (result.success) return value as z.infer<T>;
  for (const { path, message } of result.error.issues.slice(0, 3)) report(`${name}.${path.join('.')}: ${message}`);
  return undefined;
}
