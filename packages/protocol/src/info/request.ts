import { firstIssue } from '../wire-format-error.ts';
import type { z } from '../zod.ts';

/** The result of reading a request: the request in the form that the service works with, or its first problem (D5). */
export type DecodedRequest<T> =
  | { readonly kind: 'request'; readonly request: T }
  | {
      readonly kind: 'refused';
      /** The invalid field, for example `users[3]`. */
      readonly path: string;
      /** What is wrong, to be read after the field's name: `is missing`. It repeats nothing that was sent. */
      readonly problem: string;
    };

/** Reads the parsed body of a request with the schema of its kind. Every body yields a result; it never throws. */
export function decodeRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): DecodedRequest<z.output<Schema>> {
  const result = schema.safeParse(body, { error: problemOf });
  if (result.success) return { kind: 'request', request: result.data };
  return { kind: 'refused', ...firstIssue(result.error) };
}

const TYPE_PROBLEMS: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  array: 'must be an array',
  object: 'must be an object',
};

/** What is wrong with a field whose schema has no message of its own. */
function problemOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : (TYPE_PROBLEMS[issue.expected] ?? 'has the wrong type');
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must be at most ${issue.maximum} characters long`
        : `must be at most ${issue.maximum}`;
    default:
      return 'is invalid';
  }
}
