import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Writes text to where the log goes, and calls back once it is written or could not be. */
export type LogSink = (text: string, done: (error?: Error | null) => void) => void;

/** What the log could not write, for `/metrics`; the figures only rise. */
export interface LogHealth {
  /** Writes that failed: a full disk, a reader that is gone. */
  readonly writeErrors: number;
  /** Lines lost to those, or to a reader that fell too far behind. */
  readonly linesDropped: number;
}

/** Most characters of lines that wait while a write is under way. */
const WAITING_LENGTH_MAX = 1024 * 1024;

/**
 * Writes log lines, one write at a time, and never throws, blocks or keeps more than a bound: the service outlives its log.
 * What cannot be written is dropped and counted, and the first line that can be written after it says how much (OPS-14).
 */
export class LogWriter {
  readonly #sink: LogSink;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  #writeErrors = 0;
  #linesDropped = 0;
  /** How many dropped lines the log has reported. */
  #linesReported = 0;
  #onIdle: (() => void)[] = [];

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  /** Takes one line, its end included. */
  write(line: string): void {
    if (this.#waitingLength + line.length > WAITING_LENGTH_MAX) {
      this.#linesDropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (!this.#isWriting) this.#writeWaiting();
  }

  /** Calls back when everything so far is written or dropped. */
  flush(done: () => void): void {
    if (this.#isWriting) this.#onIdle.push(done);
    else done();
  }

  health(): LogHealth {
    return { writeErrors: this.#writeErrors, linesDropped: this.#linesDropped };
  }

  #writeWaiting(): void {
    const lines = this.#waiting;
    const dropped = this.#linesDropped;
    const notice = dropped > this.#linesReported ? droppedLine(dropped - this.#linesReported) : '';
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#isWriting = true;
    this.#sink(notice + lines.join(''), (error) => {
      if (error === undefined || error === null) {
        this.#linesReported = dropped;
      } else {
        this.#writeErrors += 1;
        this.#linesDropped += lines.length;
      }
      if (this.#waiting.length > 0) {
        this.#writeWaiting();
        return;
      }
      this.#isWriting = false;
      for (const done of this.#onIdle.splice(0)) done();
    });
  }
}

function droppedLine(dropped: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, dropped, msg: 'log lines could not be written' })}\n`;
}

/**
 * Standard error as a sink. Node writes to a pipe or a terminal without blocking a thread, which a reader that does not
 * read would do forever, the exit included; its stream for files stays closed after an error, so those are written here.
 */
export function standardErrorSink(): LogSink {
  const { fd } = process.stderr;
  const stat = fstatSync(fd);
  return stat.isFile() || (stat.isCharacterDevice() && !isatty(fd)) ? fileSink(fd) : streamSink(process.stderr);
}

/** Writes bytes of a file as `write` of node:fs does. */
type WriteFile = (
  fd: number,
  bytes: Buffer,
  start: number,
  length: number,
  position: null,
  done: (error: Error | null, written: number) => void,
) => void;

/** An open file. Where a write broke off inside a line, the next one begins on a line of its own. */
export function fileSink(fd: number, writeFile: WriteFile = write): LogSink {
  let isInsideLine = false;
  return (text, done) => {
    const bytes = Buffer.from(isInsideLine ? `\n${text}` : text);
    const writeFrom = (start: number): void => {
      writeFile(fd, bytes, start, bytes.length - start, null, (error, written) => {
        const end = start + written;
        if (error === null && end < bytes.length) {
          writeFrom(end);
          return;
        }
        if (error === null) isInsideLine = false;
        else if (start > 0) isInsideLine = true;
        done(error);
      });
    };
    writeFrom(0);
  };
}

/** A stream; its errors come with the writes that they spoil. */
export function streamSink(stream: Writable): LogSink {
  stream.on('error', () => {});
  return (text, done) => void stream.write(text, done);
}
