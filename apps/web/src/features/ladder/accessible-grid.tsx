/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- a table whose boxes are blocks has lost the roles of its tags */
import { memo, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { decimalText, grouped, wholeText } from '../../ui/format.ts';
import type { LadderHandle } from './canvas/ladder-handle.ts';
import type { SceneView } from './canvas/scene-types.ts';
import type { LaneMark } from './canvas/theme.ts';
import { isMenuKey } from './menu/menu-target.ts';
import { ownText } from './own-text.ts';
import type { LadderSnapshot, SnapshotRow } from './snapshot.ts';

const HEADINGS = ['Side', 'Price', 'Size', 'Orders', 'Cumulative', 'Last 5 s', 'Own orders'] as const;

interface AccessibleGridProps {
  readonly coin: string;
  readonly pane: RefObject<LadderHandle | null>;
  readonly selected: LevelRef | undefined;
  /** Names of the rows' marks, from 1. */
  readonly marks: readonly Pick<LaneMark, 'name'>[];
  /** What the ladder shows; undefined before there is anything. */
  readonly view: SceneView | undefined;
}

/**
 * The drawn rows as an accessible grid: what a screen reader reads, where the keyboard focus is, and what tests compare with the
 * venue. It lies invisible over the canvas and lets the pointer through. Rows run from the highest price down, as drawn; `data-`
 * attributes hold the exact texts of one frame. Cells carry their words as accessible names, because invisible text would be laid
 * out, and found by the browser's search.
 */
export const AccessibleGrid = memo(function AccessibleGrid(props: AccessibleGridProps) {
  const { coin, pane, selected, marks, view } = props;
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(false);
  const snapshot = view?.snapshot?.coin === coin ? view.snapshot : undefined;
  const active = activeRow(snapshot?.rows ?? [], view?.active);
  const isActive = view?.active !== undefined;
  // An arrow key anywhere on the page starts here: the focus moves to where the rows are read.
  useEffect(() => {
    if (!isActive) return;
    table.current?.focus();
    // A menu gives the focus back, unless it goes elsewhere.
    const ending = new AbortController();
    const onFocus = ({ target }: FocusEvent) => {
      if (target !== table.current && !isInMenu(target)) pane.current?.run({ kind: 'clearActive' });
    };
    document.addEventListener('focusin', onFocus, ending);
    return () => ending.abort();
  }, [isActive, pane]);
  const asks = snapshot?.rows.filter(({ side }) => side === 'A') ?? [];
  const bids = snapshot?.rows.filter(({ side }) => side === 'B') ?? [];
  const rowId = ({ side, index }: SnapshotRow) => `${id}-${side}${index}`;
  const row = (of: SnapshotRow) => (
    <Row
      key={rowId(of)}
      {...of}
      id={rowId(of)}
      own={of.own && ownText(of.own, marks[of.own.mark - 1]?.name ?? '', snapshot?.sizeDecimals ?? 0)}
      decimals={snapshot?.sizeDecimals ?? 0}
      isActive={of === active}
      isSelected={of.side === selected?.side && of.px === selected.px}
    />
  );
  return (
    <div
      className={`pointer-events-none absolute inset-0 overflow-hidden ${focused ? 'outline-2 -outline-offset-2 outline-accent' : ''}`}
    >
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid of rows is this pattern
        role="grid"
        aria-label={`${coin} order book, ${snapshot === undefined ? 'no rows yet' : `grouped by ${snapshot.tick}`}`}
        aria-describedby={`${id}-keys`}
        aria-activedescendant={active && rowId(active)}
        tabIndex={0}
        data-part="ladder-grid"
        data-coin={snapshot?.coin}
        data-tick={snapshot?.tick}
        data-height={snapshot?.height}
        data-seq={snapshot?.seq}
        data-epoch={snapshot?.epoch}
        onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
        onKeyDown={(event) => {
          if (!isMenuKey(event)) return;
          event.preventDefault();
          pane.current?.run({ kind: 'menuAtActive' });
        }}
        onBlur={({ relatedTarget }) => {
          setFocused(false);
          if (!isInMenu(relatedTarget)) pane.current?.run({ kind: 'clearActive' });
        }}
        className="num absolute inset-0 block opacity-0 outline-none contain-strict"
      >
        <caption id={`${id}-keys`}>
          Up and down select a level, left and right an order of it, Enter opens what is selected, Space recentres.
        </caption>
        <thead role="rowgroup" className="block">
          <tr role="row" className="flex">
            {HEADINGS.map((heading) => (
              <th key={heading} scope="col" role="columnheader">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block">
          {asks.map(row)}
          {snapshot !== undefined && <Spread {...snapshot} />}
          {bids.map(row)}
        </tbody>
      </table>
    </div>
  );
});

const isInMenu = (element: EventTarget | null) =>
  element instanceof Element && element.closest('[data-part=context-menu]') !== null;

/** The keyboard's row; if two rows have its price, the ask. */
function activeRow(rows: readonly SnapshotRow[], index: number | undefined): SnapshotRow | undefined {
  const at = rows.filter((row) => row.index === index);
  return at.find(({ side }) => side === 'A') ?? at[0];
}

interface RowProps extends Omit<SnapshotRow, 'own' | 'index'> {
  readonly id: string;
  readonly own: string | undefined;
  readonly decimals: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
}

/** A row stays the same element while its price is visible, so that a screen reader keeps its place. */
const Row = memo(function Row({ id, side, px, sz, count, cumulative, flow, own, ...more }: RowProps) {
  const { decimals, hasAlert, isActive, isSelected } = more;
  const cells = {
    side: side === 'A' ? 'Ask' : 'Bid',
    px: `${grouped(px)}${hasAlert ? ', alert' : ''}`,
    sz: decimalText(sz, decimals),
    count: wholeText(count),
    cumulative: decimalText(cumulative, decimals),
    flow: flow || 'nothing',
    own: own ?? 'none',
  };
  return (
    <tr
      id={id}
      role="row"
      aria-selected={isSelected}
      data-side={side}
      data-px={px}
      data-sz={sz}
      data-count={count}
      data-cum={cumulative}
      data-flow={flow || undefined}
      data-own={own}
      data-alert={hasAlert || undefined}
      data-active={isActive}
      className="flex h-5"
    >
      {Object.entries(cells).map(([name, words]) => (
        <td key={name} role="gridcell" aria-label={words} className="flex-1" />
      ))}
    </tr>
  );
});

function Spread({ spread, spreadBps, mid }: Pick<LadderSnapshot, 'spread' | 'spreadBps' | 'mid'>) {
  const words = spread === '' ? 'No spread' : `Spread ${spread}, ${spreadBps} basis points, mid ${mid}`;
  return (
    <tr role="row" data-part="spread" data-spread={spread} data-bps={spreadBps} data-mid={mid} className="flex h-5">
      <td role="gridcell" aria-label={words} className="flex-1" />
    </tr>
  );
}
