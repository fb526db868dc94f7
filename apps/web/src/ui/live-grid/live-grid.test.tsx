import { act, StrictMode, useLayoutEffect, useMemo, useState } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawLaterWith } from '../../state/draw-later.ts';
import { type DrawnTexts, stubCanvas } from '../../test-support/canvas.ts';
import { click, only, press, render } from '../../test-support/render.ts';
import { type LiveColumn, numberPart, placeColumns, wordsPart } from './live-column.ts';
import { LiveGrid, type LiveSource } from './live-grid.tsx';
import { type LiveRows, type Sight, TWIN_REST_MS } from './live-view.ts';
import { useListLimit } from './use-list-limit.ts';

interface Item {
  readonly id: number;
}

const COLUMNS: readonly LiveColumn<Item>[] = [
  {
    id: 'block',
    title: 'block',
    width: 100,
    align: 'end',
    parts: ({ id }) => [numberPart(String(id))],
    hintOf: ({ id }) => `at ${id}`,
  },
  {
    id: 'what',
    title: 'what',
    width: 120,
    grow: true,
    parts: ({ id }) => [wordsPart('added'), wordsPart(`refill ${id}`)],
  },
  { id: 'user', title: 'wallet', width: 80, parts: () => [] },
];
const ROW = 20;
/** Rows visible in a grid that is 400 px high. */
const SEEN = 20;

/** Newest first, like the tape; `to` is the id of the first one. */
const items = (count: number, to = count): Item[] => Array.from({ length: count }, (_, at) => ({ id: to - at }));
const keyOf = ({ id }: Item) => `k${id}`;

let drawn: DrawnTexts;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  drawn = stubCanvas();
  // Each colour has the name of its token.
  vi.spyOn(window, 'getComputedStyle').mockReturnValue({ getPropertyValue: (name: string) => name.slice(2) } as never);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(SEEN * ROW);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  return () => vi.useRealTimers();
});

interface Shown {
  readonly rows: readonly Item[];
  readonly height?: number;
  readonly isStill?: boolean;
  readonly isCut?: boolean;
  readonly selected?: string;
  readonly followsRow?: boolean;
  readonly onOpen?: (row: Item) => void;
  readonly onSight?: (sight: Sight) => void;
}

/** A grid whose store holds what was last rendered. */
function Sample({ rows, height = 1, isStill = false, isCut = false, ...rest }: Shown) {
  const [store] = useState(() => new RowStore());
  useLayoutEffect(() => store.set({ rows, height, isStill, isCut }), [store, rows, height, isStill, isCut]);
  return <LiveGrid name="Items" columns={COLUMNS} keyOf={keyOf} source={store} empty={<p>nothing</p>} {...rest} />;
}

class RowStore implements LiveSource<Item> {
  readonly #listeners = new Set<() => void>();
  #live: LiveRows<Item> = { rows: [], height: undefined, isStill: false, isCut: false };

  readonly read = () => this.#live;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(live: LiveRows<Item>): void {
    this.#live = live;
    for (const listener of this.#listeners) listener();
  }
}

const sample = (shown: Shown) => <Sample {...shown} />;

const grid = () => only(document.body, '[role=grid]');
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const cell = (row: number, column: string) => only(document.body, `[data-row="${row}"] [data-column="${column}"]`);
const said = () => rows().map((row) => row.firstElementChild?.getAttribute('aria-label'));
const saidHeight = () => only(document.body, '[role=grid] [role=rowgroup]:last-child').dataset.height;
const rest = () => act(async () => vi.advanceTimersByTime(TWIN_REST_MS));
const active = () => document.getElementById(grid().getAttribute('aria-activedescendant') ?? '');
const blocks = () =>
  drawn
    .take()
    .map(({ text }) => text)
    .filter((text) => /^\d+$/.test(text));

const scrollTo = (top: number) =>
  act(async () => {
    grid().scrollTop = top;
    grid().dispatchEvent(new Event('scroll'));
  });
const point = (type: 'pointermove' | 'pointerleave', x = 0, y = 0) =>
  act(async () => {
    grid().dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y }));
  });
const focus = () => act(async () => grid().focus());

