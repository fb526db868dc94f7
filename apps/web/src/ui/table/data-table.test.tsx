import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PHONE } from '../../hooks/use-media.ts';
import { changeAccount } from '../../state/account.ts';
import { useLayouts } from '../../state/layouts.ts';
import { must } from '../../test-support/must.ts';
import { act, click, only, press, render, unmountAll } from '../../test-support/render.ts';
import { Toasts } from '../toast.tsx';
import { ColumnChooser, useTableColumns } from './column-chooser.tsx';
import { DataTable } from './data-table.tsx';
import { CHOSEN, type RowSource, type TableColumn, type TableSort } from './table-column.ts';

interface Item {
  readonly id: number;
  readonly children?: readonly Item[];
}

const COLUMNS: readonly TableColumn<Item>[] = [
  { id: 'name', title: 'Name', width: 120, cell: ({ id }) => `item ${id}`, fixed: true, sortable: true },
  { id: 'size', title: 'Size', width: 100, align: 'end', cell: ({ id }) => `${id}.50`, sortable: true, total: '99.00' },
  { id: 'note', title: 'Note', width: 100, cell: () => 'note', shownFrom: CHOSEN },
  { id: 'age', title: 'Age', width: 80, align: 'end', cell: ({ id }) => `${id} s` },
];
const items = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ id }));
const keyOf = ({ id }: Item) => String(id);

beforeEach(() => {
  localStorage.clear();
  changeAccount('acc_1');
  useLayouts.setState(useLayouts.getInitialState(), true);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
});

interface Options {
  readonly rows: RowSource<Item>;
  readonly onOpen?: (row: Item) => void;
  readonly onSort?: (sort: TableSort | undefined) => void;
  readonly childrenOf?: (row: Item) => readonly Item[];
  readonly isGroup?: (row: Item) => boolean;
  readonly followsRow?: boolean;
  readonly onMove?: (row: Item) => void;
}

function Sample({ rows, ...rest }: Options) {
  const columns = useTableColumns('sample', COLUMNS);
  return (
    <>
      <ColumnChooser columns={columns} />
      <DataTable name="Items" columns={columns.shown} rows={rows} keyOf={keyOf} empty={<p>nothing</p>} {...rest} />
    </>
  );
}

const grid = () => only(document.body, '[role=grid], [role=treegrid]');
const drawn = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const activeText = () => document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.textContent;
const headings = () => [...document.querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent);

