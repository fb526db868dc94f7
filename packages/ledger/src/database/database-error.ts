/**
 * Thrown when a database cannot be used. The message is a sentence for the operator, which names the file or the server but no
 * secret. `code` is `unwritable` (directory, file or disk), `corrupt`, `locked` (another process held it too long), `unreachable`
 * (no connection, or a lost one: the result of a write in flight is unknown), `newer` (written by a later version) or `failed`
 * (anything else). `locked` and `unreachable` are retryable.
 */
export class DatabaseError extends Error {
  readonly code: 'unwritable' | 'corrupt' | 'locked' | 'unreachable' | 'newer' | 'failed';
  readonly retryable: boolean;

  constructor(code: DatabaseError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseError';
    this.code = code;
    this.retryable = code === 'locked' || code === 'unreachable';
  }
}

/**
 * How long the database may take to respond to a query that only reads. Longer than the time in which the database itself gives up
 * (connecting, waiting for a lock, the statement), so this applies to one that hangs, for example with its disk.
 */
const RESPONSE_MS_MAX = 10_000;

/**
 * Rejects with DatabaseError if the database does not respond within `msMax`. The query goes on: callers make sure that those who
 * gave up do not pile up queries. Only for reads: what became of a write would not be known.
 */
export function inTime<T>(response: Promise<T>, msMax = RESPONSE_MS_MAX): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseError('unreachable', `The database did not respond within ${msMax / 1000} s.`)),
      msMax,
    );
    response.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