describe('[WEB-111] a live grid', () => {
  it('draws the visible rows, and reports how many there are', async () => {
    await render(sample({ rows: items(300) }));
    expect(blocks().slice(-SEEN)).toEqual(
      items(300)
        .slice(0, SEEN)
        .map(({ id }) => String(id)),
    );
    expect(grid().getAttribute('aria-rowcount')).toBe('301');
    expect([...document.querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent)).toEqual([
      'block',
      'what',
      'wallet',
    ]);
    drawn.take();
    await scrollTo(100 * ROW + 5);
    expect(blocks()).toEqual(
      items(300)
        .slice(100, 101 + SEEN)
        .map(({ id }) => String(id)),
    );
    expect(rows()[0]?.dataset.row).toBe('100');
    expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('102');
  });

  it('has each row once when it is mounted twice, as in development', async () => {
    await render(<StrictMode>{sample({ rows: items(300) })}</StrictMode>);
    expect(said()).toEqual(
      items(300)
        .slice(0, SEEN)
        .map(({ id }) => String(id)),
    );
  });

  it('draws the remaining rows when fewer are left than it was scrolled to', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    await scrollTo(200 * ROW);
    // The browser scrolls back to the remaining rows, and fires the event later.
    grid().scrollTop = 0;
    drawn.take();
    await rerender(sample({ rows: items(5) }));
    expect(blocks().slice(-5)).toEqual(['5', '4', '3', '2', '1']);
    await rest();
    expect(said()).toEqual(['5', '4', '3', '2', '1']);
  });

  it('has no text nodes to lay out: cells have labels, and rows are updated in place', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    const before = rows();
    expect(before).toHaveLength(SEEN);
    expect(before.map(({ textContent }) => textContent).join('')).toBe('');
    expect(cell(0, 'what').getAttribute('aria-label')).toBe('added refill 300');
    expect(cell(0, 'user').hasAttribute('aria-label')).toBe(false);
    await rerender(sample({ rows: items(300, 400) }));
    await rest();
    expect(said()[0]).toBe('400');
    expect(rows().every((row, at) => row === before[at])).toBe(true);
    expect(rows()[0]?.dataset.key).toBe('k400');
    await rerender(sample({ rows: items(3, 400) }));
    await rest();
    expect(said()).toEqual(['400', '399', '398']);
  });

  it('draws each update, and updates the DOM rows once a second, with the block they belong to', async () => {
    const { rerender } = await render(sample({ rows: items(300, 300), height: 1 }));
    drawn.take();
    for (const height of [2, 3, 4]) {
      await rerender(sample({ rows: items(300, 300 + height), height }));
      expect(blocks()[0]).toBe(String(300 + height));
      expect([said()[0], saidHeight()]).toEqual(['300', '1']);
    }
    await rest();
    expect([said()[0], saidHeight()]).toEqual(['304', '4']);
  });

  it('[WEB-101] updates the DOM rows after that second in a later frame, and not once it is gone', async () => {
    const due: (() => void)[] = [];
    onTestFinished(drawLaterWith((draw) => due.push(draw)));
    const { rerender } = await render(sample({ rows: items(300, 300), height: 1 }));
    await rerender(sample({ rows: items(300, 301), height: 2 }));
    await rest();
    expect([said()[0], due.length]).toEqual(['300', 1]);
    await act(async () => due.pop()?.());
    expect([said()[0], saidHeight()]).toEqual(['301', '2']);
    // Rows that come before its turn do not write it, and it is written once.
    await rerender(sample({ rows: items(300, 302), height: 3 }));
    await rest();
    await rerender(sample({ rows: items(300, 303), height: 4 }));
    expect([said()[0], saidHeight()]).toEqual(['301', '2']);
    const turn = () =>
      act(async () => {
        for (const draw of due.splice(0)) draw();
      });
    await turn();
    expect([said()[0], saidHeight()]).toEqual(['303', '4']);
    // Whoever points at it gets it at once, and its turn then writes nothing: a second has not passed.
    await rerender(sample({ rows: items(300, 304), height: 5 }));
    await rest();
    await point('pointermove', 1, 1);
    await point('pointerleave');
    await rerender(sample({ rows: items(300, 305), height: 6 }));
    await turn();
    expect([said()[0], saidHeight()]).toEqual(['304', '5']);
    await rest();
    expect(due).toHaveLength(1);
    const [row] = rows();
    await rerender(null);
    await turn();
    expect(row?.firstElementChild?.getAttribute('aria-label')).toBe('304');
  });

  it('updates the DOM rows at once while it has the focus', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    await rerender(sample({ rows: items(300, 301), height: 2 }));
    expect(said()[0]).toBe('300');
    await focus();
    expect(said()[0]).toBe('301');
    await rerender(sample({ rows: items(300, 302), height: 3 }));
    expect([said()[0], saidHeight()]).toEqual(['302', '3']);
    await act(async () => grid().blur());
    await rerender(sample({ rows: items(300, 303), height: 4 }));
    expect(said()[0]).toBe('302');
  });

  it('updates the DOM rows at once while the pointer is on it', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    await point('pointermove', 10, 100);
    await rerender(sample({ rows: items(300, 301), height: 2 }));
    expect(said()[0]).toBe('301');
    await point('pointerleave');
    await rerender(sample({ rows: items(300, 302), height: 3 }));
    expect(said()[0]).toBe('301');
  });

  it('updates the DOM rows at once while the book is held', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    await rerender(sample({ rows: items(300, 200), height: 2, isStill: true }));
    expect([said()[0], saidHeight()]).toEqual(['200', '2']);
    await rerender(sample({ rows: items(300, 190), height: 3, isStill: true }));
    expect([said()[0], saidHeight()]).toEqual(['190', '3']);
  });

  it('[WEB-14] works by keyboard: the active cell is named, outlined and kept in view', async () => {
    const opened: number[] = [];
    await render(sample({ rows: items(300), onOpen: ({ id }) => opened.push(id) }));
    await focus();
    expect(active()).toBe(cell(0, 'block'));
    await press(grid(), 'ArrowDown');
    await press(grid(), 'ArrowRight');
    expect(active()).toBe(cell(1, 'what'));
    // The second column takes the remaining width.
    expect(drawn.outlines('accent').at(-1)).toMatchObject({ x: 101, y: ROW + 1, width: 418 });
    await press(grid(), 'Enter');
    await press(grid(), 'End');
    expect(active()).toBe(cell(1, 'user'));
    await press(grid(), 'Home');
    await press(grid(), 'PageDown');
    expect(active()).toBe(cell(1 + SEEN - 3, 'block'));
    expect(grid().scrollTop).toBe((2 + SEEN - 3) * ROW - SEEN * ROW + 28);
    await press(grid(), 'PageUp');
    await press(grid(), 'ArrowUp');
    await press(grid(), 'ArrowUp');
    expect(active()).toBe(cell(0, 'block'));
    await press(grid(), 'Enter');
    expect(opened).toEqual([299, 300]);
    await scrollTo(100 * ROW);
    expect(grid().hasAttribute('aria-activedescendant')).toBe(false);
  });

  it('opens the clicked row, and shows a tooltip for the cell under the pointer', async () => {
    const opened: number[] = [];
    await render(sample({ rows: items(300), onOpen: ({ id }) => opened.push(id) }));
    await scrollTo(10 * ROW);
    // The heading is 28 px high, so this is in the third visible row.
    await point('pointermove', 10, 28 + 2 * ROW + 3);
    expect(cell(12, 'block').title).toBe('at 288');
    expect(drawn.rects('surface-2').at(-1)?.y).toBe(2 * ROW);
    await scrollTo(11 * ROW);
    expect(cell(13, 'block').title).toBe('at 287');
    expect(cell(12, 'block').hasAttribute('title')).toBe(false);
    await point('pointermove', 300, 28 + 2 * ROW + 3);
    expect(document.querySelectorAll('[title^="at "]')).toHaveLength(0);
    await click(cell(13, 'what'));
    expect(opened).toEqual([287]);
    await click(grid());
    expect(opened).toEqual([287]);
    await focus();
    expect(active()).toBe(cell(13, 'what'));
  });

  it('marks the selected row', async () => {
    const { rerender } = await render(sample({ rows: items(300) }));
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(0);
    await rerender(sample({ rows: items(300), selected: 'k298' }));
    expect(only(document.body, '[aria-selected=true]').dataset.row).toBe('2');
    expect(drawn.rects('accent-soft').at(-1)?.y).toBe(2 * ROW);
  });

  it('[WEB-171] keeps the keyboard on its row when newer rows come, if it follows it', async () => {
    const opened: number[] = [];
    const onOpen = ({ id }: Item) => opened.push(id);
    const newer = (to: number, followsRow = true) => sample({ rows: items(60, to), height: to, followsRow, onOpen });
    const activeRow = () => active()?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const { rerender } = await render(newer(100));
    await focus();
    await rerender(newer(102));
    expect(activeRow(), 'the row that the focus came to').toBe('2');
    await press(grid(), 'ArrowDown');
    await rerender(newer(105));
    expect(activeRow()).toBe('6');
    await press(grid(), 'Enter');
    await click(cell(1, 'what'));
    await rerender(newer(110));
    await press(grid(), 'Enter');
    expect(opened).toEqual([99, 104, 104]);
    await rerender(newer(200));
    expect(activeRow(), 'the first row in view, once it has left the view').toBe('0');
    await rerender(newer(105));
    expect(activeRow(), 'where it stays').toBe('0');
    await press(grid(), 'ArrowDown');
    await rerender(newer(106));
    expect(activeRow(), 'until the next key').toBe('2');
    await act(async () => grid().blur());
    await rerender(newer(107));
    await focus();
    expect(activeRow(), 'what left is not followed').toBe('2');
    await rerender(newer(107, false));
    await press(grid(), 'ArrowDown');
    await rerender(newer(110, false));
    expect(activeRow(), 'a grid that does not follow').toBe('3');
  });

  it('shows the empty text at once when it has no rows, in a cell, and draws none', async () => {
    const { rerender } = await render(sample({ rows: items(3) }));
    drawn.take();
    await rerender(sample({ rows: [] }));
    expect(only(grid(), '[role=row] > [role=gridcell]').textContent).toBe('nothing');
    expect([rows(), blocks()]).toEqual([[], []]);
    await rerender(sample({ rows: items(2) }));
    expect(said()).toEqual(['2', '1']);
  });
});

