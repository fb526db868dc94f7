import type { EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { StatusesMode } from '@l4desk/protocol';

/** First byte of an unfragmented text frame from server to client: FIN, text (RFC 6455 §5.2). */
const TEXT = 0x81;
/** RSV1 of permessage-deflate: the payload is compressed (RFC 7692 §6). */
const COMPRESSED = 0x40;

const COMMA = Buffer.from(',');
const SUFFIX = Buffer.from(']}}}');
const ENTRY_END = Buffer.from('}');

const STORED_MAX = 0xffff;
const STORED_HEADER_BYTES = 5;

/** Uncompressed entries below this size go into a compressed frame as stored blocks. A larger one makes the whole frame plain. */
const STORED_ENTRY_MAX = 1_024;

/** An entry of a block in one form, packed: eight times the entry's index in the block, plus the form. */
export type Pick = number;

/** The form of an entry: the sum of what distinguishes it from one with all statuses and nothing else. */
export type EntryForm = number;

const BOOK = 1;
const CHECKSUM = 2;
const EXECUTED = 4;
const FORMS = 8;

export function entryForm({
  statuses,
  checksum,
  executions,
}: {
  readonly statuses: StatusesMode;
  readonly checksum: boolean;
  readonly executions: boolean;
}): EntryForm {
  return (statuses === 'book' ? BOOK : 0) + (checksum ? CHECKSUM : 0) + (executions ? EXECUTED : 0);
}

/** Whether the form contains every status of the coin, and not only those of orders in the diffs. */
export function hasAllStatuses(form: EntryForm): boolean {
  return (form & BOOK) === 0;
}

export function pickOf(index: number, form: EntryForm): Pick {
  return index * FORMS + form;
}

type Allocate = (size: number) => Buffer;

const allocateFresh: Allocate = (size) => Buffer.allocUnsafe(size);

/** Creates WebSocket frames of one block's entries, including the header, that can be written to any number of sockets. */
export class BlockFrames {
  readonly #prefix: Buffer;
  readonly #block: PublishedBlock;

  constructor(block: PublishedBlock) {
    const { time, height, epoch } = block;
    this.#block = block;
    this.#prefix = Buffer.from(
      `{"channel":"l4BookUpdates","data":{"Updates":{"time":${time},"block_height":${height},` +
        `"epoch":"${epoch}","cursor":"${height}:${time}","book_diffs":[`,
      'latin1',
    );
  }

  /** Returns the batch (§2.7) of these entries as an uncompressed frame. */
  plain(picks: readonly Pick[], allocate = allocateFresh): Buffer {
    const { frame, at: start } = openFrame(TEXT, this.#plainBytes(picks), allocate);
    frame.set(this.#prefix, start);
    let at = start + this.#prefix.length;
    for (let index = 0; index < picks.length; index += 1) {
      if (index > 0) {
        frame.set(COMMA, at);
        at += COMMA.length;
      }
      const { plain, end } = this.#text(picks[index]);
      // Copies the whole entry and overwrites its last byte: creating a view without it costs more than copying a small entry.
      frame.set(plain, at);
      at += plain.length - 1;
      if (end !== ENTRY_END) frame.set(end, at);
      at += end.length;
    }
    frame.set(SUFFIX, at);
    return frame;
  }

  /**
   * Returns the same batch as one compressed form for all peers without context takeover: the pieces, each compressed
   * on its own, are concatenated with stored blocks between them. Null if that is not smaller, or if a large entry is
   * not compressed.
   */
  deflated(picks: readonly Pick[], allocate = allocateFresh): Buffer | null {
    const pieces: Piece[] = [{ bytes: this.#prefix, stored: true }];
    for (const pick of picks) {
      const { plain, deflated, end } = this.#text(pick);
      if (pieces.length > 1) pieces.push({ bytes: COMMA, stored: true });
      if (deflated !== null) pieces.push({ bytes: deflated, stored: false });
      else if (plain.length < STORED_ENTRY_MAX) pieces.push({ bytes: plain.subarray(0, -1), stored: true });
      else return null;
      pieces.push({ bytes: end, stored: true });
    }
    pieces.push({ bytes: SUFFIX, stored: true });
    // The empty block at the end of a message is sent without its last four bytes (RFC 7692 §7.2.1), which leaves one zero.
    let payload = 1;
    for (const { bytes, stored } of pieces) payload += bytes.length + (stored ? STORED_HEADER_BYTES : 0);
    if (payload >= this.#plainBytes(picks)) return null;
    const { frame, at: start } = openFrame(TEXT | COMPRESSED, payload, allocate);
    let at = start;
    for (const { bytes, stored } of pieces) {
      if (stored) at = openStored(frame, at, bytes.length);
      frame.set(bytes, at);
      at += bytes.length;
    }
    frame[at] = 0;
    return frame;
  }

  #plainBytes(picks: readonly Pick[]): number {
    let bytes = this.#prefix.length + SUFFIX.length + picks.length - 1;
    for (const pick of picks) {
      const { plain, end } = this.#text(pick);
      bytes += plain.length - 1 + end.length;
    }
    return bytes;
  }

  /** The text of an entry, and the bytes that replace its closing brace. */
  #text(pick: Pick | undefined): EntryText & { readonly end: Buffer } {
    const entry = pick === undefined ? undefined : this.#block.entries[Math.floor(pick / FORMS)];
    if (pick === undefined || entry === undefined) throw new RangeError('the block has no such entry');
    const text = hasAllStatuses(pick) ? entry.all : entry.book;
    if (text === null) throw new RangeError('the entry was made without all its statuses');
    const { plain, deflated } = text;
    return { plain, deflated, end: endOf(entry, pick) };
  }
}

/** Returns a batch of all entries of a block, compressed if the receiver supports it and it is smaller. */
export function batchFrame(block: PublishedBlock, form: EntryForm, deflate: boolean): Buffer {
  const frames = new BlockFrames(block);
  const picks = block.entries.map((_, index) => pickOf(index, form));
  return (deflate ? frames.deflated(picks) : null) ?? frames.plain(picks);
}

function endOf({ checksum, executed }: PublishedEntry, pick: Pick): Buffer {
  const proof = (pick & CHECKSUM) === 0 || checksum === undefined ? '' : `,"checksum":"${checksum}"`;
  const known = (pick & EXECUTED) === 0 || executed === undefined ? '' : `,"executed":${executed}`;
  return proof === '' && known === '' ? ENTRY_END : Buffer.from(`${proof}${known}}`, 'latin1');
}

export function textFrame(text: string): Buffer {
  return bytesFrame([Buffer.from(text)]);
}

/** Returns a message, whose text consists of these parts, as a text frame. */
export function bytesFrame(parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const { frame, at: start } = openFrame(TEXT, size, allocateFresh);
  let at = start;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly stored: boolean;
}

/** Allocates a frame and writes its header. `at` is the offset of the payload. */
function openFrame(
  first: number,
  payload: number,
  allocate: Allocate,
): { readonly frame: Buffer; readonly at: number } {
  const at = payload < 126 ? 2 : payload <= 0xffff ? 4 : 10;
  const frame = allocate(at + payload);
  frame[0] = first;
  if (at === 2) {
    frame[1] = payload;
  } else if (at === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(payload, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(payload), 2);
  }
  return { frame, at };
}

/** Writes the header of a non-final stored block (RFC 1951 §3.2.4). Returns the offset after it. */
function openStored(frame: Buffer, at: number, length: number): number {
  frame[at] = 0;
  frame.writeUInt16LE(length, at + 1);
  frame.writeUInt16LE(length ^ STORED_MAX, at + 3);
  return at + STORED_HEADER_BYTES;
}
