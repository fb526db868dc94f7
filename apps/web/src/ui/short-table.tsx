import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface ShortColumn<Row> {
  readonly title: string;
  /** `end` for numbers: tabular digits, right-aligned. `start` by default. */
  readonly align?: 'start' | 'end';
  readonly cell: (row: Row) => ReactNode;
  /** Shown in the totals row at the end. */
  readonly total?: ReactNode;
  /** Hidden on a narrow screen. */
  readonly wide?: boolean;
  /** Takes the remaining width, and is clipped if it needs more. */
  readonly shrinks?: boolean;
}

interface ShortTableProps<Row> {
  /** Its accessible name. */
  readonly name: string;
  /** The first column names the row. */
  readonly columns: readonly ShortColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Whether a row is the current one. */
  readonly isCurrent?: (row: Row) => boolean;
}

/** A table short enough to be rendered whole; use a `Grid` for hundreds of rows. Its rows are high enough for controls. */
export function ShortTable<Row>({ name, columns, rows, keyOf, isCurrent }: ShortTableProps<Row>) {
  const hasTotals = columns.some(({ total }) => total !== undefined);
  const classOf = ({ align, wide, shrinks }: ShortColumn<Row>, at: number) =>
    classNames(
      'h-[max(var(--row),24px)] px-2 font-normal whitespace-nowrap',
      at === 0 && 'pl-1',
      wide && 'max-sm:hidden',
      shrinks && 'w-full max-w-0 min-w-24',
      align === 'end' ? 'num text-right text-12' : 'text-left',
    );
  const cells = (draw: (column: ShortColumn<Row>) => ReactNode) =>
    columns.map((column, at) =>
      at === 0 ? (
        <th key={column.title} scope="row" className={classOf(column, at)}>
          {draw(column)}
        </th>
      ) : (
        <td key={column.title} className={classOf(column, at)}>
          {draw(column)}
        </td>
      ),
    );
  return (
    <table aria-label={name} className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line text-12 text-dim">
          {columns.map((column, at) => (
            <th
              key={column.title}
              scope="col"
              className={classNames(
                'h-[max(var(--row),24px)] px-2 font-medium whitespace-nowrap',
                at === 0 && 'pl-1',
                column.wide && 'max-sm:hidden',
                column.align === 'end' ? 'text-right' : 'text-left',
              )}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            aria-current={isCurrent?.(row) === true ? 'true' : undefined}
            className="hover:bg-surface-2 aria-[current=true]:bg-accent-soft aria-[current=true]:text-strong"
          >
            {cells(({ cell }) => cell(row))}
          </tr>
        ))}
      </tbody>
      {hasTotals && (
        <tfoot>
          <tr className="border-t border-line text-strong">{cells(({ total }) => total)}</tr>
        </tfoot>
      )}
    </table>
  );
}
