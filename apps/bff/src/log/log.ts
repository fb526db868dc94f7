import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';

export type { Logger } from 'pino';

/** Counts of what the log could not write, for `/metrics`. They only increase. */
export interface LogHealth {
  /** Failed writes, for example because the disk is full or the reader has exited. */
  readonly writeErrors: number;
  /** Lines lost to failed writes, or because the reader fell too far behind. */
  readonly linesDropped: number;
}

/** Where the log is written. It never throws, never blocks and holds a bounded number of lines in memory. */
export interface LogDestination extends DestinationStream {
  health(): LogHealth;
  flush(done: () => void): void;
  destroy(): void;
}

const WAITING_LENGTH_MAX = 1024 * 1024;

/** How long the exit waits for the last lines. A reader that does not read must not delay it. */
const FLUSH_MS_MAX = 500;

/** Creates the log: one JSON line per event, never with keys, cookies or query strings (OPS-4). */
export function createLog(level: Settings['LOG_LEVEL'], destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** Opens standard error for the log. A blocking write to a pipe that nobody reads would hang the process. */
export function standardError(): LogDestination {
  const { stderr } = process;
  const health = { writeErrors: 0, linesDropped: 0 };
  const stat = fstatSync(stderr.fd);
  if (stat.isFile() || (stat.isCharacterDevice() && !isatty(stderr.fd))) {
    const file = pino.destination({ dest: stderr.fd, sync: false, maxLength: WAITING_LENGTH_MAX });
    file.on('drop', () => {
      health.linesDropped += 1;
    });
    file.on('error', () => {
      health.writeErrors += 1;
    });
    return Object.assign(file, { health: () => ({ ...health }) });
  }
  stderr.on('error', () => {});
  return {
    write(line) {
      if (stderr.writableLength > WAITING_LENGTH_MAX) {
        health.linesDropped += 1;
        return;
      }
      stderr.write(line, (error) => {
        if (error === undefined || error === null) return;
        health.writeErrors += 1;
        health.linesDropped += 1;
      });
    },
    flush: (done) => void stderr.write('', () => done()),
    destroy: () => {},
    health: () => ({ ...health }),
  };
}

/** Resolves when all lines so far are written, at the latest after 500 ms. An earlier exit could lose the last lines. */
export function flushLog(destination: LogDestination): Promise<void> {
  return new Promise((resolve) => {
    destination.flush(() => resolve());
    setTimeout(resolve, FLUSH_MS_MAX);
  });
}
