import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, type SystemClock } from '@l4desk/runtime/node';
import { fileAfter, type HourFile, newestFile, pathOf } from './layout.ts';

interface FilePosition {
  readonly file: HourFile;
  readonly offset: number;
  /** The last bytes of the line before it, in Latin-1; a file with other bytes there is a different file. */
  readonly mark: string;
}

export interface TailEvents {
  /** One whole line without its line end. The bytes belong to the listener. */
  line(bytes: Buffer): void;
  read(bytes: number): void;
  /** One sentence on why the file cannot be read now, or why lines may have been lost. */
  problem(problem: string, mayHaveLost: boolean): void;
}

export interface TailSettings {
  /** The stream's folder. */
  readonly root: string;
  /** How often the file is polled while it has nothing new, and how often to check that it is still the right file, in ms. */
  readonly pollMs: number;
  readonly checkMs: number;
}

export interface TailDeps {
  /** Whether there is room for more lines; if not, earlier ones must be processed first. */
  readonly mayRead: () => boolean;
  /** Whether the first line of a later file directly continues the last line reported, so that none can be missing between. */
  readonly continues: (line: Buffer) => boolean;
  readonly clock: SystemClock;
}

const CHUNK_BYTES = 1 << 20;

/** How long a file is still read after the next one has a line, in ms: a node may write late rows to it (D69). */
const LATE_ROWS_MS = 2_000;

/** A line longer than this is corrupt. */
const LINE_BYTES_MAX = 1 << 27;

const MARK_BYTES = 48;

const NEWLINE = 10;

interface OpenFile {
  readonly file: HourFile;
  readonly handle: FileHandle;
  readonly inode: number;
  readAt: number;
  behind: FilePosition;
}

/**
 * Follows the hourly files of one stream while a node appends to them (NODE-2). Lines are reported whole. The next
 * hour's file is read once it continues the previous one, or `LATE_ROWS_MS` after its first line, because late rows are
 * still written to the old file.
 */
export class FileTail {
  readonly #settings: TailSettings;
  readonly #events: TailEvents;
  readonly #deps: TailDeps;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #open: OpenFile | null = null;
  /** The start of a line whose end is not written yet. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #skipsLine = false;
  /** The position reached; null before the first file. */
  #last: FilePosition | null = null;
  #next: HourFile | null = null;
  /** When the later file was first seen to have a line; null until then. */
  #nextSince: number | null = null;
  /** The current file is complete after reading it to its end once more. */
  #isLastRead = false;
  /** Whether files that appear from now on are read from their start. */
  #started = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #problem: string | null = null;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  #onReady = () => {};
  /** Resolves once the existing files were checked; a file that appears later is read from its start. */
  readonly ready: Promise<void>;