describe('a grid', () => {
  it('renders only the visible part of 40,000 rows and reports their number', async () => {
    await render(<Sample rows={items(40_000)} />);
    expect(drawn().length).toBeLessThan(60);
    expect(grid().getAttribute('aria-rowcount')).toBe('40002');
    await act(async () => {
      grid().scrollTop = 20_000 * 20;
      grid().dispatchEvent(new Event('scroll'));
    });
    const [first] = drawn();
    expect(Number(first?.dataset.row)).toBe(20_000 - 12);
    expect(first?.getAttribute('aria-rowindex')).toBe(String(20_000 - 12 + 2));
  });

  it('prints all rows, up to 2,000, and states how many there are; then only the visible ones are left', async () => {
    const { rerender } = await render(<Sample rows={items(1_500)} />);
    // Not within `act`: the rows must be there when the event returns.
    window.dispatchEvent(new Event('beforeprint'));
    expect(drawn().map(({ dataset }) => Number(dataset.row))).toEqual(items(1_500).map(({ id }) => id));
    expect(grid().textContent).not.toContain('Printed');
    await rerender(<Sample rows={items(40_000)} />);
    expect(drawn()).toHaveLength(2_000);
    expect(grid().textContent).toContain('Printed: the first 2,000 of 40,000 rows. An export has all.');
    await act(async () => void window.dispatchEvent(new Event('afterprint')));
    expect(drawn().length).toBeLessThan(60);
  });

  it('is where it was after printing, wherever that scrolled it', async () => {
    await render(<Sample rows={items(300)} />);
    const table = grid();
    table.scrollTop = 4_000;
    await act(async () => void table.dispatchEvent(new Event('scroll')));
    const shown = drawn().map(({ dataset }) => dataset.row);
    await act(async () => void window.dispatchEvent(new Event('beforeprint')));
    table.scrollTop = 100;
    await act(async () => void table.dispatchEvent(new Event('scroll')));
    await act(async () => void window.dispatchEvent(new Event('afterprint')));
    await act(async () => void table.dispatchEvent(new Event('scroll')));
    expect(table.scrollTop).toBe(4_000);
    expect(drawn().map(({ dataset }) => dataset.row)).toEqual(shown);
  });

  it('prints the rows in view on a page with a canvas, which is printed as on the screen', async () => {
    await render(
      <>
        <canvas />
        <Sample rows={items(1_500)} />
      </>,
    );
    await act(async () => void window.dispatchEvent(new Event('beforeprint')));
    expect(drawn().length).toBeLessThan(60);
    await act(async () => void window.dispatchEvent(new Event('afterprint')));
  });

  it('keeps the keyboard on its row when the rows are listed in another order, if it follows it', async () => {
    const onOpen = vi.fn<(row: Item) => void>();
    const sample = (followsRow: boolean, ...ids: number[]) => (
      <Sample rows={ids.map((id) => ({ id }))} onOpen={onOpen} followsRow={followsRow} />
    );
    const { rerender } = await render(sample(true, 0, 1, 2, 3));
    await rerender(sample(true, 3, 0, 1, 2));
    expect(activeText(), 'without the focus it follows no row').toBe('item 3');
    await act(async () => grid().focus());
    await press(grid(), 'ArrowDown');
    await rerender(sample(true, 1, 2, 3, 0));
    expect(activeText()).toBe('item 0');
    await press(grid(), 'Enter');
    expect(onOpen).toHaveBeenLastCalledWith({ id: 0 });
    await rerender(sample(true, 1, 2, 3));
    expect(activeText(), 'the row in its place').toBe('item 3');
    await rerender(sample(true, 3, 1, 2));
    expect(activeText()).toBe('item 3');
    await rerender(sample(false, 3, 1, 2));
    await press(grid(), 'ArrowDown');
    await rerender(sample(false, 2, 3, 1));
    expect(activeText()).toBe('item 3');
  });

  it('requests a sort order by its headings: numbers start with the largest, and the third click clears it', async () => {
    const asked: (TableSort | undefined)[] = [];
    const onSort = (sort: TableSort | undefined) => asked.push(sort);
    const { rerender } = await render(
      <DataTable name="Items" columns={COLUMNS} rows={items(3)} keyOf={keyOf} sort={undefined} onSort={onSort} />,
    );
    const press = () => click(only(document.body, '[role=columnheader][aria-colindex="2"] button'));
    for (let at = 0; at < 3; at++) {
      await press();
      await rerender(
        <DataTable name="Items" columns={COLUMNS} rows={items(3)} keyOf={keyOf} sort={asked.at(-1)} onSort={onSort} />,
      );
    }
    expect(asked).toEqual([{ column: 'size', descending: true }, { column: 'size', descending: false }, undefined]);
  });

  it('opens group rows by click or Enter, and all of them at once', async () => {
    const opened: number[] = [];
    const rows: Item[] = [{ id: 1, children: [{ id: 11 }] }, { id: 2, children: [{ id: 21 }] }, { id: 3 }];
    const childrenOf = ({ children = [] }: Item) => children;
    const isGroup = ({ children }: Item) => children !== undefined;
    await render(<Sample rows={rows} childrenOf={childrenOf} isGroup={isGroup} onOpen={({ id }) => opened.push(id)} />);
    const ids = () => drawn().map(({ dataset }) => dataset.key);
    await click(only(document.body, '[data-row="0"] [data-column="size"]'));
    expect(ids()).toEqual(['1', '11', '2', '3']);
    await press(grid(), 'Enter');
    expect(ids()).toEqual(['1', '2', '3']);
    await click(only(document.body, '[aria-label="Expand all groups"]'));
    expect(ids()).toEqual(['1', '11', '2', '21', '3']);
    await press(grid(), '*');
    expect(ids()).toEqual(['1', '2', '3']);
    expect(opened).toEqual([]);
    await click(only(document.body, '[data-row="2"] [data-column="size"]'));
    expect(opened).toEqual([3]);
  });

  it('shows only the narrow columns on a narrow screen', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === PHONE,
      addEventListener() {},
      removeEventListener() {},
    }));
    const columns = COLUMNS.map((column) => (column.id === 'size' ? { ...column, narrow: true } : column));
    await render(<DataTable name="Items" columns={columns} rows={items(1)} keyOf={keyOf} />);
    expect(headings()).toEqual(['Name', 'Size']);
  });

  it('without room, leaves out columns in their order instead of scrolling sideways, and then cuts one', async () => {
    const columns: readonly TableColumn<Item>[] = [
      { id: 'name', title: 'Name', width: 120, least: 40, grow: true, text: ({ id }) => `item ${id}` },
      { id: 'size', title: 'Size', width: 100, text: () => '1.50' },
      { id: 'note', title: 'Note', width: 100, leaves: 1, text: () => 'note' },
      { id: 'age', title: 'Age', width: 80, leaves: 2, text: () => '1 s' },
    ];
    const shownAt = async (width: number) => {
      vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
      await render(<DataTable name="Items" columns={columns} rows={items(1)} keyOf={keyOf} />);
      const shown = [headings().join(), grid().style.getPropertyValue('--columns')];
      await unmountAll();
      return shown;
    };
    expect(await shownAt(400)).toEqual(['Name,Size,Note,Age', expect.stringContaining('minmax(120px,1fr)')]);
    expect(await shownAt(399)).toEqual(['Name,Size,Note', expect.anything()]);
    expect(await shownAt(319)).toEqual(['Name,Size', expect.anything()]);
    expect(await shownAt(200)).toEqual(['Name,Size', expect.stringContaining('minmax(40px,1fr)')]);
  });

  it('is as wide as its longest text so far of the same book', async () => {
    const columns: readonly TableColumn<Item>[] = [
      { id: 'name', title: 'Name', width: 50, align: 'end', text: ({ id }) => '9'.repeat(id) },
    ];
    const shown = (longest: number, of: string) => (
      <DataTable name="Items" columns={columns} rows={[{ id: 1 }, { id: longest }]} keyOf={keyOf} of={of} />
    );
    const width = () => Number.parseFloat(grid().style.getPropertyValue('--columns'));
    const { rerender } = await render(shown(2, 'BTC'));
    expect(width()).toBe(50);
    await rerender(shown(10, 'BTC'));
    const wide = width();
    expect(wide).toBeGreaterThan(80);
    await rerender(shown(5, 'BTC'));
    expect(width()).toBe(wide);
    await rerender(shown(5, 'ETH'));
    expect(width()).toBeLessThan(wide);
  });

  describe('with a selected row', () => {
    interface Selecting {
      readonly rows?: readonly Item[];
      readonly followsRow?: boolean;
    }
    const columns = COLUMNS.slice(0, 2);
    const isGroup = ({ children }: Item) => children !== undefined;
    const childrenOf = ({ children = [] }: Item) => children;
    const table = (selected: string | undefined, { rows = items(900), followsRow = false }: Selecting = {}) => (
      <DataTable
        name="Items"
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        selected={selected}
        onOpen={() => {}}
        isGroup={isGroup}
        childrenOf={childrenOf}
        followsRow={followsRow}
      />
    );
    const scrolled = () => act(async () => void grid().dispatchEvent(new Event('scroll')));
    /** The keys of the rows drawn where the table has scrolled to. */
    const keys = async () => {
      await scrolled();
      return drawn().map(({ dataset }) => dataset.key);
    };
    const scrollBy = async (px: number) => {
      await act(async () => void grid().dispatchEvent(new WheelEvent('wheel', { bubbles: true })));
      grid().scrollTop += px;
      await scrolled();
    };
    const clickRow = async (key: string) => {
      const row = only(document.body, `[data-key="${key}"]`);
      await act(async () => void row.dispatchEvent(new Event('pointerdown', { bubbles: true })));
      await click(row);
    };
    const following = [false, true].map((followsRow) => ({ followsRow }));

    beforeEach(() => {
      vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(18_000);
    });

    it.each(following)('brings it into view if a link selects it, %o', async (options) => {
      await render(table('700', options));
      expect(await keys()).toContain('700');
    });

    it('stays where it is if a click selects one, also when that is listed elsewhere', async () => {
      const { rerender } = await render(table(undefined));
      await clickRow('3');
      await rerender(table('3'));
      await rerender(table('3', { rows: items(900).toReversed() }));
      expect(await keys()).toContain('899');
      expect(await keys()).not.toContain('3');
    });

    it.each(following)(
      'brings each into view that Back and Forward select, after clicks on them, %o',
      async (options) => {
        const { rerender } = await render(table(undefined, options));
        await clickRow('3');
        await rerender(table('3', options));
        await scrollBy(8_000);
        await clickRow('400');
        await rerender(table('400', options));
        await rerender(table('3', options));
        expect(await keys(), 'Back').toContain('3');
        await rerender(table('400', options));
        expect(await keys(), 'Forward').toContain('400');
      },
    );

    it.each(following)(
      'brings the one into view that Back selects again after a click closed it and a scroll, %o',
      async (options) => {
        const { rerender } = await render(table(undefined, options));
        await clickRow('3');
        await rerender(table('3', options));
        await clickRow('3');
        await rerender(table(undefined, options));
        await scrollBy(8_000);
        expect(await keys()).not.toContain('3');
        await rerender(table('3', options));
        expect(await keys()).toContain('3');
      },
    );

    it.each(following)('stays where the keys have moved when new rows come, %o', async (options) => {
      const { rerender } = await render(table('3', options));
      for (let moves = 0; moves < 60; moves += 1) await press(grid(), 'ArrowDown');
      expect(await keys()).toContain('60');
      await rerender(table('3', { ...options, rows: items(900) }));
      expect(await keys()).toContain('60');
      expect(await keys()).not.toContain('3');
    });

    it.each([
      ['Enter', () => press(grid(), 'Enter')],
      ['a press', () => clickRow('0')],
      ['only a click', () => click(only(document.body, '[data-key="0"]'))],
    ])('stays where a group is opened by %s', async (_, open) => {
      const rows = items(900).map(({ id }) => (id === 0 ? { id, children: [{ id: 1_000 }] } : { id }));
      await render(table('700', { rows }));
      await scrolled();
      grid().scrollTop = 0;
      await scrolled();
      await open();
      expect(await keys()).toContain('1000');
    });
  });

  describe('copies', () => {
    const copyEvent = (clipboardData: DataTransfer) =>
      Object.assign(new Event('copy', { bubbles: true, cancelable: true }), { clipboardData });
    const copied = () => {
      const clipboardData = new DataTransfer();
      grid().dispatchEvent(copyEvent(clipboardData));
      return clipboardData.getData('text/plain');
    };
    const columns = COLUMNS.filter(({ shownFrom }) => shownFrom === undefined);
    const shown = (rows = items(60)) => <DataTable name="Items" columns={columns} rows={rows} keyOf={keyOf} />;

    it('rows that were marked with Shift, all of them, whether rendered or not', async () => {
      await render(shown());
      await press(grid(), 'ArrowDown');
      await press(grid(), ' ', { shiftKey: true });
      expect(copied()).toBe('item 1\t1.50\t1 s');
      await press(grid(), 'ArrowDown', { shiftKey: true });
      expect(copied()).toBe('item 1\t1.50\t1 s\nitem 2\t2.50\t2 s');
      expect(document.querySelectorAll('tr[aria-selected=true]')).toHaveLength(2);
      await press(grid(), 'a', { ctrlKey: true });
      expect(copied().split('\n')).toHaveLength(60);
      expect(copied().split('\n').at(-1)).toBe('item 59\t59.50\t59 s');
      await press(grid(), 'Escape');
      expect(document.querySelectorAll('tr[aria-selected=true]')).toHaveLength(0);
      expect(copied()).toBe('item 2');
    });

    it('all rows, also those out of view of a column that draws an element, numbers as a spreadsheet reads them', async () => {
      const drawn: readonly TableColumn<Item>[] = [
        { id: 'name', title: 'Name', width: 120, copied: ({ id }) => `item ${id}`, cell: ({ id }) => <b>{id}</b> },
        { id: 'size', title: 'Size', width: 100, align: 'end', cell: ({ id }) => `−1,234,${100 + id}.50\u00a0` },
        { id: 'note', title: 'Note', width: 100, cell: () => 'of 1,234' },
      ];
      await render(<DataTable name="Items" columns={drawn} rows={items(300)} keyOf={keyOf} />);
      expect(document.querySelectorAll('[data-row]').length).toBeLessThan(100);
      await press(grid(), 'a', { ctrlKey: true });
      expect(copied().split('\n')).toEqual(items(300).map(({ id }) => `item ${id}\t-1234${100 + id}.50\tof 1,234`));
    });

    it('the same of the cells that a selection covers as of marked rows, whatever is drawn in them', async () => {
      const drawn: readonly TableColumn<Item>[] = [
        {
          id: 'name',
          title: 'Name',
          width: 120,
          copied: ({ id }) => `item ${id}`,
          cell: ({ id }) => <b>M item {id}</b>,
        },
        { id: 'size', title: 'Size', width: 100, align: 'end', copied: () => '-1234.5678', cell: () => '−1,234.57' },
      ];
      await render(<DataTable name="Items" columns={drawn} rows={items(3)} keyOf={keyOf} />);
      const [first, second] = [...document.querySelectorAll('[data-row]')];
      const isIn = (node: Node) => first?.contains(node) === true || second?.contains(node) === true;
      const selection = { isCollapsed: false, containsNode: isIn } as unknown as Selection;
      vi.spyOn(document, 'getSelection').mockReturnValue(selection);
      expect(copied()).toBe('item 0\t-1234.5678\nitem 1\t-1234.5678');
    });

    it('no totals with the cells that a selection covers', async () => {
      await render(shown(items(2)));
      const isIn = (node: Node) => node instanceof Element && node.closest('thead') === null;
      const selection = { isCollapsed: false, containsNode: isIn } as unknown as Selection;
      vi.spyOn(document, 'getSelection').mockReturnValue(selection);
      expect(copied()).toBe('item 0\t0.50\t0 s\nitem 1\t1.50\t1 s');
    });

    it('the marked rows, wherever they are listed after new rows came', async () => {
      const { rerender } = await render(shown());
      await press(grid(), 'ArrowDown');
      await press(grid(), 'ArrowDown', { shiftKey: true });
      const changed = [{ id: 90 }, { id: 2 }, { id: 91 }, { id: 1 }, { id: 3 }];
      await rerender(shown(changed));
      const marked = document.querySelectorAll<HTMLElement>('tr[aria-selected=true]');
      expect(Array.from(marked, ({ dataset }) => dataset.key)).toEqual(['2', '1']);
      expect(copied()).toBe('item 2\t2.50\t2 s\nitem 1\t1.50\t1 s');
      await press(grid(), 'ArrowDown', { shiftKey: true });
      expect(copied(), 'from the first marked one to the fourth row').toBe('item 1\t1.50\t1 s');
      await rerender(shown(changed.slice(2)));
      expect(copied()).toBe('item 1\t1.50\t1 s');
      await rerender(shown([{ id: 90 }]));
      expect(copied(), 'none of them is left').toBe('item 90');
    });

    it('the loaded rows of a list, and says how many are not', async () => {
      const rows: RowSource<Item> = { length: 50, at: (index) => (index < 3 ? { id: index } : undefined) };
      await render(
        <>
          <DataTable name="Items" columns={columns} rows={rows} keyOf={keyOf} />
          <Toasts />
        </>,
      );
      await press(grid(), 'a', { ctrlKey: true });
      await act(() => expect(copied().split('\n')).toHaveLength(3));
      expect(document.body.textContent).toContain('3 rows copied, 47 not loaded');
    });

    it('nothing on a heading, or of a table without rows: the clipboard stays as it is', async () => {
      const onSort = () => {};
      const sortable = (rows: Item[]) => (
        <DataTable name="Items" columns={columns} rows={rows} keyOf={keyOf} onSort={onSort} />
      );
      const isHandled = () => !grid().dispatchEvent(copyEvent(new DataTransfer()));
      const { rerender } = await render(sortable(items(3)));
      expect(isHandled()).toBe(true);
      await press(grid(), 'ArrowUp');
      expect(activeText()).toBe('Name');
      expect(isHandled()).toBe(false);
      await rerender(sortable([]));
      expect(isHandled()).toBe(false);
      await press(grid(), 'a', { ctrlKey: true });
      expect(isHandled()).toBe(false);
    });
  });

  it('is a plain table if it is short', async () => {
    const columns: readonly TableColumn<Item>[] = [
      { id: 'name', title: 'Name', text: ({ id }) => `item ${id}`, total: 'All' },
      { id: 'size', title: 'Size', align: 'end', text: ({ id }) => `${id}.50`, total: '4.50' },
    ];
    const { container } = await render(
      <DataTable name="Items" isShort columns={columns} rows={items(3)} keyOf={keyOf} selected="1" />,
    );
    const table = only(container, 'table[role=table]');
    expect(table.hasAttribute('tabindex')).toBe(false);
    expect([...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)).toEqual([
      'item 00.50',
      'item 11.50',
      'item 22.50',
    ]);
    expect(only(table, '[aria-current=true] [role=rowheader]').textContent).toBe('item 1');
    expect(only(table, 'tfoot').textContent).toBe('All4.50');
  });

  it('of which each row is a choice, moves between rows with every key', async () => {
    const moved: number[] = [];
    await render(<Sample rows={items(1_000)} onMove={({ id }) => moved.push(id)} />);
    await press(grid(), 'ArrowDown');
    await press(grid(), 'ArrowRight');
    await press(grid(), 'End');
    await press(grid(), 'Home');
    expect(moved).toEqual([1, 999, 0]);
  });

  it('keeps room for rows that are not loaded yet', async () => {
    const all = items(8);
    await render(<Sample rows={{ length: 8, at: (index) => (index < 3 ? undefined : all[index]) }} />);
    const body = only(document.body, 'tbody');
    expect([...body.children].map((row) => [row.getAttribute('data-row'), (row as HTMLElement).style.height])).toEqual(
      ['', '', '', '3', '4', '5', '6', '7'].map((row) => [row || null, '20px']),
    );
  });

  it.each([
    [1900, 'name, size, age'],
    [1920, 'name, size, note, age'],
    [2400, 'name, size, note, age, more'],
  ])('shows in a window of %i px the columns %s, until the user chooses', async (width, ids) => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1] ?? Number.POSITIVE_INFINITY),
      addEventListener() {},
      removeEventListener() {},
    }));
    const more = COLUMNS.map((column) => (column.id === 'note' ? { ...column, shownFrom: 1920 } : column));
    const columns = [...more, { ...must(more.at(-1), 'column'), id: 'more', shownFrom: 2400 }];
    function Wide() {
      const { shown, setShown } = useTableColumns('wide', columns);
      return (
        <button type="button" onClick={() => setShown('note', false)}>
          {shown.map(({ id }) => id).join(', ')}
        </button>
      );
    }
    await render(<Wide />);
    expect(only(document.body, 'button').textContent).toBe(ids);
    await click(only(document.body, 'button'));
    expect(only(document.body, 'button').textContent).toBe(ids.replace(' note,', ''));
  });

  it('shows a row’s state, and the totals', async () => {
    await render(
      <DataTable
        name="Items"
        columns={COLUMNS}
        rows={items(2)}
        keyOf={keyOf}
        stateOf={({ id }) => (id === 0 ? { kind: 'ok' } : { kind: 'error', text: 'upstream returned HTTP 500' })}
      />,
    );
    expect(drawn().map(({ dataset }) => dataset.state)).toEqual(['ok', 'error']);
    expect(drawn()[1]?.textContent).toContain('error: upstream returned HTTP 500');
    expect(grid().textContent).toContain('99.00');
  });

  it('contains only rows, also when it is empty: the empty text is in a cell', async () => {
    await render(<Sample rows={[]} />);
    expect(only(grid(), '[role=row] > [role=gridcell]').textContent).toBe('nothing');
  });
});

