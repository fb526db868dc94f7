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

/** The first problem that a schema found, as a path like `users[3]` and one sentence. */
export function firstIssue(error: z.ZodError): { path: string; problem: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '', problem: 'is invalid' };
  let path = '';
  for (const key of issue.path) {
    path += typeof key === 'number' ? `[${key}]` : path === '' ? String(key) : `.${String(key)}`;
  }
  return { path, problem: issue.message };
}
