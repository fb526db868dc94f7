import { FILE_MAGIC, FRAME_KIND, packFrame, packTrailer, type RawFrame, readFrameHead } from './frame.ts';
import { type FrameEntry, writeIndex } from './frame-index.ts';

/** Compresses to raw DEFLATE: `CompressionStream('deflate-raw')` in a browser. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Packs a whole recording in memory, with its index. Returns the consecutive pieces of its file. */
export async function packRecording(frames: readonly RawFrame[], deflate: Deflate): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [FILE_MAGIC];
  const entries: FrameEntry[] = [];
  let offset = FILE_MAGIC.length;
  const add = async (frame: RawFrame) => {
    const packed = packFrame(frame, entries.length, await deflate(frame.bytes));
    const head = readFrameHead(packed);
    if (head === undefined) throw new Error('a frame was packed wrongly');
    entries.push({ ...head, offset });
    pieces.push(packed);
    offset += packed.length;
  };
  for (const frame of frames) await add(frame);
  const index = offset;
  const [from, to] = [entries[0]?.from ?? 0, entries.at(-1)?.to ?? 0];
  await add({ kind: FRAME_KIND.index, from, to, bytes: writeIndex(entries) });
  pieces.push(packTrailer(index));
  return pieces;
}
