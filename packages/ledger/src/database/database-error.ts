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
