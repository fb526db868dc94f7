import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedFile } from '@l4desk/protocol';
import { RecordingError } from '../../format/index.ts';
import { openRecordingFile, RecordingFile } from '../index.ts';

/** File names of recordings: the coin, with `_` for anything but letters and digits, and the time the file was started. */
const NAME = /^[A-Za-z0-9_]+-\d{8}T\d{9}Z\.l4rec$/;

/** Whether a name is that of a recording. Such a name cannot point outside the folder. */
export function isRecordingName(name: string): boolean {
  return NAME.test(name);
}

/** A file of the folder, before it is opened. */
interface Listed {
  readonly name: string;
  readonly bytes: number;
  /** ms since the Unix epoch. */
  readonly changedAt: number;
}

/** Height at which the last recording of a coin ended, and why it did not continue. */
export interface RecordingEndedAt {
  readonly height: number;
  readonly reason: string;
}

/** The folder of the service's recordings. Its methods throw system errors. */
export class RecordingsFolder {
  readonly #path: string;
  readonly #keepBytes: number;
  /** Cached contents of each file; a file is read again when its size has changed. */
  readonly #known = new Map<string, { readonly bytes: number; readonly file: RecordedFile | undefined }>();

  constructor(path: string, keepBytes: number) {
    this.#path = path;
    this.#keepBytes = keepBytes;
  }

  /** Creates a new file for a coin. `now` is in ms since the Unix epoch. */
  create(coin: string, now: number): { readonly name: string; readonly file: RecordingFile } {
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    for (let at = now; ; at += 1) {
      const name = `${coin.replaceAll(/[^A-Za-z0-9]/g, '_')}-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}.l4rec`;
      try {
        return { name, file: new RecordingFile(join(this.#path, name)) };
      } catch (error) {
        // Two files in the same millisecond, of coins whose names differ only in characters replaced by `_`: try the next ms.
        if (!isExisting(error)) throw error;
      }
    }
  }

  /** Removes a file in which nothing was recorded. */
  discard(name: string): void {
    rmSync(join(this.#path, name), { force: true });
  }

  /** Number and total bytes of the files. */
  size(): { readonly files: number; readonly bytes: number } {
    const files = this.#files();
    return { files: files.length, bytes: sum(files) };
  }

  /** Removes the oldest files until the rest is within `keepBytes`, but none being written. Returns the removed names. */
  prune(written: ReadonlySet<string>): readonly string[] {
    const files = this.#files();
    let bytes = sum(files);
    const removed: string[] = [];
    for (const file of files) {
      if (bytes <= this.#keepBytes) break;
      if (written.has(file.name)) continue;
      rmSync(join(this.#path, file.name), { force: true });
      this.#known.delete(file.name);
      removed.push(file.name);
      bytes -= file.bytes;
    }
    return removed;
  }

  /** Resolves with every recording that can be opened, newest first. */
  async list(written: ReadonlySet<string>): Promise<readonly RecordedFile[]> {
    const found: RecordedFile[] = [];
    for (const listed of this.#files()) {
      const file = await this.#read(listed);
      if (file !== undefined) found.push(written.has(file.name) ? { ...file, state: 'writing' } : file);
    }
    return found.toReversed();
  }

  /** Resolves with the end of the coin's last recording, if it is from the same source; else undefined. */
  async lastOf(coin: string, source: string): Promise<RecordingEndedAt | undefined> {
    for (const listed of this.#files().toReversed()) {
      const file = await this.#read(listed);
      if (file === undefined || file.coin !== coin) continue;
      // Heights of another source say nothing about what was missed of this one.
      if (file.source !== source) return undefined;
      return { height: file.to, reason: file.state === 'complete' ? 'recorder-stopped' : 'recorder-failed' };
    }
    return undefined;
  }

  /** The files by start time, oldest first. */
  #files(): readonly Listed[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#path);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    const files: Listed[] = [];
    for (const name of names) {
      const stats = isRecordingName(name) ? statSync(join(this.#path, name), { throwIfNoEntry: false }) : undefined;
      if (stats?.isFile() === true) files.push({ name, bytes: stats.size, changedAt: Math.round(stats.mtimeMs) });
    }
    return files.toSorted((a, b) => (begunAt(a.name) < begunAt(b.name) ? -1 : 1));
  }

  async #read({ name, bytes, changedAt }: Listed): Promise<RecordedFile | undefined> {
    const known = this.#known.get(name);
    if (known?.bytes === bytes) return known.file;
    const file = await this.#open(name, bytes, changedAt);
    this.#known.set(name, { bytes, file });
    return file;
  }

  async #open(name: string, bytes: number, changedAt: number): Promise<RecordedFile | undefined> {
    try {
      using opened = await openRecordingFile(join(this.#path, name));
      const { header, range, gaps, end } = opened.recording;
      if (range === null) return undefined;
      const state = end.kind === 'complete' ? 'complete' : 'cut';
      const { coin, source, createdAt } = header;
      return { name, coin, source, ...range, createdAt, changedAt, bytes, gaps: gaps.length, state };
    } catch (error) {
      if (error instanceof RecordingError || isMissing(error)) return undefined;
      throw error;
    }
  }
}

function begunAt(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}

function sum(files: readonly Listed[]): number {
  return files.reduce((bytes, file) => bytes + file.bytes, 0);
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
