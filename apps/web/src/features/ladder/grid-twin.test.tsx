import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { tickGrid } from '../../live/prices.ts';
import { ladderFrame } from '../../test-support/ladder-frame.ts';
import { must } from '../../test-support/must.ts';
import { only, render } from '../../test-support/render.ts';
import { GridTwin } from './grid-twin.tsx';
import { ladderSnapshot } from './snapshot.ts';

const frame = ladderFrame({
  asks: [
    { px: '101', sz: '1.5', cumulative: '1.5', count: 2 },
    { px: '104', sz: '0.25', cumulative: '1.75', count: 1 },
  ],
  bids: [{ px: '100', sz: '1234.5', cumulative: '1234.5', count: 4_468 }],
  sizeDecimals: 2,
});
const snapshot = ladderSnapshot(frame, must(tickGrid('1')));
const view = { snapshot, rowsToMarket: 0, active: undefined };

function twin(change: Partial<Parameters<typeof GridTwin>[0]> = {}) {
  return <GridTwin coin="BTC" snapshot={snapshot} view={view} pane={createRef()} selected={undefined} {...change} />;
}

describe('the accessible twin', () => {
  it('[WEB-10] holds exactly the drawn rows with orders, from the highest price down, the spread between the sides', async () => {
    const { container } = await render(twin());
    const rows = [...container.querySelectorAll<HTMLElement>('tbody tr')];
    expect(
      rows.map((row) => [row.dataset.side ?? 'spread', row.dataset.px, row.dataset.sz, row.dataset.count]),
    ).toEqual([
      ['A', '104', '0.25', '1'],
      ['A', '101', '1.5', '2'],
      ['spread', undefined, undefined, undefined],
      ['B', '100', '1234.5', '4468'],
    ]);
  });

  it('[WEB-10] says which coin, tick, block and sequence its rows are of', async () => {
    const { container } = await render(twin());
    expect(only(container, '[role=grid]').dataset).toMatchObject({
      coin: 'BTC',
      tick: '1',
      height: '985148232',
      seq: '88102',
      epoch: '3f2a0000-0000-4000-8000-000000000000',
    });
  });

  it('[WEB-10, WEB-11] reads each row with its side in words', async () => {
    const { container } = await render(twin());
    const words = [...container.querySelectorAll('tr[data-side]')].map((row) =>
      [...row.children].map((cell) => cell.getAttribute('aria-label')),
    );
    expect(words).toEqual([
      ['Ask', '104', '0.25', '1', '1.75'],
      ['Ask', '101', '1.50', '2', '1.50'],
      ['Bid', '100', '1,234.50', '4,468', '1,234.50'],
    ]);
    expect(only(container, '[data-part=spread]').dataset).toMatchObject({ spread: '1', mid: '100.5' });
  });

  it('[WEB-14] takes the focus, and follows the keyboard to its row', async () => {
    const { container, rerender } = await render(twin());
    const grid = only(container, '[role=grid]');
    expect(grid.tabIndex).toBe(0);
    await rerender(twin({ view: { ...view, active: 101 } }));
    expect(document.activeElement === grid).toBe(true);
    const active = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
    expect(active?.dataset.px).toBe('101');
  });

  it('[WEB-8] marks the row whose orders are open', async () => {
    const { container } = await render(twin({ selected: { side: 'A', px: '101', tick: '1' } }));
    expect(only(container, 'tr[aria-selected=true]').dataset.px).toBe('101');
  });

  it('[WEB-10] before there are rows it is an empty grid', async () => {
    const { container } = await render(twin({ snapshot: undefined, view: { ...view, snapshot: undefined } }));
    expect(only(container, '[role=grid]').dataset.height).toBeUndefined();
    expect(container.querySelectorAll('tbody tr')).toHaveLength(0);
  });
});
