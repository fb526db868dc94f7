/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a grid of the rows in sight only, as in ui/grid/grid.tsx */
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { openPainter } from '../draw/open-painter.ts';
import { watchSize } from '../draw/watch-size.ts';
import { HEAD_HEIGHT, Heading } from '../grid/grid-edges.tsx';
import { leftEdges, shownColumns, template } from '../grid/grid-tracks.ts';
import { useRowHeight } from '../grid/use-row-height.ts';
import { GridPainter } from './grid-painter.ts';
import type { LiveColumn } from './live-column.ts';
import { type LiveRows, LiveView, type Sight } from './live-view.ts';

/** The rows of a live grid as a store, because React renders a grid only when it becomes empty or is no longer empty. */
export interface LiveSource<Row> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => LiveRows<Row>;
}

interface LiveGridProps<Row> {
  /** Its accessible name. */
  readonly name: string;
  /** A stable list. */
  readonly columns: readonly LiveColumn<Row>[];
  readonly source: LiveSource<Row>;
  readonly keyOf: (row: Row) => string;
  /** Key of the row shown in the inspector. */
  readonly selected?: string | undefined;
  /** The keyboard stays on its row when the rows move. */
  readonly followsRow?: boolean;
  /** Called on Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Called when more or fewer rows are seen (`useListLimit`). */
  readonly onSight?: (sight: Sight) => void;
  /** Shown if there are no rows: `<Empty>`. */
  readonly empty?: ReactNode;
}

/**
 * A grid whose rows change many times a second. They are drawn on a canvas, off the page's thread. Over the canvas lies a
 * transparent DOM grid that scrolls, has the focus, handles the keys and carries the same text for screen readers (`TwinRows`).
 */
export function LiveGrid<Row extends object>(props: LiveGridProps<Row>) {
  const { name, columns, source, keyOf, selected, followsRow = false, empty } = props;
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const view = useRef<LiveView<Row>>(null);
  const rowHeight = useRowHeight();
  const hidesPrivate = usePreferences((state) => state.privacy);
  const onOpen = useEffectEvent((row: Row) => props.onOpen?.(row));
  const onSight = useEffectEvent((sight: Sight) => props.onSight?.(sight));
  const options = useMemo(
    () => ({ columns, keyOf, selected, followsRow, rowHeight, hidesPrivate }),
    [columns, keyOf, selected, followsRow, rowHeight, hidesPrivate],
  );
  const firstOptions = useEffectEvent(() => options);

  useLayoutEffect(() => {
    if (place.current === null || scroller.current === null || body.current === null) return undefined;
    const painter = openPainter(place.current, 'rows', GridPainter);
    const options = { ...firstOptions(), onOpen, onSight };
    const opened = new LiveView<Row>(scroller.current, body.current, id, painter, options, source.read());
    view.current = opened;
    const end = source.subscribe(() => opened.setRows(source.read()));
    const { current: box } = scroller;
    const stop = watchSize(place.current, (size) => opened.resize(size, box.clientWidth), box);
    return () => {
      stop();
      end();
      opened.close();
      view.current = null;
    };
  }, [id, source]);

  useLayoutEffect(() => view.current?.setOptions({ ...options, onOpen, onSight }), [options]);

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
  const isEmpty = useSyncExternalStore(source.subscribe, () => source.read().rows.length === 0);
  return (
    <div className="focus-area isolate min-h-0 min-w-0 grow">
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
        aria-colcount={columns.length}
        tabIndex={0}
        data-arrows
        className="absolute inset-0 flex flex-col overflow-auto contain-strict"
      >
        <div
          style={{ minWidth: leftEdges(columns).at(-1), '--columns': template(columns, drawn) }}
          className="flex shrink-0 flex-col"
        >
          {heading}
          <div ref={body} role={isEmpty ? undefined : 'rowgroup'} className="relative shrink-0" />
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
