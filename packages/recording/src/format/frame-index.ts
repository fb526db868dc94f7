import { ByteReader, ByteWriter } from './bytes.ts';
import { FRAME_NUMBERS, type FrameHead } from './frame.ts';

/** The head of a frame and its offset in the file. */
export interface FrameEntry extends FrameHead {
  readonly offset: number;
}

/** Returns the content of the index: the offset and head of every frame before it. */
export function writeIndex(entries: readonly FrameEntry[]): Uint8Array {
  const out = new ByteWriter();
  out.varint(entries.length);
  let [offset, height] = [0, 0];
  for (const entry of entries) {
    out.byte(entry.kind);
    out.byte(entry.isDeflated ? 1 : 0);
    out.varint(entry.offset - offset);
    out.varint(entry.storedLength);
    out.varint(entry.rawLength);
    out.signed(entry.from - height);
    out.signed(entry.to - entry.from);
    out.varint(entry.crc);
    offset = entry.offset;
    height = entry.to;
  }
  return out.written.slice();
}

/** Reads what `writeIndex` wrote. Throws RecordingError `damaged`. */
export function readIndex(bytes: Uint8Array): readonly FrameEntry[] {
  const reader = new ByteReader(bytes);
  const count = reader.varint();
  const entries: FrameEntry[] = [];
  let [offset, height] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const kind = reader.byte();
    const isDeflated = reader.byte() === 1;
    offset += reader.varint();
    const storedLength = reader.varint();
    const rawLength = reader.varint();
    const from = height + reader.signed();
    const to = from + reader.signed();
    const crc = reader.varint();
    height = to;
    entries.push({ kind, number: index % FRAME_NUMBERS, isDeflated, storedLength, rawLength, from, to, crc, offset });
  }
  return entries;
}
