import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';

export type { Logger } from 'pino';

/** How long the exit waits for the last lines. A reader that does not read must not delay it. */
const FLUSH_MS_MAX = 500;

/**
 * Creates the log, which has one JSON line per event. The service writes it to standard error, so that standard output
 * contains only the lines for the person who starts it. Keys, cookies and query strings are never logged (OPS-4).
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

/** Resolves when all lines so far are written, at the latest after 500 ms. An earlier exit could lose the last lines. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
    setTimeout(resolve, FLUSH_MS_MAX);
  });
}
