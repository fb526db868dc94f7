import {
  type BookStatus,
  bookStatus,
  type CoinBatch,
  decodeUpdates,
  isObject,
  L4_BOOK_STATUS,
  L4_BOOK_UPDATES,
  parsedJson,
  readAs,
  WireFormatError,
} from '@l4desk/protocol';
import type { RawObject } from '../blocks/upstream-block.ts';
import { notJson } from './upstream-connection.ts';

/** The changes of one block to one coin, with its diffs as received. */
export interface HostedEntry {
  readonly batch: CoinBatch;
  readonly diffs: readonly RawObject[];
}

/** A decoded message of a hosted service, or why it cannot be used. */
export type HostedMessage =
  | {
      readonly kind: 'batch';
      readonly epoch: string;
      readonly height: number;
      readonly entries: readonly HostedEntry[];
    }
  | { readonly kind: 'acknowledged'; readonly method: 'subscribe' | 'unsubscribe'; readonly subscription: unknown }
  | { readonly kind: 'bookStatus'; readonly status: BookStatus }
  | { readonly kind: 'error'; readonly message: string }
  /** A message that is not needed: the specification leaves open what else a service sends. */
  | { readonly kind: 'other' }
  /** `coins` are those that the message names, which can no longer be trusted. If it names none, no coin can. */
  | { readonly kind: 'malformed'; readonly coins: readonly string[]; readonly problem: string };

/** Reads one message of the `l4BookUpdates` dialect (§4.7); `malformed` if it is invalid (UP-15). */
export function readHostedMessage(text: string): HostedMessage {
  const value = parsedJson(text);
  if (value === undefined) return notJson(text);
  if (!isObject(value)) return { kind: 'malformed', coins: [], problem: 'message is not an object' };
  const { channel, data } = value;
  if (channel === L4_BOOK_UPDATES) return readBatch(data);
  if (channel === L4_BOOK_STATUS) return readStatus(data);
  if (channel === 'error' && typeof data === 'string') return { kind: 'error', message: data };
  if (channel === 'subscriptionResponse' && isObject(data)) {
    const { method, subscription } = data;
    if (method === 'subscribe' || method === 'unsubscribe') return { kind: 'acknowledged', method, subscription };
  }
  return { kind: 'other' };
}

function readBatch(data: unknown): HostedMessage {
  const updates = isObject(data) ? data.Updates : undefined;
  const raws = objectsOf(updates, 'book_diffs');
  try {
    const { epoch, height, coins } = decodeUpdates(updates);
    const entries = coins.map((batch, index) => ({ batch, diffs: objectsOf(raws[index], 'book_diffs') }));
    return { kind: 'batch', epoch, height, entries };
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    const coins = raws.map(({ coin }) => coin).filter((coin) => typeof coin === 'string');
    return { kind: 'malformed', coins, problem: error.message };
  }
}

function readStatus(data: unknown): HostedMessage {
  try {
    return { kind: 'bookStatus', status: readAs(bookStatus, data, 'data') };
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    const coin = isObject(data) ? data.coin : undefined;
    return { kind: 'malformed', coins: typeof coin === 'string' ? [coin] : [], problem: error.message };
  }
}

/** The objects of a list, as received; the decoder checks that it contains nothing else. */
function objectsOf(holder: unknown, name: string): readonly RawObject[] {
  const list = isObject(holder) ? holder[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
