import type { Log } from '../log.ts';

/** A line of a log, as it is posted to the thread that writes it. */
export interface PostedLine {
  readonly kind: 'log';
  readonly level: keyof Log;
  readonly fields: object;
  readonly message: string;
}

/** A log whose lines are posted to another thread. */
export function postedLog(post: (line: PostedLine) => void): Log {
  const at = (level: keyof Log) => (fields: object, message: string) =>
    post({ kind: 'log', level, fields: withPlainError(fields), message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Reduces an error to its name, message and stack before it is posted: a cause may hold sockets, which cannot be cloned. */
function withPlainError(fields: object): object {
  if (!('err' in fields) || !(fields.err instanceof Error)) return fields;
  return { ...fields, err: { type: fields.err.name, message: fields.err.message, stack: fields.err.stack } };
}
