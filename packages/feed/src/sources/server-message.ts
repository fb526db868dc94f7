import { isObject, parsedJson, WireFormatError } from '@l4desk/protocol';
import { decodeL4BookMessage, type L4BookMessage, readL4BookBlockText } from '@l4desk/protocol/upstream';
import type { RawObject, UpstreamBlock } from '../blocks/upstream-block.ts';
import { notJson } from './upstream-connection.ts';

/** A decoded message of the order-level server, or why it cannot be used. */
type ServerMessage =
  | Exclude<L4BookMessage, { kind: 'block' }>
  | { readonly kind: 'block'; readonly block: UpstreamBlock }
  /** `coins` are those that the message names, which can no longer be trusted. If it names none, no coin can. */
  | { readonly kind: 'malformed'; readonly coins: readonly string[]; readonly problem: string };

/** Reads one message of the `l4Book` dialect; `malformed` if it is invalid (UP-15). */
export function readServerMessage(text: string, readsAll: (coin: string) => boolean): ServerMessage {
  const block = readL4BookBlockText(text, readsAll);
  if (block !== null) return { kind: 'block', block };
  const value = parsedJson(text);
  if (value === undefined) return notJson(text);
  try {
    const message = decodeL4BookMessage(value);
    if (message.kind !== 'block') return message;
    const { coin, height, time, changes, statuses } = message;
    const diffs = rawDiffs(value);
    return { kind: 'block', block: { coin, height, time, changes, diffs, statuses, statusesText: null } };
  } catch (error) {
    if (error instanceof WireFormatError)
      return { kind: 'malformed', coins: coinsNamed(value), problem: error.message };
    throw error;
  }
}

/** The wire form of a block's diffs, in order; the decoder has already validated them. */
function rawDiffs(message: unknown): readonly RawObject[] {
  return listAt(message, 'data', 'Updates', 'book_diffs').filter(isObject);
}

/** All coins that a message names, wherever a coin may occur. */
function coinsNamed(message: unknown): readonly string[] {
  const named = [
    at(message, 'data', 'Snapshot', 'coin'),
    at(message, 'data', 'subscription', 'coin'),
    ...listAt(message, 'data', 'Updates', 'book_diffs').map((diff) => at(diff, 'coin')),
    ...listAt(message, 'data', 'Updates', 'order_statuses').map((status) => at(status, 'order', 'coin')),
  ];
  return [...new Set(named.filter((coin) => typeof coin === 'string'))];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) inner = isObject(inner) ? inner[name] : undefined;
  return inner;
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = at(value, ...path);
  return Array.isArray(list) ? list : [];
}
