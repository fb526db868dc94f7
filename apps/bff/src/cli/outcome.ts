import { firstIssue, type z } from '@l4desk/protocol';
import { InvalidArgumentError } from 'commander';

/** Exit codes of the command line. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** A command that could not do what it was asked, in a sentence that says what to do. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** An argument read by a schema; what it says against a value completes the sentence "It …". */
export function argument<T>(schema: z.ZodType<T>): (value: string) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`It ${firstIssue(result.error).problem}.`);
  };
}

/** Rows under headings, in columns as wide as their widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A time as people and programs both read it. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
