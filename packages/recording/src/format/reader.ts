import { crc32 } from './crc32.ts';
import { readGap, readHeader } from './documents.ts';
import {
  FILE_MAGIC,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  FRAME_NUMBERS,
  findFrame,
  readFrameHead,
  readTrailer,
  TRAILER_BYTES,
} from './frame.ts';
import { type FrameEntry, readIndex } from './frame-index.ts';
import { RecordingError } from './recording-error.ts';
import { SegmentReader } from './segment-reader.ts';
import type { Keyframe, RecordedBlock, RecordingGap, RecordingHeader } from './types.ts';

/** The bytes of a recording: a file, or a `Blob` in a browser. */
export interface RecordingSource {
  readonly size: number;
  /** Returns `length` bytes at `offset`, or fewer at the end. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** Decompresses raw DEFLATE: `inflateRawSync` in Node, `DecompressionStream('deflate-raw')` in a browser. */
export type Inflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** The events of a recording, in the order in which they happened. */
export type RecordingEvent =
  | { readonly kind: 'keyframe'; readonly keyframe: Keyframe }
  | { readonly kind: 'block'; readonly block: RecordedBlock }
  | { readonly kind: 'gap'; readonly gap: RecordingGap };

/** How the file ends: with its index, or cut off. Whole frames take the first `bytes` bytes; the rest belongs to no frame. */
export type RecordingEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cut'; readonly bytes: number; readonly unreadableBytes: number };

/** Bytes searched at once for the next frame after damage. */
const SEARCH_BYTES = 65_536;

/** The parts of an opened recording. */
interface Opened {
  readonly header: RecordingHeader;
  readonly entries: readonly FrameEntry[];
  readonly gaps: readonly RecordingGap[];
  readonly end: RecordingEnd;
}

/**
 * Opens a recording. One without its end is read up to its last whole frame, and `end` reports that. Throws RecordingError
 * `not_a_recording`, or `damaged` if its header is.
 */
export async function openRecording(source: RecordingSource, inflate: Inflate): Promise<RecordingReader> {
  const magic = await source.read(0, FILE_MAGIC.length);
  if (magic.length < FILE_MAGIC.length || FILE_MAGIC.some((byte, at) => at < 7 && byte !== magic[at])) {
    throw new RecordingError('not_a_recording', 'The file is not a .l4rec recording.');
  }
  if (magic[7] !== FILE_MAGIC[7]) {
    throw new RecordingError(
      'not_a_recording',
      `The recording has version ${magic[7]} of the format; only 1 is known.`,
    );
  }
  const { entries, end } = (await indexed(source, inflate)) ?? (await scanned(source));
  const [first] = entries;
  if (first === undefined)
    throw new RecordingError('not_a_recording', 'The recording ends before its header: nothing was recorded.');
  const content = first.kind === FRAME_KIND.header ? await contentOf(source, inflate, first) : undefined;
  if (content === undefined) throw new RecordingError('damaged', 'The header of the recording is damaged.');
  const gaps: RecordingGap[] = [];
  for (const entry of entries) {
    if (entry.kind !== FRAME_KIND.gap) continue;
    const gap = await contentOf(source, inflate, entry);
    if (gap !== undefined) gaps.push(readGap(gap));
  }
  return new RecordingReader(source, inflate, { header: readHeader(content), entries, gaps, end });
}

/** An opened recording: what it covers, and its events. */
export class RecordingReader {
  readonly header: RecordingHeader;
  readonly end: RecordingEnd;
  /** The list of gaps as recorded. Damage found while reading is reported by `events` only. */
  readonly gaps: readonly RecordingGap[];
  readonly #source: RecordingSource;
  readonly #inflate: Inflate;
  readonly #entries: readonly FrameEntry[];

  constructor(source: RecordingSource, inflate: Inflate, { header, entries, gaps, end }: Opened) {
    this.header = header;
    this.end = end;
    this.gaps = gaps;
    this.#source = source;
    this.#inflate = inflate;
    this.#entries = entries;
  }

  /** Heights of the keyframes, ascending. */
  get keyframes(): readonly number[] {
    return this.#entries.filter(({ kind }) => kind === FRAME_KIND.keyframe).map(({ from }) => from);
  }

  /** The first and last height with a known book. Null in a recording without a keyframe. */
  get range(): { readonly from: number; readonly to: number } | null {
    const books = this.#entries.filter(({ kind }) => kind === FRAME_KIND.keyframe || kind === FRAME_KIND.blocks);
    const first = books.find(({ kind }) => kind === FRAME_KIND.keyframe);
    if (first === undefined) return null;
    return { from: first.from, to: books.at(-1)?.to ?? first.to };
  }

  /**
   * The runs of blocks that are stored together, with their bytes before compression: how busy each run was, without reading it.
   */
  get stretches(): readonly { readonly from: number; readonly to: number; readonly bytes: number }[] {
    return this.#entries
      .filter(({ kind }) => kind === FRAME_KIND.blocks)
      .map(({ from, to, rawLength }) => ({ from, to, bytes: rawLength }));
  }

