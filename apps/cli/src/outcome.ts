import { firstIssue, type z } from '@l4desk/protocol';
import { InvalidArgumentError } from 'commander';

/** Exit codes of the command line. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** A command that failed; the message says what to do. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** Creates an argument parser from a schema. The schema's message completes the sentence "It …". */
export function argument<T>(schema: z.ZodType<T>): (value: string) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`It ${firstIssue(result.error).problem}.`);
  };
}

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
