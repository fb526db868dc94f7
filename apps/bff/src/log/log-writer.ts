import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Writes text to the log's destination, and calls back once it is written or has failed. */
export type LogSink = (text: string, done: (error?: Error | null) => void) => void;

/** Counts of what the log could not write, for `/metrics`. They only increase. */
export interface LogHealth {
  /** Failed writes, for example because the disk is full or the reader has exited. */
  readonly writeErrors: number;
  /** Lines lost to failed writes, or because the reader fell too far behind. */
  readonly linesDropped: number;
}

/** Maximum characters of lines that wait during a write. */
const WAITING_LENGTH_MAX = 1024 * 1024;

/**
 * Writes log lines, one write at a time. It never throws, never blocks and has bounded memory, so that the service keeps
 * running if its log fails. Lines that cannot be written are dropped and counted, and the next line written reports how
 * many (OPS-14).
 */
export class LogWriter {
  readonly #sink: LogSink;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  #writeErrors = 0;
  #linesDropped = 0;
  /** Number of dropped lines that have been reported in the log. */
  #linesReported = 0;
  #onIdle: (() => void)[] = [];

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  /** Adds one line, including its line break. */
  write(line: string): void {
    if (this.#waitingLength + line.length > WAITING_LENGTH_MAX) {
      this.#linesDropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (!this.#isWriting) this.#writeWaiting();
  }

  /** Calls back when all lines so far are written or dropped. */
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
 * Returns a sink for standard error. For pipes and terminals it uses Node's stream, which does not block a thread: a reader
 * that does not read would block one forever, and the exit with it. Node's stream for files stays closed after an error,
 * so files are written directly.
 */
export function standardErrorSink(): LogSink {
  const { fd } = process.stderr;
  const stat = fstatSync(fd);
  return stat.isFile() || (stat.isCharacterDevice() && !isatty(fd)) ? fileSink(fd) : streamSink(process.stderr);
}

/** The signature of `write` of node:fs. */
type WriteFile = (
  fd: number,
  bytes: Buffer,
  start: number,
  length: number,
  position: null,
  done: (error: Error | null, written: number) => void,
) => void;

/** Creates a sink for an open file. If a write failed inside a line, the next one starts on a new line. */
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

/** Creates a sink for a stream. Its errors are reported by the callbacks of the failed writes. */
export function streamSink(stream: Writable): LogSink {
  stream.on('error', () => {});
  return (text, done) => void stream.write(text, done);
}
