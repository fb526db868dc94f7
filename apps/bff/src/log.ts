import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './config.ts';

export type { Logger } from 'pino';

/**
 * The log: one JSON line an event, on standard error, so that standard output holds nothing but the lines a person
 * waits for at the start. Keys, cookies and query strings are never handed to it (OPS-4).
 */
export function createLog(level: Settings['LOG_LEVEL'], destination: DestinationStream = standardError()): Logger {
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

/** Resolves when every line so far is written: an exit before that could lose or disorder the last ones. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}

/** Written apart from the event loop: a reader that falls behind must not hold up those we serve. */
function standardError(): DestinationStream {
  return pino.destination({ fd: 2, sync: false });
}
