import {
  type CoinTrades,
  type EntryText,
  type FeedHealth,
  type PackedBlock,
  type PublishedBlock,
  packBlock,
  unpackBlock,
} from '@l4desk/feed/core';
import { bookLossReason, bookState, decimalString, readAs, readJson, WireFormatError, z } from '@l4desk/protocol';

const whole = z.int().nonnegative();

const span = z.tuple([whole, whole]);

const packedText = z.object({ plain: span, deflated: span.nullable() });

const blockHead = z.object({
  epoch: z.string(),
  height: whole,
  time: whole,
  receivedAt: z.number(),
  entries: z.array(
    z.object({
      coin: z.string(),
      seq: whole,
      prevSeq: whole,
      checksum: z.string().optional(),
      executed: z.string().optional(),
      all: packedText.nullable(),
      book: packedText,
    }),
  ),
});

/** State of one of the leader's books, and its generation: it increases in the term with each loss of the coin's book. */
const leaderStatus = z.object({
  state: bookState,
  // A leader of a later version may know more reasons.
  reason: bookLossReason.nullable().catch('disconnected'),
  generation: whole,
});

const trades = z.object({
  coin: z.string(),
  height: whole,
  time: whole,
  trades: z.array(
    z.object({
      coin: z.string(),
      side: z.enum(['B', 'A']),
      px: decimalString,
      sz: decimalString,
      hash: z.string(),
      time: whole,
      tid: whole,
      users: z.tuple([z.string(), z.string()]),
    }),
  ),
  missing: z.string().exactOptional(),
});

const leaderHealth = z.object({
  upstreamConnected: z.boolean(),
  upstreamProblem: z.string().nullable(),
  upstreamAgeMs: z.number().nullable(),
  epoch: z.string(),
  executions: z.enum(['exact', 'inferred']),
  executionsProblem: z.string().nullable().default(null),
  warnings: z.array(z.string()).default([]),
});

const messageHead = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('term') }),
  z.object({ kind: z.literal('block'), block: blockHead }),
  z.object({ kind: z.literal('status'), coin: z.string(), status: leaderStatus }),
  z.object({ kind: z.literal('trades'), trades }),
  z.object({
    kind: z.literal('health'),
    health: leaderHealth,
    statuses: z.record(z.string(), leaderStatus),
    allCarried: z.array(z.string()),
  }),
]);

export type LeaderStatus = Readonly<z.output<typeof leaderStatus>>;

/** The health of the sequencer's feed, as far as gateways use it. */
export type LeaderHealth = Pick<
  FeedHealth,
  'upstreamConnected' | 'upstreamProblem' | 'upstreamAgeMs' | 'epoch' | 'executions' | 'executionsProblem' | 'warnings'
>;

/** The messages of the leading sequencer to all gateways, in one order. */
export type ClusterMessage =
  /** A new term begins: nothing continues from before. */
  | { readonly kind: 'term' }
  | { readonly kind: 'block'; readonly block: PublishedBlock }
  | { readonly kind: 'status'; readonly coin: string; readonly status: LeaderStatus }
  | { readonly kind: 'trades'; readonly trades: CoinTrades }
  /** Sent every second, so that silence is detected. `allCarried`: coins whose blocks carry all statuses. */
  | {
      readonly kind: 'health';
      readonly health: LeaderHealth;
      readonly statuses: Readonly<Record<string, LeaderStatus>>;
      readonly allCarried: readonly string[];
    };

/** The JSON part of a message; the texts of a block follow as bytes. */
type MessageHead =
  | Exclude<ClusterMessage, { kind: 'block' }>
  | { readonly kind: 'block'; readonly block: Omit<PackedBlock, 'bytes'> };

/** Identifies a stored message: its term, its number in the term (from 0), and its part. */
interface FrameHead {
  /** UUID of the leader's term. */
  readonly term: string;
  readonly index: number;
  readonly part: number;
  readonly parts: number;
}

/** A stored message. */
export interface Frame extends FrameHead {
  readonly bytes: Uint8Array;
}

const VERSION = 1;
const TERM_AT = 8;
const INDEX_AT = 24;
const HEAD_BYTES = 32;

