import { decodeUpdates, L4_BOOK_UPDATES, WireFormatError } from '@l4desk/protocol';
import { rawStatuses } from './raw-statuses.ts';
import type { RawObject, UpstreamBlock } from './upstream-block.ts';

/** What one block did to one coin, with the place that a hosted service gave it in the coin's sequence. */
export interface ServiceEntry {
  readonly epoch: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly block: UpstreamBlock;
}

/** What a message of a hosted service says, or why it cannot be used. */
export type ServiceMessage =
  | {
      readonly kind: 'batch';
      readonly epoch: string;
      readonly height: number;
      readonly entries: readonly ServiceEntry[];
    }
  | { readonly kind: 'acknowledged'; readonly method: unknown; readonly coin: unknown }
  | { readonly kind: 'error'; readonly message: string }
  /** Something this dialect does not need: the specification leaves open what else a service says. */
  | { readonly kind: 'other' }
  /** `coins` are those the batch names: they can no longer be trusted. None named: nothing can. */
  | { readonly kind: 'malformed'; readonly coins: readonly string[]; readonly problem: string };

/** Reads one message of the `l4BookUpdates` dialect (§4.7). A bad one is an outcome of its own (UP-15). */
export function readServiceMessage(text: string): ServiceMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed', coins: [], problem: 'message is not JSON' };
  }
  if (!isObject(value)) return { kind: 'malformed', coins: [], problem: 'message is no object' };
  const { channel, data } = value;
  if (channel === L4_BOOK_UPDATES) return readBatch(data, text);
  if (channel === 'error' && typeof data === 'string') return { kind: 'error', message: data };
  if (channel === 'subscriptionResponse' && isObject(data)) {
    const coin = isObject(data.subscription) ? data.subscription.coin : undefined;
    return { kind: 'acknowledged', method: data.method, coin };
  }
  return { kind: 'other' };
}

function readBatch(data: unknown, text: string): ServiceMessage {
  const updates = isObject(data) ? data.Updates : undefined;
  const raws = objectsOf(updates, 'book_diffs');
  try {
    const { epoch, height, time, coins } = decodeUpdates(updates);
    const texts = rawStatuses(
      text,
      coins.map(({ statuses }, index) => ({ raw: raws[index] ?? {}, statuses })),
    );
    const entries = coins.map(({ coin, seq, prevSeq, changes, statuses }, index): ServiceEntry => {
      const diffs = objectsOf(raws[index], 'book_diffs');
      const statusesText = texts[index] ?? null;
      return { epoch, seq, prevSeq, block: { coin, height, time, changes, diffs, statuses, statusesText } };
    });
    return { kind: 'batch', epoch, height, entries };
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    const coins = raws.map(({ coin }) => coin).filter((coin) => typeof coin === 'string');
    return { kind: 'malformed', coins, problem: error.message };
  }
}

/** The objects of a list, as they came; the decoder checks that there is nothing else in it. */
function objectsOf(holder: unknown, name: string): readonly RawObject[] {
  const list = isObject(holder) ? holder[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
