import { ERROR_CODES, type HttpErrorCode } from './error-codes.ts';
import { z } from './zod.ts';

/** The codes of the closed list, as a schema. */
export const httpErrorCode = z.enum(Object.keys(ERROR_CODES) as [HttpErrorCode, ...HttpErrorCode[]]);

/**
 * Body of every failed HTTP response. `code` and `msg` repeat `error` and `message` in the form that public SDKs read (D1).
 * `path` names the invalid field, for example `users[3]`; `type` echoes an unsupported query kind. `credits_exhausted`
 * adds the credits `needed`, those `used` in this calendar month (UTC), the `limit`, and when the next month begins, in ms (D11).
 */
export const errorBody = z.looseObject({
  error: httpErrorCode,
  message: z.string(),
  code: z.int(),
  msg: z.string(),
  path: z.string().optional(),
  type: z.string().optional(),
  needed: z.int().nonnegative().optional(),
  used: z.int().nonnegative().optional(),
  limit: z.int().nonnegative().optional(),
  resets_at: z.int().nonnegative().optional(),
});

/** Body of every failed HTTP response: the code, its sentence, and the fields that only some codes have. */
export type ErrorBody = z.infer<typeof errorBody>;

/** A message did not have the shape it must have. `path` leads to the field, for example `data.Updates.book_diffs[3].px`. */
export class WireFormatError extends Error {
  readonly code = 'wire_format';
  readonly retryable = false;
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.name = 'WireFormatError';
    this.path = path;
  }
}

/** The first problem a schema found, as a path like `users[3]` and one sentence. */
export function firstIssue(error: z.ZodError): { path: string; problem: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '', problem: 'is invalid' };
  let path = '';
  for (const key of issue.path) {
    path += typeof key === 'number' ? `[${key}]` : path === '' ? String(key) : `.${String(key)}`;
  }
  return { path, problem: issue.message };
}