describe('the columns of a grid', () => {
  it('are shown, hidden and moved, and stored', async () => {
    await render(<Sample rows={items(2)} />);
    expect(headings()).toEqual(['Name', 'Size', 'Age']);
    await click(only(document.body, 'button[aria-label=Columns]'));
    const box = [...document.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    await click(box[1] ?? document.body);
    await click(only(document.body, 'button[aria-label="Age earlier"]'));
    await click(only(document.body, 'button[aria-label="Age earlier"]'));
    expect(headings()).toEqual(['Name', 'Age', 'Size', 'Note']);
    expect(JSON.parse(localStorage.getItem('l4desk.layouts.acc_1') ?? '')).toMatchObject({
      version: 1,
      state: { grids: { sample: { order: ['name', 'age', 'size', 'note'], hidden: [] } } },
    });
  });

  it('a row that keeps its key shows its new content, also in what it nests', async () => {
    interface Placed {
      readonly at: { readonly place: number };
    }
    const columns: readonly TableColumn<Placed>[] = [
      { id: 'place', title: 'Place', width: 80, cell: ({ at }) => `place ${at.place}` },
    ];
    const of = (place: number) => (
      <DataTable name="Places" columns={columns} rows={[{ at: { place } }]} keyOf={() => 'one'} />
    );
    const { container, rerender } = await render(of(1));
    await rerender(of(2));
    expect(only(container, '[data-column=place][role=gridcell]').textContent).toBe('place 2');
  });
});
