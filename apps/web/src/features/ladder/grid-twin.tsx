import { memo, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { LevelRef } from '../../live/messages.ts';
import { grouped, sizeText, wholeText } from '../../ui/format.ts';
import type { LadderPane, PaneView } from './canvas/pane.ts';
import type { LadderSnapshot, SnapshotRow } from './snapshot.ts';

interface GridTwinProps {
  readonly coin: string;
  readonly snapshot: LadderSnapshot | undefined;
  readonly view: PaneView;
  readonly pane: RefObject<LadderPane | null>;
  readonly selected: LevelRef | undefined;
}

/**
 * The drawn rows as a grid: what a screen reader reads, where the keyboard's focus is, and what tests compare with the
 * venue. It lies unseen over the canvas and lets the pointer through. Rows run from the highest price down, as drawn;
 * `data-` attributes hold the exact texts of one frame. Cells carry their words as names: unseen text would have to be
 * laid out anew at every refresh.
 */
export function GridTwin({ coin, snapshot, view, pane, selected }: GridTwinProps) {
  const id = useId();
  const grid = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(false);
  const hasActive = view.active !== undefined;
  // An arrow key anywhere on the page begins here: the focus follows to where the rows are read.
  useEffect(() => {
    if (hasActive) grid.current?.focus();
  }, [hasActive]);
  const rowId = (index: number) => `${id}-${index}`;
  return (
    <div
      className={`pointer-events-none absolute inset-0 overflow-hidden ${focused ? 'outline-2 -outline-offset-2 outline-accent' : ''}`}
    >
      <table
        ref={grid}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid of rows is this pattern
        role="grid"
        aria-label={`${coin} order book, ${snapshot === undefined ? 'no rows yet' : `grouped by ${snapshot.tick}`}`}
        aria-describedby={`${id}-keys`}
        aria-activedescendant={view.active === undefined ? undefined : rowId(view.active)}
        tabIndex={0}
        data-part="ladder-grid"
        data-coin={snapshot?.coin}
        data-tick={snapshot?.tick}
        data-height={snapshot?.height}
        data-seq={snapshot?.seq}
        data-epoch={snapshot?.epoch}
        onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => {
          setFocused(false);
          pane.current?.clearActive();
        }}
        className="num absolute inset-0 w-full table-fixed opacity-0 outline-none contain-strict"
      >
        <caption id={`${id}-keys`}>Arrow keys choose a level, Enter opens its orders, Space recentres.</caption>
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Price</th>
            <th scope="col">Size</th>
            <th scope="col">Orders</th>
            <th scope="col">Cumulative</th>
          </tr>
        </thead>
        <tbody>{snapshot !== undefined && rowsOf(snapshot, rowId, view.active, selected)}</tbody>
      </table>
    </div>
  );
}

function rowsOf(
  snapshot: LadderSnapshot,
  rowId: (index: number) => string,
  active: number | undefined,
  selected: LevelRef | undefined,
) {
  const row = (item: SnapshotRow) => (
    <GridRow
      key={item.index}
      id={rowId(item.index)}
      row={item}
      decimals={snapshot.sizeDecimals}
      active={item.index === active}
      selected={item.side === selected?.side && item.px === selected.px}
    />
  );
  const firstBid = snapshot.rows.findIndex(({ side }) => side === 'B');
  const asks = firstBid < 0 ? snapshot.rows : snapshot.rows.slice(0, firstBid);
  const bids = firstBid < 0 ? [] : snapshot.rows.slice(firstBid);
  return [...asks.map(row), <SpreadRow key="spread" snapshot={snapshot} />, ...bids.map(row)];
}

function SpreadRow({ snapshot: { spread, spreadBps, mid } }: { readonly snapshot: LadderSnapshot }) {
  return (
    <tr data-part="spread" data-spread={spread} data-bps={spreadBps} data-mid={mid}>
      <td
        colSpan={5}
        aria-label={spread === '' ? 'Spread none' : `Spread ${spread}, ${spreadBps} basis points, mid ${mid}`}
      />
    </tr>
  );
}

interface GridRowProps {
  readonly id: string;
  readonly row: SnapshotRow;
  readonly decimals: number;
  readonly active: boolean;
  readonly selected: boolean;
}

const GridRow = memo(
  function GridRow({ id, row, decimals, active, selected }: GridRowProps) {
    const { side, px, sz, count, cumulative } = row;
    return (
      <tr
        id={id}
        data-side={side}
        data-px={px}
        data-sz={sz}
        data-cum={cumulative}
        data-count={count}
        data-active={active}
        aria-selected={selected}
        className="h-5"
      >
        <td aria-label={side === 'A' ? 'Ask' : 'Bid'} />
        <td aria-label={grouped(px)} />
        <td aria-label={sizeText(sz, decimals)} />
        <td aria-label={wholeText(count)} />
        <td aria-label={sizeText(cumulative, decimals)} />
      </tr>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.decimals === after.decimals &&
    before.row.px === after.row.px &&
    before.row.side === after.row.side &&
    before.row.sz === after.row.sz &&
    before.row.count === after.row.count &&
    before.row.cumulative === after.row.cumulative,
);
