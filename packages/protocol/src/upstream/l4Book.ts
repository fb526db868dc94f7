import { type BookChange, readArray, readChange, readObject, readString, readWhole } from '../change.ts';
import { type BookLevels, readLevels } from '../info/decode.ts';
import { coinName, type Side } from '../primitives.ts';
import type { OrderStatus } from '../stream/batch.ts';
import { readStatuses } from '../stream/statuses.ts';
import { WireFormatError } from '../wire-format-error.ts';
import { z } from '../zod.ts';

/** Subscription of the order-level server that runs next to a node. */
export const l4BookSubscription = z.object({ type: z.literal('l4Book'), coin: coinName });

/** Messages that a client of the order-level server may send. The server has no ping. */
export const l4BookClientMessage = z.object({
  method: z.enum(['subscribe', 'unsubscribe']),
  subscription: l4BookSubscription,
});

/** A message of the order-level server, normalized. The side of a diff may be missing, and is then null. */
export type L4BookMessage =
  | { readonly kind: 'acknowledged'; readonly method: 'subscribe' | 'unsubscribe'; readonly coin: string }
  | {
      readonly kind: 'snapshot';
      readonly coin: string;
      readonly height: number;
      /** Null if the server does not state it. */
      readonly time: number | null;
      readonly levels: BookLevels;
    }
  | {
      readonly kind: 'block';
      readonly coin: string;
      readonly height: number;
      readonly time: number;
      readonly changes: readonly BookChange<Side | null>[];
      readonly statuses: readonly OrderStatus[];
    }
  | { readonly kind: 'empty'; readonly height: number; readonly time: number }
  /** Of a channel that nobody subscribed to, such as a heartbeat. */
  | { readonly kind: 'other' }
  | { readonly kind: 'error'; readonly message: string };

/** Reads one message of the `l4Book` dialect; `empty` if it names no coin. Throws WireFormatError. */
export function decodeL4BookMessage(value: unknown): L4BookMessage {
  const root = readObject(value, 'message');
  switch (root.channel) {
    case 'l4Book':
      return readBookData(readObject(root.data, 'data'));
    case 'subscriptionResponse': {
      const message = l4BookClientMessage.safeParse(root.data);
      if (!message.success) throw new WireFormatError('data', 'must echo an l4Book subscription');
      return { kind: 'acknowledged', method: message.data.method, coin: message.data.subscription.coin };
    }
    case 'error':
      return { kind: 'error', message: readString(root.data, 'data') };
    default:
      readString(root.channel, 'channel');
      return { kind: 'other' };
  }
}

function readBookData(data: Readonly<Record<string, unknown>>): L4BookMessage {
  if (data.Snapshot !== undefined) {
    const snapshot = readObject(data.Snapshot, 'data.Snapshot');
    const coin = readString(snapshot.coin, 'data.Snapshot.coin');
    return {
      kind: 'snapshot',
      coin,
      height: readWhole(snapshot.height, 'data.Snapshot.height'),
      time: snapshot.time === undefined ? null : readWhole(snapshot.time, 'data.Snapshot.time'),
      levels: readLevels(snapshot.levels, coin, 'data.Snapshot.levels'),
    };
  }
  const updates = readObject(data.Updates, 'data.Updates');
  const height = readWhole(updates.height, 'data.Updates.height');
  const time = readWhole(updates.time, 'data.Updates.time');
  const diffs = readArray(updates.book_diffs, 'data.Updates.book_diffs');
  const statuses = readStatuses(updates.order_statuses, 'data.Updates.order_statuses');
  const firstDiff = diffs[0];
  const coin =
    firstDiff === undefined
      ? statuses[0]?.order.coin
      : readString(readObject(firstDiff, 'data.Updates.book_diffs[0]').coin, 'data.Updates.book_diffs[0].coin');
  if (coin === undefined) return { kind: 'empty', height, time };
  const changes = diffs.map((diff, index) => readChange(diff, coin, `data.Updates.book_diffs[${index}]`));
  const stranger = statuses.findIndex((status) => status.order.coin !== coin);
  if (stranger >= 0)
    throw new WireFormatError(`data.Updates.order_statuses[${stranger}].order.coin`, `must be ${coin}`);
  return { kind: 'block', coin, height, time, changes, statuses };
}
