import { firstIssue, z } from '@l4desk/protocol';
import { InvalidArgumentError } from 'commander';

/**
 * Exit codes of the command line: `failed` is a negative result, or something that does not exist in a database or a
 * recording; `usage` a command line, a path or settings that must be changed; `unavailable` a service that did not provide what was
 * asked for, an unknown coin included.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, unavailable: 3 } as const;

export type FailureExit = Exclude<(typeof EXIT)[keyof typeof EXIT], 0>;

const FAILURE_CODES: Readonly<Record<FailureExit, string>> = { 1: 'failed', 2: 'usage', 3: 'unavailable' };

/** A command that failed; the message says what to do. */
export class CliFailure extends Error {
  readonly exitCode: FailureExit;
  /** A word for programs: that of the exit code, or a more exact one, such as an error code of the service. */
  readonly code: string;

  constructor(message: string, exitCode: FailureExit = EXIT.failed, code: string = FAILURE_CODES[exitCode]) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** The user ended the command before it had a result. */
export function interruptedFailure(): CliFailure {
  return new CliFailure('Interrupted.', EXIT.unavailable, 'interrupted');
}

/** An argument read by a schema; what it says against a value completes the sentence "It …". */
export function argument<T>(schema: z.ZodType<T>): (value: string) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`It ${firstIssue(result.error).problem}.`);
  };
}

/** A name or a path. An empty one is most often a variable that is not set. */
export const nameArgument = argument(z.string().min(1, 'must not be empty'));

/** A cell of a table. Text is left-aligned; numbers, with grouped digits, and shares are right-aligned. */
type Cell = string | number;

/**
 * Formats rows under headings, with columns as wide as their widest cell. A heading is aligned like its column.
 * `decimals` names the columns of decimal strings, which are right-aligned.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  decimals: readonly string[] = [],
): string[] {
  const isNumeric = headings.map((heading, column) => {
    return decimals.includes(heading) || rows.some((row) => isNumber(row[column]));
  });
  const texts = [headings, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)));
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

function isNumber(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || (cell?.endsWith(' %') ?? false);
}

/** `1,050,000` */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 credit`, `2,000 credits` */
export function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A share in percent: `12.5 %`; a positive share is never shown as 0, and `–` is a share of 0. */
export function share(amount: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (amount / whole) * 100;
  return amount > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}

/** A time in ISO-8601, for people and programs. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
