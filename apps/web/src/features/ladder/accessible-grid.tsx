/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- a table whose boxes are blocks has lost the roles of its tags */
import { type Ref, type RefObject, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { AccessibleRows } from './accessible-rows.ts';
import type { LadderPane } from './canvas/pane.ts';
import type { PaneView } from './canvas/pane-types.ts';
import type { LaneMark } from './canvas/theme.ts';

const HEADINGS = ['Side', 'Price', 'Size', 'Orders', 'Cumulative', 'Last 5 s', 'Own orders'] as const;

/** Receives what the pane shows. */
export interface AccessibleGridHandle {
  show(view: PaneView): void;
}

interface AccessibleGridProps {
  readonly coin: string;
  readonly pane: RefObject<LadderPane | null>;
  readonly selected: LevelRef | undefined;
  /** Names of the rows' marks, from 1. */
  readonly marks: readonly Pick<LaneMark, 'name'>[];
  readonly ref: Ref<AccessibleGridHandle>;
}

/**
 * The drawn rows as an accessible grid: what a screen reader reads, where the keyboard focus is, and what tests compare with the
 * venue. It lies invisible over the canvas and lets the pointer through. Rows run from the highest price down, as drawn; `data-`
 * attributes hold the exact texts of one frame. Cells carry their words as accessible names, because invisible text content would
 * need a new layout at every refresh. React renders the empty table; `AccessibleRows` writes its content.
 */
export function AccessibleGrid({ coin, pane, selected, marks, ref }: AccessibleGridProps) {
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const grid = useRef<AccessibleRows>(null);
  const [focused, setFocused] = useState(false);
  useLayoutEffect(() => {
    if (table.current !== null && body.current !== null)
      grid.current = new AccessibleRows(table.current, body.current, id);
  }, [id]);
  useImperativeHandle(ref, () => ({ show: (view) => grid.current?.show(view) }), []);
  useLayoutEffect(() => grid.current?.follow(coin), [coin]);
  useLayoutEffect(() => grid.current?.select(selected), [selected]);
  useLayoutEffect(() => grid.current?.name(marks), [marks]);
  return (
    <div
      className={`pointer-events-none absolute inset-0 overflow-hidden ${focused ? 'outline-2 -outline-offset-2 outline-accent' : ''}`}
    >
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid of rows is this pattern
        role="grid"
        aria-describedby={`${id}-keys`}
        tabIndex={0}
        data-part="ladder-grid"
        onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => {
          setFocused(false);
          pane.current?.clearActive();
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
        <tbody ref={body} role="rowgroup" className="block" />
      </table>
    </div>
  );
}
