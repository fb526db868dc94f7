import { crc32 } from './crc32.ts';

/** The first bytes of a recording. The last of them is the version of the format. */
export const FILE_MAGIC: Uint8Array = Uint8Array.of(0x4c, 0x34, 0x52, 0x45, 0x43, 0x0d, 0x0a, 1);

/** What a frame holds. Readers skip unknown kinds. */
export const FRAME_KIND = { header: 1, keyframe: 2, blocks: 3, gap: 4, index: 5 } as const;

/** How the content of a frame is stored. */
const CODEC = { stored: 0, deflate: 1 } as const;

export const FRAME_HEADER_BYTES = 40;

/** `L4F1`. Readers search for it to find the next frame after damaged bytes. */
const FRAME_MAGIC = 0x3146344c;

/** Bytes after the index, the last ones of a recording that was ended properly. */
export const TRAILER_BYTES = 16;

/** `L4RX` */
const TRAILER_MAGIC = 0x5852344c;

/** Content larger than this is treated as damage. A keyframe of a million orders is smaller. */
const CONTENT_BYTES_MAX = 1 << 30;

/** A frame before compression: its kind, the heights it covers and its content. */
export interface RawFrame {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** The head of a frame as stored in the file. */
export interface FrameHead {
  readonly kind: number;
  /** Position of the frame in the file, modulo 65,536. A missing frame shows as a jump. */
  readonly number: number;
  readonly isDeflated: boolean;
  /** Bytes of the content as stored, and after inflating. */
  readonly storedLength: number;
  readonly rawLength: number;
  readonly from: number;
  readonly to: number;
  /** CRC-32 of the stored bytes. */
  readonly crc: number;
}

/** Number of distinct frame numbers: a frame number takes two bytes. */
export const FRAME_NUMBERS = 65_536;

/**
 * Returns the `number`-th frame as appended to the file. `deflated` is its compressed content, which is used if it is smaller.
 */
export function packFrame(frame: RawFrame, number: number, deflated: Uint8Array | undefined): Uint8Array {
  const isDeflated = deflated !== undefined && deflated.length < frame.bytes.length;
  const content = isDeflated ? deflated : frame.bytes;
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FRAME_MAGIC, true);
  view.setUint8(4, frame.kind);
  view.setUint8(5, isDeflated ? CODEC.deflate : CODEC.stored);
  view.setUint16(6, number % FRAME_NUMBERS, true);
  view.setUint32(8, content.length, true);
  view.setUint32(12, frame.bytes.length, true);
  view.setBigUint64(16, BigInt(frame.from), true);
  view.setBigUint64(24, BigInt(frame.to), true);
  view.setUint32(32, crc32(content), true);
  view.setUint32(36, crc32(bytes.subarray(0, 36)), true);
  bytes.set(content, FRAME_HEADER_BYTES);
  return bytes;
}

/** Returns the head of a frame, or undefined if there is none or it is damaged. */
export function readFrameHead(bytes: Uint8Array): FrameHead | undefined {
  if (bytes.length < FRAME_HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, FRAME_HEADER_BYTES);
  if (view.getUint32(0, true) !== FRAME_MAGIC) return undefined;
  if (view.getUint32(36, true) !== crc32(bytes.subarray(0, 36))) return undefined;
  const codec = view.getUint8(5);
  const head: FrameHead = {
    kind: view.getUint8(4),
    number: view.getUint16(6, true),
    isDeflated: codec === CODEC.deflate,
    storedLength: view.getUint32(8, true),
    rawLength: view.getUint32(12, true),
    from: Number(view.getBigUint64(16, true)),
    to: Number(view.getBigUint64(24, true)),
    crc: view.getUint32(32, true),
  };
  return Math.max(head.storedLength, head.rawLength) > CONTENT_BYTES_MAX ? undefined : head;
}

/** Returns the first offset in `bytes` where a frame head may begin, or -1. */
export function findFrame(bytes: Uint8Array): number {
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    if (bytes[at] !== 0x4c || bytes[at + 1] !== 0x34 || bytes[at + 2] !== 0x46 || bytes[at + 3] !== 0x31) continue;
    return at;
  }
  return -1;
}

/** Returns the last bytes of a recording, which hold the offset of its index. */
export function packTrailer(indexOffset: number): Uint8Array {
  const bytes = new Uint8Array(TRAILER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(indexOffset), true);
  view.setUint32(8, crc32(bytes.subarray(0, 8)), true);
  view.setUint32(12, TRAILER_MAGIC, true);
  return bytes;
}

/** Returns the offset of the index, or undefined if these are not the last bytes of a properly ended recording. */
export function readTrailer(bytes: Uint8Array): number | undefined {
  if (bytes.length !== TRAILER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_BYTES);
  if (view.getUint32(12, true) !== TRAILER_MAGIC || view.getUint32(8, true) !== crc32(bytes.subarray(0, 8))) {
    return undefined;
  }
  return Number(view.getBigUint64(0, true));
}
