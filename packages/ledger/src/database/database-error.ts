/**
 * Why a database cannot be used, in a sentence for the operator. It names the file and no secret. `code` is `unwritable`
 * (directory, file or disk), `corrupt`, `locked` (another process held it too long: the only one to try again), `newer`
 * (written by a later version) or `failed` (anything else).
 */
export class DatabaseError extends Error {
  readonly code: 'unwritable' | 'corrupt' | 'locked' | 'newer' | 'failed';
  readonly retryable: boolean;

  constructor(code: DatabaseError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseError';
    this.code = code;
    this.retryable = code === 'locked';
  }
}
