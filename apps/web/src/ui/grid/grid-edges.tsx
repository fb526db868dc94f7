/* oxlint-disable jsx-a11y/prefer-tag-over-role -- parts of a drawn grid, as in grid.tsx */
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import { classNames } from '../class-names.ts';
import type { DrawnRange } from './drawn-range.ts';
import { type GridColumn, type GridSort, nextSort, type TitledColumn } from './grid-column.ts';
import { ChevronRoom } from './grid-row.tsx';
import type { ShownColumn } from './grid-tracks.ts';

/** Height of the heading and of the totals, px. */
export const HEAD_HEIGHT = 28;

interface HeadingProps {
  readonly id: string;
  readonly columns: readonly ShownColumn<TitledColumn>[];
  readonly drawn: DrawnRange;
  readonly isTree: boolean;
  /** Opens or closes every group; undefined if there are none. */
  readonly onToggleAll: (() => void) | undefined;
  readonly areAllOpen: boolean;
  readonly sort: GridSort | undefined;
  readonly onSort: ((sort: GridSort | undefined) => void) | undefined;
  readonly active: number | undefined;
}

/** The row of column titles, which stays in view. */
export function Heading(props: HeadingProps) {
  const { id, columns, drawn, isTree, onToggleAll, areAllOpen, sort, onSort, active } = props;
  const Chevron = areAllOpen ? ChevronDown : ChevronRight;
  return (
    <div role="rowgroup" className="sticky top-0 z-10 shrink-0 bg-surface-1">
      <div
        role="row"
        aria-rowindex={1}
        style={{ height: HEAD_HEIGHT }}
        className="grid w-full grid-cols-(--columns) border-b border-line bg-surface-1"
      >
        {columns.map(({ column, at }) => {
          const sorted = sort?.column === column.id ? sort : undefined;
          const Arrow = sorted?.descending === true ? ArrowDown : ArrowUp;
          const words = (
            <>
              {at === 0 && isTree && onToggleAll === undefined && <ChevronRoom />}
              <span
                className={classNames('truncate', column.isPrivate && 'private')}
                title={column.hint ?? column.title}
              >
                {column.title}
              </span>
            </>
          );
          const look = classNames(
            'flex min-w-0 grow items-center gap-1 px-2',
            at === 0 && (onToggleAll === undefined ? 'pl-3' : 'pl-1'),
            column.align === 'end' && 'justify-end',
          );
          return (
            <div
              key={column.id}
              id={`${id}-head-${at}`}
              role="columnheader"
              aria-colindex={at + 1}
              aria-sort={sorted === undefined ? undefined : sorted.descending ? 'descending' : 'ascending'}
              className={classNames(
                'flex min-w-0 items-stretch text-12',
                sorted === undefined ? 'text-dim' : 'text-strong',
                at === 0 && drawn.isPinned && 'sticky left-0 z-[1] bg-inherit',
                at === drawn.firstColumn && at > 0 && 'col-start-3',
                at === active &&
                  'group-focus/grid:outline-2 group-focus/grid:-outline-offset-2 group-focus/grid:outline-accent',
              )}
            >
              {at === 0 && onToggleAll !== undefined && (
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
              {column.sortable && onSort !== undefined ? (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={() => onSort(nextSort(sort, column))}
                  className={`${look} hover:text-text`}
                >
                  {words}
                  {sorted !== undefined && <Arrow size={12} className="shrink-0" aria-hidden />}
                </button>
              ) : (
                <span className={look}>{words}</span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface TotalsProps<Row> {
  readonly columns: readonly ShownColumn<GridColumn<Row>>[];
  readonly drawn: DrawnRange;
  readonly isTree: boolean;
  readonly title: string;
  readonly rowIndex: number;
}

/** The totals row, which stays in view. */
export function Totals<Row>({ columns, drawn, isTree, title, rowIndex }: TotalsProps<Row>) {
  return (
    <div role="rowgroup" className="sticky bottom-0 z-10 mt-auto shrink-0 bg-surface-1">
      <div
        role="row"
        aria-rowindex={rowIndex}
        style={{ height: HEAD_HEIGHT }}
        className="grid w-full grid-cols-(--columns) border-t border-edge bg-surface-1 font-medium text-strong"
      >
        {columns.map(({ column, at }) => (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={at + 1}
            className={classNames(
              'flex min-w-0 items-center gap-1 overflow-hidden px-2 whitespace-nowrap',
              column.align === 'end' && 'num justify-end text-12',
              at === 0 && 'pl-3',
              at === 0 && drawn.isPinned && 'sticky left-0 z-[1] bg-inherit',
              at === drawn.firstColumn && at > 0 && 'col-start-3',
            )}
          >
            {at === 0 && isTree && <ChevronRoom />}
            {at === 0 ? (column.total ?? title) : column.total}
          </div>
        ))}
      </div>
    </div>
  );
}
