/**
 * Why a database cannot be used, in a sentence for the operator. It names the file or the server and no secret. `code` is
 * `unwritable` (directory, file or disk), `corrupt`, `locked` (another process held it too long), `unreachable` (no
 * connection, or one that was lost: whether a write that was under way is there is not known), `newer` (written by a later
 * version) or `failed` (anything else). `locked` and `unreachable` are worth another try.
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