/** A list of `most` items that is cut to the rows the grid requests. */
function Limited({ most }: { readonly most: number }) {
  const { limit, onSight } = useListLimit(most);
  const listed = useMemo(() => items(limit, most), [limit, most]);
  return <Sample rows={listed} isCut={limit < most} onSight={onSight} />;
}

describe('[WEB-146] a live grid whose list is long', () => {
  const known = () => grid().getAttribute('aria-rowcount');

  it('requests the rows in view and a few more, and all of them while it is scrolled or has the pointer or the focus', async () => {
    await render(<Limited most={300} />);
    const room = () => only(document.body, '[role=grid] [role=rowgroup]:last-child').style.height;
    expect([known(), room()]).toEqual(['-1', `${32 * ROW}px`]);
    await scrollTo(ROW);
    expect([known(), room()]).toEqual(['301', `${300 * ROW}px`]);
    expect(said()[0]).toBe('299');
    await scrollTo(0);
    expect([known(), said()[0]]).toEqual(['-1', '300']);
    await focus();
    expect(known()).toBe('301');
    await press(grid(), 'PageDown');
    await press(grid(), 'PageDown');
    expect(Number(active()?.closest<HTMLElement>('[data-row]')?.dataset.row)).toBeGreaterThan(32);
    await act(async () => grid().blur());
    await scrollTo(0);
    expect(known()).toBe('-1');
    await point('pointermove', 10, 60);
    expect(known()).toBe('301');
    await point('pointerleave');
    expect(known()).toBe('-1');
  });

  it('keeps its room while nobody uses it and both lists fill the view, so that the scroll bar is not laid out with each block', async () => {
    const room = () => Number.parseInt(only(document.body, '[role=grid] [role=rowgroup]:last-child').style.height, 10);
    const { rerender } = await render(sample({ rows: items(60) }));
    await rerender(sample({ rows: items(57) }));
    expect(room()).toBe(60 * ROW);
    await rerender(sample({ rows: items(3) }));
    expect(room()).toBe(3 * ROW);
    await rerender(sample({ rows: items(50) }));
    expect(room()).toBe(50 * ROW);
    await rerender(sample({ rows: items(58) }));
    expect(room()).toBe(50 * ROW);
    await point('pointermove', 10, 60);
    expect(room()).toBe(58 * ROW);
    await rerender(sample({ rows: items(61) }));
    expect(room()).toBe(61 * ROW);
    await point('pointerleave');
    await rerender(sample({ rows: items(52), isStill: true }));
    expect(room()).toBe(52 * ROW);
    await rerender(sample({ rows: items(300) }));
    expect(room()).toBe(300 * ROW);
  });

  it('keeps its limit when it becomes lower, until it is closed', async () => {
    const limits: number[] = [];
    const rows = [25, 24, 60, 24, 0];
    function Limit() {
      const { limit, onSight } = useListLimit(300);
      return (
        <button type="button" data-limit={limit} onClick={() => onSight({ rows: rows.shift() ?? 0, isUsed: false })}>
          next
        </button>
      );
    }
    await render(<Limit />);
    const button = only(document.body, 'button');
    const note = () => limits.push(Number(button.dataset.limit));
    note();
    while (rows.length > 0) {
      await click(button);
      note();
    }
    expect(limits).toEqual([16, 48, 48, 80, 80, 16]);
  });

  it('requests no more than there may be', async () => {
    await render(<Limited most={9} />);
    expect(known()).toBe('10');
  });
});

it('[WEB-111] gives the remaining width to the one column that may grow', () => {
  expect(placeColumns(COLUMNS, 600).map(({ x, width }) => [x, width])).toEqual([
    [0, 100],
    [100, 420],
    [520, 80],
  ]);
  expect(placeColumns(COLUMNS, 200).map(({ width }) => width)).toEqual([100, 120, 80]);
  const both = COLUMNS.map((column) => ({ ...column, grow: true }));
  expect(() => placeColumns(both, 600)).toThrow('more than one column of a live grid grows');
});
