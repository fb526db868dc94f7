import type { CoinTrades, EntryText, FeedHealth, PublishedBlock } from '../api.ts';
import type { CoinStatus } from '../book-statuses.ts';
import { type PackedBlock, packBlock, unpackBlock } from '../thread/port.ts';

/** What the leading sequencer says to all gateways, in this order (CL-2). */
export type ClusterMessage =
  /** A new term begins: nothing continues what was before. */
  | { readonly kind: 'term' }
  | { readonly kind: 'block'; readonly block: PublishedBlock }
  | { readonly kind: 'status'; readonly coin: string; readonly status: LeaderStatus }
  | { readonly kind: 'trades'; readonly trades: CoinTrades }
  /** How the sequencer's feed is; said every second, so that silence is noticed. */
  | {
      readonly kind: 'health';
      readonly health: FeedHealth;
      readonly statuses: Readonly<Record<string, LeaderStatus>>;
      /** Coins whose blocks carry all statuses. */
      readonly allCarried: readonly string[];
    };

/** The state of a book of the leader, and its number among the books of its coin in the term: one that was lost and rebuilt is another. */
export interface LeaderStatus {
  readonly state: CoinStatus['state'];
  readonly reason: CoinStatus['reason'];
  readonly generation: number;
}

/**
 * Where a stored message belongs: the term of the leader that wrote it, its number in the term, from 0 without a hole, and
 * which part of a message it is. A message that is larger than the server takes is several of them.
 */
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

/** Lays a frame out as it is stored. */
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

/** Reads a stored frame; null where it is none, or one of another version. */
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

/** The pieces of a message, none longer than `bytesMax`; at least one. */
export function split(bytes: Uint8Array, bytesMax: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += bytesMax) pieces.push(bytes.subarray(at, at + bytesMax));
  return pieces;
}

/** Puts the pieces of messages together again. */
export class Joiner {
  #pieces: Uint8Array[] = [];

  /** The message that this piece completes; null while more pieces are missing. */
  take({ part, parts, bytes }: Pick<Frame, 'part' | 'parts' | 'bytes'>): Uint8Array | null {
    if (part === 0) this.#pieces = [];
    if (part !== this.#pieces.length) return null;
    this.#pieces.push(bytes);
    if (part < parts - 1) return null;
    const whole = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  /** What comes next does not continue what was taken. */
  reset(): void {
    this.#pieces = [];
  }
}

const HEAD_LENGTH_BYTES = 4;

/** The part of a message that is JSON; the texts of a block follow as bytes. */
type Plain = Exclude<ClusterMessage, { kind: 'block' }> | { readonly kind: 'block'; readonly block: BlockHead };
type BlockHead = Omit<PackedBlock, 'bytes'>;

/** A message as bytes: the length of its JSON, that JSON, and of a block the texts of its entries, each once (L4-30, L4-31). */
export function encodeMessage(message: ClusterMessage): Uint8Array {
  if (message.kind !== 'block') return pieced(message);
  const { bytes, ...block } = packBlock({ ...message.block, entries: message.block.entries.map(uncompressed) });
  return pieced({ kind: 'block', block }, new Uint8Array(bytes));
}

/** Reads a message that `encodeMessage` made; a block's texts are windows into its bytes. */
export function decodeMessage(bytes: Uint8Array): ClusterMessage {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const textsAt = HEAD_LENGTH_BYTES + whole.readUInt32LE(0);
  const plain = JSON.parse(whole.toString('utf8', HEAD_LENGTH_BYTES, textsAt)) as Plain;
  if (plain.kind !== 'block') return plain;
  return { kind: 'block', block: unpackBlock(plain.block, whole.subarray(textsAt)) };
}

function pieced(plain: Plain, texts?: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(plain));
  const head = Buffer.allocUnsafe(HEAD_LENGTH_BYTES);
  head.writeUInt32LE(json.length, 0);
  return Buffer.concat(texts === undefined ? [head, json] : [head, json, texts]);
}

/** Each gateway compresses what its own clients take compressed. */
function uncompressed(entry: PublishedBlock['entries'][number]): PublishedBlock['entries'][number] {
  const book: EntryText = { plain: entry.book.plain, deflated: null };
  const isBoth = entry.all?.plain === entry.book.plain;
  return { ...entry, all: isBoth ? book : entry.all && { plain: entry.all.plain, deflated: null }, book };
}