/** Encodes a frame for storage. */
export function writeFrame({ term, index, part, parts, bytes }: Frame): Uint8Array {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  frame.writeUInt16LE(VERSION, 0);
  frame.writeUInt16LE(part, 2);
  frame.writeUInt16LE(parts, 4);
  frame.writeUInt16LE(0, 6);
  frame.write(term.replaceAll('-', ''), TERM_AT, 'hex');
  frame.writeDoubleLE(index, INDEX_AT);
  frame.set(bytes, HEAD_BYTES);
  return frame;
}

/** Decodes a stored frame. Returns null if it is not a frame or has another version. */
export function readFrame(stored: Uint8Array): Frame | null {
  const frame = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  if (frame.length < HEAD_BYTES || frame.readUInt16LE(0) !== VERSION) return null;
  const hex = frame.toString('hex', TERM_AT, INDEX_AT);
  return {
    term: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    index: frame.readDoubleLE(INDEX_AT),
    part: frame.readUInt16LE(2),
    parts: frame.readUInt16LE(4),
    bytes: frame.subarray(HEAD_BYTES),
  };
}

/** Splits a message into at least one piece, none longer than `bytesMax`. */
export function split(bytes: Uint8Array, bytesMax: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += bytesMax) pieces.push(bytes.subarray(at, at + bytesMax));
  return pieces;
}

/** Joins the pieces of messages. */
export class Joiner {
  #pieces: Uint8Array[] = [];

  /** Adds a piece. Returns the message that it completes; null while pieces are missing. */
  take({ part, parts, bytes }: Pick<Frame, 'part' | 'parts' | 'bytes'>): Uint8Array | null {
    if (part === 0) this.#pieces = [];
    if (part !== this.#pieces.length) return null;
    this.#pieces.push(bytes);
    if (part < parts - 1) return null;
    const whole = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  /** Drops incomplete messages: the next piece does not continue them. */
  reset(): void {
    this.#pieces = [];
  }
}

const HEAD_LENGTH_BYTES = 4;

/** Encodes a message: the length of its JSON, the JSON, and for a block the texts of its entries, each once (L4-30, L4-31). */
export function encodeMessage(message: ClusterMessage): Uint8Array {
  if (message.kind !== 'block') return pieced(message);
  const { bytes, ...block } = packBlock({ ...message.block, entries: message.block.entries.map(uncompressed) });
  return pieced({ kind: 'block', block }, new Uint8Array(bytes));
}

/** Decodes a message of `encodeMessage`; a block's texts are views into its bytes. Throws WireFormatError. */
export function decodeMessage(bytes: Uint8Array): ClusterMessage {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (whole.length < HEAD_LENGTH_BYTES) throw new WireFormatError('message', 'is cut off');
  const textsAt = HEAD_LENGTH_BYTES + whole.readUInt32LE(0);
  const head = readAs(messageHead, readJson(whole.toString('utf8', HEAD_LENGTH_BYTES, textsAt), 'message'), 'message');
  if (head.kind !== 'block') return head;
  const texts = whole.subarray(textsAt);
  const spans = head.block.entries.flatMap(({ all, book }) => (all === null ? [book.plain] : [all.plain, book.plain]));
  if (spans.some(([at, length]) => at + length > texts.length)) throw new WireFormatError('message', 'is cut off');
  return { kind: 'block', block: unpackBlock(head.block, texts) };
}

function pieced(plain: MessageHead, texts?: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(plain));
  const head = Buffer.allocUnsafe(HEAD_LENGTH_BYTES);
  head.writeUInt32LE(json.length, 0);
  return Buffer.concat(texts === undefined ? [head, json] : [head, json, texts]);
}

/** Removes compressed texts: each gateway compresses what its own clients need. */
function uncompressed(entry: PublishedBlock['entries'][number]): PublishedBlock['entries'][number] {
  const book: EntryText = { plain: entry.book.plain, deflated: null };
  const isBoth = entry.all?.plain === entry.book.plain;
  return { ...entry, all: isBoth ? book : entry.all && { plain: entry.all.plain, deflated: null }, book };
}
