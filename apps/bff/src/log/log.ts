import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';

export type { Logger } from 'pino';

/** How long the exit waits for the last lines: a reader that does not read must not delay it. */
const FLUSH_MS_MAX = 500;

/**
 * The log: one JSON line an event. The service writes it to standard error, so that standard output holds nothing but the
 * lines a person waits for at the start. Keys, cookies and query strings are never passed to it (OPS-4).
 */
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

/** Resolves when every line so far is written: an exit before that could lose the last ones. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
    setTimeout(resolve, FLUSH_MS_MAX);
  });
}
