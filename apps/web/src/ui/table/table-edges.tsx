/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- laid out as grids, the tags of a table may lose their roles */
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { GROUP_OF_HINTS } from '../group-of-hints.ts';
import { isSortable, nextSort, type TableColumn, type TableSort, type TitledColumn } from './table-column.ts';
import { ACTIVE, ChevronRoom, type RowLook, rowLook } from './table-row.tsx';

export const HEAD_HEIGHT = 28;

interface EdgeProps<Column> extends RowLook<Column> {
  /** Px; that of all columns, unless the table is short. */
  readonly minWidth: number | undefined;
}

interface HeadingProps extends EdgeProps<TitledColumn> {
  readonly id: string;
  /** Opens or closes every group; undefined if there are none. */
  readonly onToggleAll: (() => void) | undefined;
  readonly areAllOpen: boolean;
  readonly sort: TableSort | undefined;
  readonly onSort: ((sort: TableSort | undefined) => void) | undefined;
  readonly active: number | undefined;
}

/** The row of column titles, which stays in view. */
export function Heading(props: HeadingProps) {
  const { id, columns, first, isPinned, isShort, isTree, minWidth } = props;
  const { onToggleAll, areAllOpen, sort, onSort, active } = props;
  const Chevron = areAllOpen ? ChevronDown : ChevronRight;
  return (
    <thead
      role="rowgroup"
      style={{ minWidth }}
      className={isShort ? 'contents' : 'sticky top-0 z-10 block shrink-0 bg-surface-1'}
    >
      <tr
        role="row"
        aria-rowindex={isShort ? undefined : 1}
        {...(isShort && columns.some(({ column: { hint } }) => hint !== undefined) && GROUP_OF_HINTS)}
        style={{ [isShort ? 'minHeight' : 'height']: HEAD_HEIGHT }}
        className={classNames(rowLook(isShort), 'border-b border-line', !isShort && 'bg-surface-1')}
      >
        {columns.map(({ column, at }) => {
          const sorted = sort?.column === column.id ? sort : undefined;
          const hasButton = onToggleAll !== undefined && at === 0;
          return (
            <th
              key={column.id}
              id={`${id}-head-${at}`}
              role="columnheader"
              scope="col"
              aria-colindex={isShort ? undefined : at + 1}
              aria-sort={sorted === undefined ? undefined : sorted.descending ? 'descending' : 'ascending'}
              className={classNames(
                'flex min-w-0 items-stretch text-12 font-normal',
                sorted === undefined ? 'text-dim' : 'text-strong',
                at === 0 && isPinned && 'sticky left-0 z-[1] bg-inherit',
                at === first && at > 0 && 'col-start-3',
                at === active && ACTIVE,
              )}
            >
              {hasButton && (
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={areAllOpen ? 'Collapse all groups' : 'Expand all groups'}
                  title={areAllOpen ? 'Collapse all groups (*)' : 'Expand all groups (*)'}
                  className="shrink-0 pl-3 hover:text-text"
                  onClick={onToggleAll}
                >
                  <Chevron size={16} strokeWidth={1.75} aria-hidden />
                </button>
              )}
              <Title
                column={column}
                sorted={sorted}
                onSort={isSortable(column) && onSort !== undefined ? () => onSort(nextSort(sort, column)) : undefined}
                look={classNames(
                  'flex min-w-0 grow items-center gap-1 px-2',
                  at === 0 && (hasButton || isShort ? 'pl-1' : 'pl-3'),
                  column.align === 'end' && 'justify-end',
                )}
                hasChevronRoom={at === 0 && isTree && onToggleAll === undefined}
              />
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface TitleProps {
  readonly column: TitledColumn;
  readonly sorted: TableSort | undefined;
  readonly onSort: (() => void) | undefined;
  readonly look: string;
  readonly hasChevronRoom: boolean;
}

function Title({ column, sorted, onSort, look, hasChevronRoom }: TitleProps) {
  const Arrow = sorted?.descending === true ? ArrowDown : ArrowUp;
  const text = (
    <>
      {hasChevronRoom && <ChevronRoom />}
      <span className={classNames('truncate', column.isPrivate && 'private')} title={column.hint ?? column.title}>
        {column.title}
      </span>
    </>
  );
  if (onSort === undefined) return <span className={look}>{text}</span>;
  return (
    <button type="button" tabIndex={-1} onClick={onSort} className={`${look} hover:text-text`}>
      {text}
      {sorted !== undefined && <Arrow size={12} className="shrink-0" aria-hidden />}
    </button>
  );
}

interface TotalsProps<Row> extends EdgeProps<TableColumn<Row>> {
  readonly rowIndex: number;
}

export function Totals<Row>(props: TotalsProps<Row>) {
  const { columns, first, isPinned, isShort, isTree, minWidth, rowIndex } = props;
  return (
    <tfoot
      role="rowgroup"
      style={{ minWidth }}
      className={isShort ? 'contents' : 'sticky bottom-0 z-10 mt-auto block shrink-0 bg-surface-1'}
    >
      <tr
        role="row"
        aria-rowindex={isShort ? undefined : rowIndex}
        style={{ [isShort ? 'minHeight' : 'height']: HEAD_HEIGHT }}
        className={classNames(
          rowLook(isShort),
          'border-t text-strong',
          isShort ? 'border-line' : 'border-edge bg-surface-1 font-medium',
        )}
      >
        {columns.map(({ column, at }) => (
          <td
            key={column.id}
            role={isShort ? 'cell' : 'gridcell'}
            aria-colindex={isShort ? undefined : at + 1}
            className={classNames(
              'flex min-w-0 items-center gap-1 overflow-hidden px-2 whitespace-nowrap',
              column.align === 'end' && 'num justify-end text-12',
              at === 0 && (isShort ? 'pl-1' : 'pl-3'),
              at === 0 && isPinned && 'sticky left-0 z-[1] bg-inherit',
              at === first && at > 0 && 'col-start-3',
            )}
          >
            {at === 0 && isTree && <ChevronRoom />}
            {at === 0 ? (column.total ?? 'Total') : column.total}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
