import type { z } from './zod.ts';

/** A message does not have the required shape. `path` leads to the field: `data.Updates.book_diffs[3].px`. */
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

/** The first problem that a schema found, as a path like `users[3]` below that of the value, and one sentence. */
export function firstIssue(error: z.ZodError, root = ''): { path: string; problem: string } {
  const issue = error.issues[0];
  let path = root;
  if (issue === undefined) return { path, problem: 'is invalid' };
  for (const key of issue.path) {
    path += typeof key === 'number' ? `[${key}]` : path === '' ? String(key) : `.${String(key)}`;
  }
  return { path, problem: issue.message };
}

/** Reads a value with a schema. Throws WireFormatError with the path of the first problem, below that of the value. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const { path: at, problem } = firstIssue(read.error, path);
  throw new WireFormatError(at, problem);
}
