import type { DecimalString } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import type { LevelRef } from '../../book-worker/position.ts';
import { ladderFrame } from '../../test-support/ladder-frame.ts';
import { act, only, render } from '../../test-support/render.ts';
import { AccessibleGrid } from './accessible-grid.tsx';
import type { LadderHandle } from './canvas/ladder-handle.ts';
import type { SceneCommand, SceneView } from './canvas/scene-types.ts';
import { ladderSnapshot } from './snapshot.ts';

const frame = ladderFrame({
  asks: [
    { px: '101', sz: '1.5', cumulative: '1.5', count: 2, own: { mark: 1, place: 2, orders: 2, szAhead: '1', more: 0 } },
    { px: '104', sz: '0.25', cumulative: '1.75', count: 1, came: '1.5', withdrawn: '0' },
  ],
  bids: [{ px: '100', sz: '1234.5', cumulative: '1234.5', count: 4_468 }],
  sizeDecimals: 2,
  flowMs: 5_000,
});
const snapshot = ladderSnapshot(frame);
const view: SceneView = {
  snapshot,
  rowsToTouch: { bid: 0, ask: 0 },
  active: undefined,
  columns: undefined,
  bar: undefined,
};

/** Renders the grid with this view; later views can be shown afterwards. */
async function twin(first: SceneView = view, selected?: LevelRef) {
  let props = { coin: 'BTC', selected, view: first };
  const commands: SceneCommand['kind'][] = [];
  const handle: Pick<LadderHandle, 'run'> = { run: ({ kind }) => commands.push(kind) };
  const pane = { current: handle as LadderHandle };
  const grid = () => <AccessibleGrid {...props} pane={pane} marks={[{ name: 'Maker' }]} />;
  const { container, rerender } = await render(grid());
  const change = (next: Partial<typeof props>) => {
    props = { ...props, ...next };
    return rerender(grid());
  };
  return {
    container,
    commands,
    show: (next: SceneView) => change({ view: next }),
    select: (next: LevelRef) => change({ selected: next }),
    follow: (coin: string) => change({ coin }),
  };
}

describe('the accessible grid', () => {
  it('labels each row with its side in words', async () => {
    const { container } = await twin();
    const words = [...container.querySelectorAll('tr[data-side]')].map((row) =>
      [...row.children].map((cell) => cell.getAttribute('aria-label')),
    );
    expect(words).toEqual([
      ['Ask', '104', '0.25', '1', '1.75', 'came 1.5, withdrawn 0', 'none'],
      ['Ask', '101', '1.50', '2', '1.50', 'nothing', 'Maker 2 of 2 · 1.00 ahead'],
      ['Bid', '100', '1,234.50', '4,468', '1,234.50', 'nothing', 'none'],
    ]);
    expect(only(container, '[data-part=spread]').dataset).toMatchObject({ spread: '1', mid: '100.5' });
  });

  it('takes the focus, and follows the keyboard to its row', async () => {
    const { container, show } = await twin();
    const grid = only(container, '[role=grid]');
    expect(grid.tabIndex).toBe(0);
    await show({ ...view, active: 101 });
    expect(document.activeElement === grid).toBe(true);
    const active = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
    expect(active?.dataset.px).toBe('101');
  });

  it('keeps its row while the menu of it is open, and clears it when the focus goes elsewhere', async () => {
    const { container, commands, show } = await twin();
    const grid = only(container, '[role=grid]');
    const [item, other] = [document.createElement('button'), document.createElement('button')];
    const menu = document.createElement('div');
    menu.dataset.part = 'context-menu';
    menu.append(item);
    container.append(menu, other);
    await show({ ...view, active: 101 });
    for (const element of [item, grid, item]) await act(async () => element.focus());
    expect(commands).toEqual([]);
    await act(async () => other.focus());
    expect(commands).toEqual(['clearActive']);
    await act(async () => grid.focus());
    await act(async () => grid.blur());
    expect(commands.slice(1)).toContain('clearActive');
  });

  it('marks the row whose queue is open', async () => {
    const { container, select } = await twin(view, { side: 'A', px: '101', tick: '1' });
    expect(only(container, 'tr[aria-selected=true]').dataset.px).toBe('101');
    await select({ side: 'B', px: '100', tick: '1' });
    expect(only(container, 'tr[aria-selected=true]').dataset.px).toBe('100');
  });

  it('keeps the element of a row while its price is visible, so that a screen reader keeps its place', async () => {
    const { container, show } = await twin();
    const rows = ['100', '101'].map((px) => only(container, `tr[data-px="${px}"]`));
    const next = ladderFrame({
      asks: (['101', '102'] as const).map((px) => ({ px, sz: '7', cumulative: '7', count: 3 })),
      bids: (['100', '99'] as const).map((px) => ({ px, sz: '1.5', cumulative: '2', count: 1 })),
    });
    await show({ ...view, snapshot: ladderSnapshot(next) });
    expect(['100', '101'].map((px, at) => only(container, `tr[data-px="${px}"]`) === rows[at])).toEqual([true, true]);
    expect(rows.map(({ dataset }) => dataset.sz)).toEqual(['1.5', '7']);
  });

  it('keeps the spread at the edge of the only side with orders', async () => {
    const { container, show } = await twin();
    const order = () => [...container.querySelectorAll<HTMLElement>('tbody tr')].map(({ dataset }) => dataset.px);
    const bid = { px: '100', sz: '1', cumulative: '1', count: 1 } as const;
    const of = (side: 'asks' | 'bids') => ladderSnapshot(ladderFrame({ [side]: [bid] }));
    await show({ ...view, snapshot: of('bids') });
    expect(order()).toEqual([undefined, '100']);
    await show({ ...view, snapshot: of('asks') });
    expect(order()).toEqual(['100', undefined]);
  });

  it('has both rows of a locked price, the ask above the spread and the bid below it', async () => {
    const { container, show } = await twin();
    const rows = () => [...container.querySelectorAll<HTMLElement>('tbody tr')];
    const of = (sz: DecimalString) =>
      ladderSnapshot(
        ladderFrame({
          bids: [{ px: '100', sz, cumulative: sz, count: 1 }],
          asks: [{ px: '100', sz: '2', cumulative: '2', count: 1 }],
        }),
      );
    await show({ ...view, snapshot: of('3'), active: 100 });
    expect(rows().map(({ dataset: { side, px, sz, active } }) => [side, px, sz, active])).toEqual([
      ['A', '100', '2', 'true'],
      [undefined, undefined, undefined, undefined],
      ['B', '100', '3', 'false'],
    ]);
    await show({ ...view, snapshot: of('5'), active: 100 });
    expect(rows().map(({ dataset }) => dataset.sz)).toEqual(['2', undefined, '5']);
    await show(view);
    expect(rows().map(({ dataset }) => dataset.px)).toEqual(['104', '101', undefined, '100']);
  });

  it('clears the rows when another coin is followed', async () => {
    const { container, show, follow } = await twin();
    await follow('ETH');
    const grid = only(container, '[role=grid]');
    expect(container.querySelectorAll('tbody tr')).toHaveLength(0);
    expect(grid.dataset.height).toBeUndefined();
    expect(grid.getAttribute('aria-label')).toBe('ETH order book, no rows yet');
    await show(view);
    expect(container.querySelectorAll('tbody tr')).toHaveLength(0);
  });
});
