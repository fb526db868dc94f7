/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a grid of the rows in sight only, as in ui/grid/grid.tsx */
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import type { RowSource } from '../grid/grid-column.ts';
import { HEAD_HEIGHT, Heading } from '../grid/grid-edges.tsx';
import { leftEdges, shownColumns, template } from '../grid/grid-tracks.ts';
import { useRowHeight } from '../grid/use-row-height.ts';
import { readGridTheme } from './canvas/grid-theme.ts';
import { openGridPainter } from './canvas/open-grid-painter.ts';
import type { LiveColumn } from './live-column.ts';
import { LiveView } from './live-view.ts';
import { watchSize } from './watch-size.ts';

interface LiveGridProps<Row> {
  /** Its accessible name. */
  readonly name: string;
  /** A stable list. */
  readonly columns: readonly LiveColumn<Row>[];
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  /** Key of the row shown in the inspector. */
  readonly selected?: string | undefined;
  /** Called on Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** The block that the rows belong to; undefined before there is one. */
  readonly height: number | undefined;
  /** Whether the shown book is held, so that the rows do not change. */
  readonly isStill: boolean;
  /** Shown if there are no rows: `<Empty>`. */
  readonly empty?: ReactNode;
}

/**
 * A grid whose rows change many times a second. They are drawn on a canvas, off the page's thread. Over the canvas lies a
 * transparent DOM grid that scrolls, has the focus, handles the keys and carries the same text for screen readers (`TwinRows`).
 */
export function LiveGrid<Row extends object>(props: LiveGridProps<Row>) {
  const { name, columns, rows, keyOf, selected, height, isStill, empty } = props;
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const view = useRef<LiveView<Row>>(null);
  const rowHeight = useRowHeight();
  const hidesPrivate = usePreferences((state) => state.privacy);
  const onOpen = useEffectEvent((row: Row) => props.onOpen?.(row));
  const options = useMemo(
    () => ({ columns, rows, keyOf, selected, rowHeight, height, isStill, hidesPrivate }),
    [columns, rows, keyOf, selected, rowHeight, height, isStill, hidesPrivate],
  );
  const firstOptions = useEffectEvent(() => options);

  useLayoutEffect(() => {
    if (place.current === null || scroller.current === null || body.current === null) return undefined;
    const root = document.documentElement;
    const painter = openGridPainter(place.current, readGridTheme(root));
    const opened = new LiveView<Row>(scroller.current, body.current, id, painter, { ...firstOptions(), onOpen });
    view.current = opened;
    const stop = watchSize(place.current, scroller.current, (size, width) => opened.resize(size, width));
    const themes = new MutationObserver(() => opened.setTheme(readGridTheme(root)));
    themes.observe(root, { attributeFilter: ['data-theme', 'data-palette'] });
    return () => {
      themes.disconnect();
      stop();
      opened.close();
      view.current = null;
    };
  }, [id]);

  useLayoutEffect(() => view.current?.setOptions({ ...options, onOpen }), [options]);

  const drawn = useMemo(
    () => ({ firstRow: 0, endRow: 0, firstColumn: 1, endColumn: columns.length, isPinned: false }),
    [columns],
  );
  // Memoised: the rows change many times a second, the column titles rarely.
  const heading = useMemo(
    () => (
      <Heading
        id={id}
        columns={shownColumns(columns, 1, columns.length)}
        drawn={drawn}
        isTree={false}
        onToggleAll={undefined}
        areAllOpen={false}
        sort={undefined}
        onSort={undefined}
        active={undefined}
      />
    ),
    [id, columns, drawn],
  );
  const isEmpty = rows.length === 0;
  return (
    <div className="relative isolate min-h-0 min-w-0 grow">
      <div
        ref={place}
        aria-hidden
        className="absolute inset-x-0 bottom-0 overflow-hidden"
        style={{ top: HEAD_HEIGHT }}
      />
      <div
        ref={scroller}
        role="grid"
        aria-label={name}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        tabIndex={0}
        data-arrows
        className="absolute inset-0 flex flex-col overflow-auto -outline-offset-2 contain-strict"
      >
        <div
          style={{ minWidth: leftEdges(columns).at(-1), '--columns': template(columns, drawn) }}
          className="flex shrink-0 flex-col"
        >
          {heading}
          <div
            ref={body}
            role={isEmpty ? undefined : 'rowgroup'}
            style={{ height: rows.length * rowHeight }}
            className="relative shrink-0"
          />
        </div>
        {isEmpty && (
          // A grid may contain only rows. The content shown instead of rows may have buttons, so it is put into a cell.
          <div role="row" className="sticky left-0 flex grow">
            <div role="gridcell" className="flex min-w-0 grow">
              {empty}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
