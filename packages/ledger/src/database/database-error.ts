/**
 * A database cannot be used; the message names the file or server but no secret. `code`: `unwritable`, `corrupt`,
 * `locked` by another process, `unreachable` (a write in flight may have succeeded), `newer` (written by a later
 * version) or `failed`. `locked` and `unreachable` are retryable.
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

/** Longer than the database itself takes to give up, so this is for one that hangs, for example with its disk. */
const RESPONSE_MS_MAX = 10_000;

/** Rejects with DatabaseError if a read takes too long. The query goes on, so callers bound how many they send. */
export function inTime<T>(response: Promise<T>, msMax = RESPONSE_MS_MAX): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseError('unreachable', `The database did not respond within ${msMax / 1000} s.`)),
      msMax,
    );
    response.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
