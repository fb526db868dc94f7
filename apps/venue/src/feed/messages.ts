import { type DecimalString, type L4Order, parsedJson, z } from '@l4desk/protocol';
import type { CoinBlock } from './source.ts';

/** One coin's part of one block, as it is sent to clients. */
export interface CoinMessage extends CoinBlock {
  readonly coin: string;
  readonly height: number;
  readonly time: number;
  /** Fields that no version of the server sends, added by a fault. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Whether a fault cuts the text off before its end. */
  readonly torn?: boolean;
}

export interface EncodeOptions {
  /** Whether diffs contain their side; the real server omits it. */
  readonly diffSide: boolean;
  /** Whether prices and sizes of a snapshot lose trailing zeros (`81307`, not `81307.0`), as in the real server. */
  readonly trimSnapshot: boolean;
}

const subscription = z.object({ type: z.literal('l4Book'), coin: z.string() });

const clientMessage = z.object({ method: z.enum(['subscribe', 'unsubscribe']), subscription });

export type ClientMessage = z.infer<typeof clientMessage>;

/** Parses a client's text. Returns null if the server does not support it. */
export function readClientMessage(text: string): ClientMessage | null {
  return clientMessage.safeParse(parsedJson(text)).data ?? null;
}

export function encodeUpdates(message: CoinMessage, options: EncodeOptions): Buffer {
  const { time, height, statuses, diffs, extra } = message;
  const text = JSON.stringify({
    channel: 'l4Book',
    data: {
      Updates: {
        time,
        height,
        order_statuses: statuses,
        book_diffs: options.diffSide ? diffs : diffs.map(({ side: _side, ...diff }) => diff),
        ...extra,
      },
    },
  });
  return Buffer.from(message.torn === true ? text.slice(0, Math.floor(text.length / 2)) : text);
}

export interface SnapshotMessage {
  readonly coin: string;
  readonly time: number;
  readonly height: number;
  readonly levels: readonly [readonly L4Order[], readonly L4Order[]];
}

export function encodeSnapshot(snapshot: SnapshotMessage, options: EncodeOptions): Buffer {
  const [bids, asks] = snapshot.levels;
  const levels = options.trimSnapshot ? [bids.map(trimOrder), asks.map(trimOrder)] : [bids, asks];
  return Buffer.from(JSON.stringify({ channel: 'l4Book', data: { Snapshot: { ...snapshot, levels } } }));
}

function trimOrder(order: L4Order): L4Order {
  return { ...order, limitPx: trim(order.limitPx), sz: trim(order.sz) };
}

function trim(text: DecimalString): DecimalString {
  return text.includes('.') ? (text.replace(/\.?0+$/, '') as DecimalString) : text;
}

export function encodeAcknowledgement(message: ClientMessage): Buffer {
  return Buffer.from(JSON.stringify({ channel: 'subscriptionResponse', data: message }));
}

export function encodeError(sentence: string): Buffer {
  return Buffer.from(JSON.stringify({ channel: 'error', data: sentence }));
}
