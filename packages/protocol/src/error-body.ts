import { ERROR_CODES, type HttpErrorCode } from './error-codes.ts';
import { z } from './zod.ts';

/** The codes of the closed list, as a schema. */
export const httpErrorCode = z.enum(Object.keys(ERROR_CODES) as [HttpErrorCode, ...HttpErrorCode[]]);

/**
 * Body of every failed HTTP response. `code` and `msg` repeat `error` and `message` in the form that public SDKs read (D1).
 * `path` names the invalid field, for example `users[3]`; `type` echoes an unsupported query kind. `credits_exhausted` adds the
 * credits `needed`, those `used` in this calendar month (UTC), the `limit`, and when the next month begins, in ms (D11).
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

/** Body of every failed HTTP response: the code, its message, and the fields that only some codes have. */
export type ErrorBody = z.infer<typeof errorBody>;
