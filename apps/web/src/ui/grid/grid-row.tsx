/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a grid of drawn parts only: a table has all its
   rows, and its cells scroll apart from its heading; the grid itself has the focus and the keys, as the pattern says */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { shallow } from 'zustand/shallow';
import { classNames } from '../class-names.ts';
import type { GridColumn, RowState } from './grid-column.ts';
import type { PlacedRow } from './grid-rows.ts';
import type { ShownColumn } from './grid-tracks.ts';

/** A sign shown in addition to the colour of each state. */
const SIGNS = { error: '!', stale: '~', never: '–' } as const;

interface GridRowProps<Row> {
  /** Element id of the active cell, if it is in this row. */
  readonly activeId: string | undefined;
  readonly placed: PlacedRow<Row>;
  readonly index: number;
  /** A stable list. */
  readonly columns: readonly ShownColumn<GridColumn<Row>>[];
  readonly firstColumn: number;
  readonly isPinned: boolean;
  readonly height: number;
  readonly selected: boolean;
  /** The active column, if this is the active row. */
  readonly active: number | undefined;
  /** The column under the pointer, if the pointer is on this row. */
  readonly pointed: string | undefined;
  readonly state: RowState | undefined;
  readonly isTree: boolean;
}

function PlainGridRow<Row>(props: GridRowProps<Row>) {
  const { activeId, placed, index, columns, firstColumn, isPinned, height, selected } = props;
  const { active, pointed, state, isTree } = props;
  const kind = state?.kind ?? 'ok';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-level={isTree ? placed.level + 1 : undefined}
      aria-expanded={placed.open}
      data-row={index}
      data-key={placed.key}
      data-state={kind}
      style={{ height, '--line': `${height}px` }}
      className={classNames(
        'grid w-full grid-cols-(--columns) border-b border-line/60',
        selected ? 'bg-accent-soft' : 'bg-surface-0 hover:bg-surface-2',
        kind !== 'ok' && 'text-dim',
      )}
    >
      {columns.map(({ column, at }) => {
        const content = column.cell(placed.row);
        const isClipped = !isShortNumber(content, column);
        // A cell with only text needs no element inside: there are hundreds of such cells.
        const isText = typeof content === 'string' && at > 0;
        const isEnd = column.align === 'end';
        return (
          <div
            key={column.id}
            // An id that changes with the row's position would cost a style recalculation of every cell.
            id={at === active ? activeId : undefined}
            role="gridcell"
            aria-colindex={at + 1}
            data-column={column.id}
            title={titleOf(column, placed.row, pointed === column.id, isClipped ? content : undefined)}
            className={classNames(
              'min-w-0 px-2 whitespace-nowrap',
              // As high as the row with its border: one pixel less would put text a pixel above content that is centred in a
              // box.
              isText ? '-mb-px leading-(--line)' : 'flex items-center gap-1',
              // Sideways only: enlarged texts may be higher than the row.
              isClipped && (isText ? 'overflow-x-clip text-ellipsis' : 'overflow-x-clip'),
              isEnd && (isText ? 'num text-right text-12' : 'num justify-end text-12'),
              column.lookOf?.(placed.row),
              at === 0 && 'pl-3',
              at === 0 && isPinned && 'sticky left-0 z-[1] bg-inherit',
              at === firstColumn && at > 0 && 'col-start-3',
              at === active &&
                'group-focus/grid:outline-2 group-focus/grid:-outline-offset-2 group-focus/grid:outline-accent',
            )}
          >
            {at === 0 && <FirstCell placed={placed} state={state} isTree={isTree} />}
            {isClipped && !isText ? <Clip>{content}</Clip> : content}
          </div>
        );
      })}
    </div>
  );
}

/** One row of the grid; rerenders only when something in it changed. */
export const GridRow = memo(PlainGridRow, isSameRow) as typeof PlainGridRow;

/**
 * `placed` and `state` are recreated on every render, and a live row with every response, so they are compared by their
 * content.
 */
function isSameRow<Row>(now: GridRowProps<Row>, next: GridRowProps<Row>): boolean {
  const { placed, state, ...rest } = now;
  const { placed: nextPlaced, state: nextState, ...nextRest } = next;
  const { row, ...place } = placed;
  const { row: nextRow, ...nextPlace } = nextPlaced;
  return shallow(row, nextRow) && shallow(place, nextPlace) && shallow(state, nextState) && shallow(rest, nextRest);
}

/** Widths in px: a digit of a number, and the padding of a cell. */
const DIGIT = 7.2;
const PADDING = 16;

/** Whether a text surely fits its column. Clipping costs time in every frame, so numbers that fit are not clipped. */
function isShortNumber<Row>(content: React.ReactNode, { align, width }: GridColumn<Row>): boolean {
  return typeof content === 'string' && align === 'end' && content.length * DIGIT + PADDING <= width;
}

/** The tooltip of a cell: its column's hint, or the whole text if it may be cut. */
function titleOf<Row>(
  { hintOf }: GridColumn<Row>,
  row: Row,
  isPointed: boolean,
  clipped: React.ReactNode,
): string | undefined {
  if (hintOf !== undefined) return isPointed ? hintOf(row) : undefined;
  return typeof clipped === 'string' && clipped.length > 24 ? clipped : undefined;
}

function Clip({ children }: { readonly children: React.ReactNode }) {
  return typeof children === 'string' ? <span className="truncate">{children}</span> : children;
}

/** Empty space in the first column of a tree for a row without children, so that names are aligned. */
export function ChevronRoom() {
  return <span aria-hidden className="w-4 shrink-0" />;
}

function FirstCell<Row>({ placed, state, isTree }: Pick<GridRowProps<Row>, 'placed' | 'state' | 'isTree'>) {
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
