import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  FILE_MAGIC,
  FRAME_KIND,
  type FrameEntry,
  openRecording,
  packFrame,
  packTrailer,
  type RawFrame,
  type RecordingReader,
  type RecordingSource,
  readFrameHead,
  writeIndex,
} from '../format/index.ts';

/** Keyframes are large and written at once, so for them the compression level decides how long a write takes. */
const DEFLATE_LEVEL = { keyframe: 4, other: 6 } as const;

/**
 * Writes a recording to a new file. Each frame is appended as a whole and acknowledged when `write` returns: however the process
 * is killed after that, the file can be opened and contains the frame. `sync` makes it survive a crash of the machine as well.
 */
export class RecordingFile implements Disposable {
  readonly path: string;
  readonly #fd: number;
  readonly #entries: FrameEntry[] = [];
  #size = 0;
  #closed = false;

  /** Throws the system's error, such as `EEXIST` if the file exists already. A file that could not be started is removed. */
  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, 'wx');
    try {
      this.#append(FILE_MAGIC);
    } catch (error) {
      this[Symbol.dispose]();
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Bytes written to the file so far. */
  get size(): number {
    return this.#size;
  }

  /** Appends a frame. Throws the system's error, for example when the disk is full; write nothing more to the file after that. */
  write(frame: RawFrame): void {
    const level = frame.kind === FRAME_KIND.keyframe ? DEFLATE_LEVEL.keyframe : DEFLATE_LEVEL.other;
    const packed = packFrame(frame, this.#entries.length, deflateRawSync(frame.bytes, { level }));
    const offset = this.#size;
    this.#append(packed);
    const head = readFrameHead(packed);
    if (head === undefined) throw new Error('a frame was packed wrongly');
    this.#entries.push({ ...head, offset });
  }

  /** Waits until the written data is on disk. */
  sync(): void {
    fdatasyncSync(this.#fd);
  }

  /** Appends the index and closes the file. */
  end(): void {
    const offset = this.#size;
    const [first, last] = [this.#entries[0]?.from ?? 0, this.#entries.at(-1)?.to ?? 0];
    const bytes = writeIndex(this.#entries);
    this.#append(
      packFrame({ kind: FRAME_KIND.index, from: first, to: last, bytes }, this.#entries.length, deflateRawSync(bytes)),
    );
    this.#append(packTrailer(offset));
    this.sync();
    this[Symbol.dispose]();
  }

  /** Closes the file without writing an index. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }

  #append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at, bytes.length - at);
    this.#size += bytes.length;
  }
}

/** A recording opened from a file. Disposing of it closes the file. */
export interface RecordingOfFile extends Disposable {
  readonly recording: RecordingReader;
}

/** Opens a recording for reading, even while it is being written. Throws RecordingError or the system's error. */
export async function openRecordingFile(path: string): Promise<RecordingOfFile> {
  const fd = openSync(path, 'r');
  try {
    const recording = await openRecording(fileSource(fd), inflateRawSync);
    return { recording, [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function fileSource(fd: number): RecordingSource {
  return {
    size: fstatSync(fd).size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      let read = 0;
      for (let got = 1; got > 0 && read < length; read += got) {
        got = readSync(fd, bytes, read, length - read, offset + read);
      }
      return bytes.subarray(0, read);
    },
  };
}