  /**
   * Yields the events of the recording, from its start or from the last keyframe at or below a height. A damaged frame, and
   * everything that cannot be read without it, is a gap with the reason `damaged`.
   */
  async *events(fromHeight?: number): AsyncGenerator<RecordingEvent, void, undefined> {
    const segment = new SegmentReader(this.header.coin);
    let isReadable = false;
    let last: number | undefined;
    let damagedAfter: number | undefined;
    let number: number | undefined;
    for (const entry of this.#entries.slice(this.#startOf(fromHeight))) {
      const isKeyframe = entry.kind === FRAME_KIND.keyframe;
      if (isReadable && number !== undefined && entry.number !== (number + 1) % FRAME_NUMBERS) {
        isReadable = false;
        damagedAfter = last;
      }
      number = entry.number;
      if (!isKeyframe && entry.kind !== FRAME_KIND.blocks) {
        if (entry.kind !== FRAME_KIND.gap) continue;
        const gap = await this.#gap(entry);
        isReadable = false;
        // Damage right before the gap is part of what was not seen.
        // The `from` of a gap is the last block before it.
        if (gap === undefined) damagedAfter ??= last ?? entry.from;
        else if (damagedAfter === undefined) yield { kind: 'gap', gap };
        continue;
      }
      if (!isKeyframe && !isReadable) continue;
      const content = await contentOf(this.#source, this.#inflate, entry);
      if (content === undefined) {
        isReadable = false;
        damagedAfter ??= last ?? entry.from - 1;
        continue;
      }
      if (isKeyframe) {
        const keyframe = segment.keyframe(content);
        if (damagedAfter !== undefined) {
          yield { kind: 'gap', gap: { after: damagedAfter, before: keyframe.height, reason: 'damaged' } };
        }
        damagedAfter = undefined;
        isReadable = true;
        last = keyframe.height;
        yield { kind: 'keyframe', keyframe };
      } else {
        for (const block of segment.blocks(content)) {
          last = block.height;
          yield { kind: 'block', block };
        }
      }
    }
    if (damagedAfter !== undefined)
      yield { kind: 'gap', gap: { after: damagedAfter, before: null, reason: 'damaged' } };
  }

  /** Returns the index of the last keyframe at or below a height, or 0 without a height or such a keyframe. */
  #startOf(height: number | undefined): number {
    if (height === undefined) return 0;
    const found = this.#entries.findLastIndex(({ kind, from }) => kind === FRAME_KIND.keyframe && from <= height);
    return Math.max(found, 0);
  }

  async #gap(entry: FrameEntry): Promise<RecordingGap | undefined> {
    const content = await contentOf(this.#source, this.#inflate, entry);
    return content === undefined ? undefined : readGap(content);
  }
}

/** Returns the content of a frame, or undefined if its bytes were changed or are missing. */
async function contentOf(
  source: RecordingSource,
  inflate: Inflate,
  entry: FrameEntry,
): Promise<Uint8Array | undefined> {
  const frame = await source.read(entry.offset, FRAME_HEADER_BYTES + entry.storedLength);
  // The index repeats the head, so the content could be read without it. Changed bytes are detected all the same.
  if (readFrameHead(frame) === undefined) return undefined;
  const stored = frame.subarray(FRAME_HEADER_BYTES);
  if (stored.length !== entry.storedLength || crc32(stored) !== entry.crc) return undefined;
  const content = entry.isDeflated ? await inflate(stored) : stored;
  return content.length === entry.rawLength ? content : undefined;
}

type Frames = Pick<Opened, 'entries' | 'end'>;

/** Returns the frames listed in the index at the end, or undefined if there is no readable index. */
async function indexed(source: RecordingSource, inflate: Inflate): Promise<Frames | undefined> {
  const offset = readTrailer(await source.read(Math.max(0, source.size - TRAILER_BYTES), TRAILER_BYTES));
  if (offset === undefined) return undefined;
  const head = readFrameHead(await source.read(offset, FRAME_HEADER_BYTES));
  if (head?.kind !== FRAME_KIND.index) return undefined;
  const content = await contentOf(source, inflate, { ...head, offset });
  return content === undefined ? undefined : { entries: readIndex(content), end: { kind: 'complete' } };
}

/** Returns the frames found by walking from head to head: the index of a recording that was cut. */
async function scanned(source: RecordingSource): Promise<Frames> {
  const entries: FrameEntry[] = [];
  let offset = FILE_MAGIC.length;
  let end = offset;
  while (offset < source.size) {
    const head = readFrameHead(await source.read(offset, FRAME_HEADER_BYTES));
    const next = head === undefined ? undefined : offset + FRAME_HEADER_BYTES + head.storedLength;
    if (head !== undefined && next !== undefined && next <= source.size) {
      if (head.kind !== FRAME_KIND.index) entries.push({ ...head, offset });
      offset = next;
      end = next;
      continue;
    }
    const found = await nextFrame(source, offset + 1);
    if (found === undefined) break;
    offset = found;
  }
  // The last frames may have their full length but not their content, for example after a power failure.
  for (let last = entries.at(-1); last !== undefined; last = entries.at(-1)) {
    const stored = await source.read(last.offset + FRAME_HEADER_BYTES, last.storedLength);
    if (crc32(stored) === last.crc) break;
    end = last.offset;
    entries.pop();
  }
  return { entries, end: { kind: 'cut', bytes: end, unreadableBytes: source.size - end } };
}

/** Returns the offset of the next whole head at or after an offset. */
async function nextFrame(source: RecordingSource, from: number): Promise<number | undefined> {
  let offset = from;
  while (offset + FRAME_HEADER_BYTES <= source.size) {
    const found = findFrame(await source.read(offset, SEARCH_BYTES));
    if (found < 0) {
      // A head may begin in the last bytes of the part just searched.
      offset += SEARCH_BYTES - 3;
      continue;
    }
    offset += found;
    if (readFrameHead(await source.read(offset, FRAME_HEADER_BYTES)) !== undefined) return offset;
    offset += 1;
  }
  return undefined;
}
