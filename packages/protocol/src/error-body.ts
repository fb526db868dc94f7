import { ERROR_CODES, type HttpErrorCode } from './error-codes.ts';
import { z } from './zod.ts';

/** The codes of the closed list, as a schema. */
export const httpErrorCode = z.enum(Object.keys(ERROR_CODES) as [HttpErrorCode, ...HttpErrorCode[]]);

/**
 * Body of every failed HTTP response. `code` and `msg` are for public SDKs (D1); `path` names the invalid field, `type`
 * echoes an unsupported kind; `credits_exhausted` adds what was needed and used, the limit, and when it resets, in ms
 * (D11).
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