  constructor(settings: TailSettings, events: TailEvents, deps: TailDeps) {
    this.#settings = settings;
    this.#events = events;
    this.#deps = deps;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  /** Runs until `close`; whatever fails is retried. */
  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      let waitMs: number;
      try {
        waitMs = (await this.#turn()) ? 0 : this.#settings.pollMs;
      } catch (error) {
        await this.#release();
        this.#report(`a file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        waitMs = this.#settings.checkMs;
      }
      this.#onReady();
      if (waitMs > 0) await pause(this.#deps.clock, waitMs, this.#end.signal);
    }
    this.#onReady();
    await this.#release();
  }

  /** Reads once, or checks the files once. Resolves with whether to continue without a pause. */
  async #turn(): Promise<boolean> {
    if (!this.#deps.mayRead()) return false;
    if (this.#open === null) {
      if (!this.#isTimeToCheck()) return false;
      this.#open = await this.#openNext();
      return this.#open !== null;
    }
    const { handle, readAt } = this.#open;
    const { bytesRead } = await handle.read(this.#chunk, 0, CHUNK_BYTES, readAt);
    if (this.#end.signal.aborted) return false;
    if (bytesRead > 0) {
      this.#problem = null;
      this.#take(this.#open, this.#chunk.subarray(0, bytesRead));
      return true;
    }
    return this.#atEnd(this.#open);
  }

  /** Splits the bytes read into lines. */
  #take(open: OpenFile, bytes: Buffer): void {
    const { file } = open;
    this.#events.read(bytes.length);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...this.#pieces, bytes.subarray(start, end)]);
      start = end + 1;
      this.#dropPieces();
      const mark = line.toString('latin1', Math.max(0, line.length - MARK_BYTES));
      open.behind = { file, offset: open.readAt + start, mark };
      this.#last = open.behind;
      if (this.#skipsLine) this.#skipsLine = false;
      else if (line.length > 0) this.#events.line(line);
    }
    open.readAt += bytes.length;
    if (start === bytes.length || this.#skipsLine) return;
    this.#pieces.push(Buffer.from(bytes.subarray(start)));
    this.#piecesBytes += bytes.length - start;
    if (this.#piecesBytes <= LINE_BYTES_MAX) return;
    this.#report(`a line of ${nameOf(file)} is longer than ${LINE_BYTES_MAX} bytes`, true);
    this.#dropPieces();
    this.#skipsLine = true;
  }

  /** At the end of the file: checks whether it is still the same file and still the last one. */
  async #atEnd(open: OpenFile): Promise<boolean> {
    const { file, inode } = open;
    if (this.#next !== null && this.#isLastRead) {
      if (this.#pieces.length > 0) this.#report(`the last line of ${nameOf(file)} has no end`, true);
      const next = this.#next;
      await this.#release();
      this.#open = await this.#openAt(next, null);
      return true;
    }
    if (!this.#isTimeToCheck()) return false;
    const now = await this.#statOf(file);
    if (now === null || now.inode !== inode) {
      this.#report(`${nameOf(file)} was ${now === null ? 'removed' : 'replaced'}`);
      await this.#release();
      this.#open = await this.#openNext();
      return this.#open !== null;
    }
    if (now.size < open.readAt) {
      this.#report(`${nameOf(file)} was shortened from ${open.readAt} bytes to ${now.size}`, true);
      this.#dropPieces();
      open.readAt = 0;
      open.behind = { file, offset: 0, mark: '' };
      this.#last = open.behind;
      return true;
    }
    this.#next ??= await fileAfter(this.#settings.root, file);
    // The end of this file may have been written since it was last read.
    this.#isLastRead = this.#next !== null && (await this.#mayGoOn(this.#next));
    return this.#isLastRead;
  }

  /** Whether nothing more is expected in the files before this one. */
  async #mayGoOn(next: HourFile): Promise<boolean> {
    const line = await this.#firstLine(next);
    // An empty file is skipped once it is not the last one.
    if (line === null) return (await fileAfter(this.#settings.root, next)) !== null;
    const now = this.#deps.clock.now();
    this.#nextSince ??= now;
    return this.#deps.continues(line) || now - this.#nextSince >= LATE_ROWS_MS;
  }

  /** The first line of a file, or its start if it is long; null until it is written. */
  async #firstLine(file: HourFile): Promise<Buffer | null> {
    const handle = await open(join(this.#settings.root, pathOf(file)));
    try {
      const { bytesRead } = await handle.read(this.#chunk, 0, CHUNK_BYTES, 0);
      const end = this.#chunk.subarray(0, bytesRead).indexOf(NEWLINE);
      if (end >= 0) return Buffer.from(this.#chunk.subarray(0, end));
      return bytesRead === CHUNK_BYTES ? Buffer.from(this.#chunk) : null;
    } finally {
      await handle.close();
    }
  }

  /** Opens the file to continue with; null while there is none. */
  async #openNext(): Promise<OpenFile | null> {
    const { root } = this.#settings;
    const last = this.#last;
    if (last !== null) {
      if ((await this.#statOf(last.file)) !== null) return this.#openAt(last.file, last);
      const next = await fileAfter(root, last.file);
      return next === null ? null : this.#openAt(next, null);
    }
    const newest = await newestFile(root);
    if (newest === null) {
      this.#started = true;
      return null;
    }
    return this.#openAt(newest, null);
  }

  async #openAt(file: HourFile, place: FilePosition | null): Promise<OpenFile | null> {
    const path = join(this.#settings.root, pathOf(file));
    const handle = await open(path);
    try {
      const { ino, size } = await handle.stat();
      const offset = await this.#startIn(handle, size, place);
      this.#started = true;
      this.#last = { file, offset, mark: place !== null && offset === place.offset ? place.mark : '' };
      return { file, handle, inode: ino, readAt: offset, behind: this.#last };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The offset at which to start: the position reached before if the file still has it; in the first file, its last line end. */
  async #startIn(handle: FileHandle, size: number, place: FilePosition | null): Promise<number> {
    if (place !== null) {
      if (await hasPosition(handle, size, place)) return place.offset;
      this.#report(`${nameOf(place.file)} is another file now: it is read from its start`, true);
      return 0;
    }
    return this.#started ? 0 : lastLineEnd(handle, size);
  }

  async #statOf(file: HourFile): Promise<{ readonly inode: number; readonly size: number } | null> {
    try {
      const { ino, size } = await stat(join(this.#settings.root, pathOf(file)));
      return { inode: ino, size };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async #release(): Promise<void> {
    this.#dropPieces();
    this.#next = null;
    this.#nextSince = null;
    this.#isLastRead = false;
    this.#skipsLine = false;
    const handle = this.#open?.handle;
    this.#open = null;
    await handle?.close().catch(() => {});
  }

  #dropPieces(): void {
    this.#pieces = [];
    this.#piecesBytes = 0;
  }

  #isTimeToCheck(): boolean {
    const now = this.#deps.clock.now();
    if (now - this.#checkedAt < this.#settings.checkMs) return false;
    this.#checkedAt = now;
    return true;
  }

  /** Reports a problem. The same problem is reported only once until something can be read again. */
  #report(problem: string, mayHaveLost = false): void {
    if (this.#end.signal.aborted || (problem === this.#problem && !mayHaveLost)) return;
    this.#problem = problem;
    this.#events.problem(problem, mayHaveLost);
  }
}

/** Whether a position exists in a file: its offset is within the file, and the bytes before it match. */
async function hasPosition(handle: FileHandle, size: number, { offset, mark }: FilePosition): Promise<boolean> {
  if (offset > size) return false;
  if (mark === '') return offset === 0;
  const before = Buffer.alloc(mark.length + 1);
  const { bytesRead } = await handle.read(before, 0, before.length, offset - before.length);
  return bytesRead === before.length && before.toString('latin1') === `${mark}\n`;
}

/** The offset after the last line end of a file; 0 if it has none. */
async function lastLineEnd(handle: FileHandle, size: number): Promise<number> {
  const piece = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const { bytesRead } = await handle.read(piece, 0, end - start, start);
    const at = piece.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

function nameOf({ day, hour }: HourFile): string {
  return `${day}/${hour}`;
}
