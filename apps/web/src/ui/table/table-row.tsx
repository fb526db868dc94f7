/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- laid out as grids, the tags of a table may lose their roles */
import { replaceEqualDeep } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { shallow } from 'zustand/shallow';
import { classNames } from '../class-names.ts';
import type { PlacedRow } from './placed-rows.ts';
import type { RowState, TableColumn } from './table-column.ts';
import { isSurelyInside, type ShownColumn } from './table-layout.ts';

/** A sign shown in addition to the colour of each state. */
const SIGNS = { error: '!', stale: '~', never: '–' } as const;

/** How every row of a table is laid out: heading, rows and totals. */
export interface RowLook<Column> {
  /** The rendered columns. A stable list. */
  readonly columns: readonly ShownColumn<Column>[];
  /** The first rendered column after the pinned one. */
  readonly first: number;
  /** The first column is pinned, because the table scrolls sideways. A pinned cell per row would else add layers for nothing. */
  readonly isPinned: boolean;
  readonly isShort: boolean;
  readonly isTree: boolean;
}

/** Rows of a short table have its columns, rows of any other their own. */
export const rowLook = (isShort: boolean) =>
  isShort ? 'col-span-full grid grid-cols-subgrid' : 'grid w-full grid-cols-(--columns)';

export const ACTIVE =
  'group-focus/table:outline-2 group-focus/table:-outline-offset-2 group-focus/table:outline-accent';

interface CellsProps<Row> extends RowLook<TableColumn<Row>> {
  /** Element id of the active cell, if it is in this row. */
  readonly activeId: string | undefined;
  readonly placed: PlacedRow<Row>;
  readonly active: number | undefined;
  readonly state: RowState | undefined;
}

interface TableRowProps<Row> extends CellsProps<Row> {
  readonly index: number;
  readonly height: number;
  readonly selected: boolean;
  /** Whether it is one of the rows to copy. */
  readonly isMarked: boolean;
  readonly data: Readonly<Record<`data-${string}`, string | number>> | undefined;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { index, height, selected, isMarked, data, ...cells } = props;
  const { placed, state, isShort, isTree } = cells;
  const kind = state?.kind ?? 'ok';
  return (
    <tr
      role="row"
      {...(isShort
        ? { 'aria-current': selected }
        : { 'aria-rowindex': index + 2, 'aria-selected': selected || isMarked, 'aria-expanded': placed.open })}
      aria-level={isTree ? placed.level + 1 : undefined}
      data-row={index}
      data-key={placed.key}
      data-state={kind}
      {...data}
      style={{ [isShort ? 'minHeight' : 'height']: height, '--line': `${height}px` }}
      className={classNames(
        rowLook(isShort),
        !isShort && 'border-b border-line/60',
        isMarked && 'shadow-[inset_3px_0_var(--accent)]',
        selected || isMarked ? 'bg-accent-soft' : isShort ? 'hover:bg-surface-2' : 'bg-surface-0 hover:bg-surface-2',
        selected && isShort && 'text-strong',
        kind !== 'ok' && 'text-dim',
      )}
    >
      <Cells {...cells} />
    </tr>
  );
}

/** The cells do not render again when rows are put before theirs. */
const Cells = memo(PlainCells, isSameRow) as typeof PlainCells;

function PlainCells<Row>(props: CellsProps<Row>): ReactNode {
  const { activeId, placed, columns, first, isPinned, isShort, active, state, isTree } = props;
  return columns.map(({ column, at }) => {
    const content = column.cell === undefined ? column.text?.(placed.row) : column.cell(placed.row);
    const isEnd = column.align === 'end';
    const isClipped = !(isEnd && typeof content === 'string' && isSurelyInside(content, column));
    // A cell with only text needs no element inside: there are hundreds of such cells.
    const isText = typeof content === 'string' && at > 0 && !column.hasSecrets;
    const isHeader = isShort && at === 0;
    const Cell = isHeader ? 'th' : 'td';
    return (
      <Cell
        key={column.id}
        // An id that changes with the row's position would cost a style recalculation of every cell.
        id={at === active ? activeId : undefined}
        role={isHeader ? 'rowheader' : isShort ? 'cell' : 'gridcell'}
        aria-colindex={isShort ? undefined : at + 1}
        data-column={column.id}
        title={column.hintOf?.(placed.row) ?? longText(content)}
        className={classNames(
          'min-w-0 px-2 font-normal whitespace-nowrap',
          // As high as the row with its border: one pixel less would put text a pixel above content that is centred in a
          // box.
          isText ? 'leading-(--line)' : 'flex items-center gap-1',
          isText && !isShort && '-mb-px',
          // Sideways only: enlarged texts may be higher than the row.
          isClipped && (isText ? 'overflow-x-clip text-ellipsis' : 'overflow-x-clip'),
          isEnd && (isText ? 'num text-right text-12' : 'num justify-end text-12'),
          column.lookOf?.(placed.row),
          at === 0 && (isShort ? 'pl-1' : 'pl-3'),
          at === 0 && isPinned && 'sticky left-0 z-[1] bg-inherit',
          at === first && at > 0 && 'col-start-3',
          at === active && ACTIVE,
        )}
      >
        {at === 0 && <FirstCell placed={placed} state={state} isTree={isTree} />}
        {typeof content === 'string' && !isText ? (
          <span className={classNames('truncate', column.hasSecrets && 'private')}>{content}</span>
        ) : (
          content
        )}
      </Cell>
    );
  });
}

export const TableRow = memo(PlainTableRow, isSameRow) as typeof PlainTableRow;

/**
 * `placed`, `state` and `data` are recreated on every render, and a live row with every response, so they are compared by their
 * content.
 */
function isSameRow<Row>(now: ComparedProps<Row>, next: ComparedProps<Row>): boolean {
  const { placed, state, data, ...rest } = now;
  const { placed: nextPlaced, state: nextState, data: nextData, ...nextRest } = next;
  const { row, ...place } = placed;
  const { row: nextRow, ...nextPlace } = nextPlaced;
  if (!shallow(place, nextPlace) || !shallow(rest, nextRest)) return false;
  return shallow(state, nextState) && shallow(data, nextData) && replaceEqualDeep(row, nextRow) === row;
}

type ComparedProps<Row> = CellsProps<Row> & Partial<TableRowProps<Row>>;

const longText = (content: ReactNode) => (typeof content === 'string' && content.length > 24 ? content : undefined);

/** Empty space in the first column of a tree for a row without children, so that names are aligned. */
export function ChevronRoom() {
  return <span aria-hidden className="w-4 shrink-0" />;
}

function FirstCell<Row>({ placed, state, isTree }: Pick<TableRowProps<Row>, 'placed' | 'state' | 'isTree'>) {
  const Chevron = placed.open === true ? ChevronDown : ChevronRight;
  return (
    <>
      {placed.level > 0 && <span aria-hidden style={{ width: placed.level * 16 }} className="shrink-0" />}
      {isTree &&
        (placed.open === undefined ? (
          <ChevronRoom />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            data-toggle
            aria-label={placed.open ? 'Collapse' : 'Expand'}
            className="shrink-0"
          >
            <Chevron size={16} strokeWidth={1.75} aria-hidden />
          </button>
        ))}
      {state !== undefined && state.kind !== 'ok' && (
        <span title={state.text} className="num shrink-0 font-semibold text-stale">
          <span aria-hidden>{SIGNS[state.kind]}</span>
          <span className="sr-only">
            {state.kind}: {state.text}
          </span>
        </span>
      )}
    </>
  );
}
