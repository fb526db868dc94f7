import type { PublishedBlock, PublishedEntry } from '../upstream/l4/api.ts';

/** A text frame from server to client, in one piece: FIN, text, unmasked (RFC 6455 §5.2). */
const TEXT = 0x81;
/** RSV1 of permessage-deflate: the payload is compressed (RFC 7692 §6). */
const COMPRESSED = 0x40;

const COMMA = 0x2c;
const SUFFIX = Buffer.from(']}}}');

/** Most bytes of one stored DEFLATE block. */
const STORED_MAX = 0xffff;
const STORED_HEADER_BYTES = 5;

/** An entry below this size goes into a compressed frame as it is; a larger one without a compressed form keeps the frame plain. */
const STORED_ENTRY_MAX = 1_024;

/** One entry of a batch with the form of statuses it is to have. */
export interface FrameEntry {
  readonly entry: PublishedEntry;
  readonly statuses: 'all' | 'book';
}

/** The text of a batch before its entries (§2.7). */
function batchPrefix({ time, height, epoch }: PublishedBlock): Buffer {
  return Buffer.from(
    `{"channel":"l4BookUpdates","data":{"Updates":{"time":${time},"block_height":${height},` +
      `"epoch":"${epoch}","cursor":"${height}:${time}","book_diffs":[`,
    'latin1',
  );
}

function headerBytes(payload: number): number {
  return payload < 126 ? 2 : payload <= 0xffff ? 4 : 10;
}

/** A buffer with the frame's header written and room for the payload. */
function openFrame(first: number, payload: number): { readonly frame: Buffer; readonly at: number } {
  const at = headerBytes(payload);
  const frame = Buffer.allocUnsafe(at + payload);
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

/** The whole WebSocket frame of a batch, header included, ready to be written to any number of sockets. */
export function plainFrame(block: PublishedBlock, entries: readonly FrameEntry[]): Buffer {
  const prefix = batchPrefix(block);
  let payload = prefix.length + SUFFIX.length + entries.length - 1;
  for (const { entry, statuses } of entries) payload += entry[statuses].plain.length;
  const { frame, at: start } = openFrame(TEXT, payload);
  let at = start + prefix.copy(frame, start);
  for (const { entry, statuses } of entries) {
    if (at > start + prefix.length) frame[at++] = COMMA;
    const { plain } = entry[statuses];
    frame.set(plain, at);
    at += plain.length;
  }
  SUFFIX.copy(frame, at);
  return frame;
}

/**
 * The same frame for peers that negotiated permessage-deflate without context takeover: one compressed form serves them
 * all. Every entry was compressed once, by itself; pieces that refer to nothing before them may be put one behind the
 * other, with the few bytes between them as stored blocks. Null when it would not be smaller or an entry is not compressed.
 */
export function deflatedFrame(block: PublishedBlock, entries: readonly FrameEntry[]): Buffer | null {
  const prefix = batchPrefix(block);
  const comma = Buffer.of(COMMA);
  const pieces: { readonly bytes: Uint8Array; readonly stored: boolean }[] = [{ bytes: prefix, stored: true }];
  let plainPayload = prefix.length + SUFFIX.length + entries.length - 1;
  for (const { entry, statuses } of entries) {
    const { plain, deflated } = entry[statuses];
    plainPayload += plain.length;
    if (pieces.length > 1) pieces.push({ bytes: comma, stored: true });
    if (deflated !== null) pieces.push({ bytes: deflated, stored: false });
    else if (plain.length < STORED_ENTRY_MAX) pieces.push({ bytes: plain, stored: true });
    else return null;
  }
  pieces.push({ bytes: SUFFIX, stored: true });
  // The empty block at the end of a message travels without its last four bytes (RFC 7692 §7.2.1): one zero remains.
  let payload = 1;
  for (const { bytes, stored } of pieces) payload += bytes.length + (stored ? STORED_HEADER_BYTES : 0);
  if (payload >= plainPayload) return null;
  const { frame, at: start } = openFrame(TEXT | COMPRESSED, payload);
  let at = start;
  for (const { bytes, stored } of pieces) {
    if (stored) at = openStored(frame, at, bytes.length);
    frame.set(bytes, at);
    at += bytes.length;
  }
  frame[at] = 0;
  return frame;
}

/** Writes the header of a stored block (RFC 1951 §3.2.4) that is not the last one. */
function openStored(frame: Buffer, at: number, length: number): number {
  frame[at] = 0;
  frame.writeUInt16LE(length, at + 1);
  frame.writeUInt16LE(length ^ STORED_MAX, at + 3);
  return at + STORED_HEADER_BYTES;
}
