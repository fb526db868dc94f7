import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import type { OwnersData, Wall } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { BOOK_PAGE } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { only, render } from '../../../test-support/render.ts';
import { BookPageProvider } from '../book-page.ts';
import { Walls } from './walls.tsx';

const USER: Address = `0x${'a'.repeat(40)}`;
const WALL: Wall = { user: USER, px: '101.0', sz: '7', orders: 2, share: '0.1', levelShare: '0.5', bps: '1.0' };

const withWalls = (walls: readonly Wall[], height = 1, withinBps = '10'): PaneResult<'owners'> => {
  const lens = { asks: { walls }, bids: { walls: [] }, withinBps } as unknown as OwnersData;
  return { ...lens, generation: 1, height, frozen: false, sizeDecimals: 1 };
};

/** The walls in a panel that can have the focus; `show` gives another result. */
async function open(isHeld: boolean) {
  let last = withWalls([WALL]);
  let held = isHeld;
  const pane = () => (
    <BookPageProvider value={BOOK_PAGE}>
      <section tabIndex={-1} data-part="panel">
        <Walls owners={last} isHeld={held} onOwner={() => {}} />
      </section>
    </BookPageProvider>
  );
  const { container, rerender } = await render(pane());
  const show = (walls: readonly Wall[], height?: number, withinBps?: string) => {
    last = withWalls(walls, height, withinBps);
    return rerender(pane());
  };
  const hold = (next: boolean) => {
    held = next;
    return rerender(pane());
  };
  return { container, show, hold };
}

it('a wall that goes passes the focus to its panel', async () => {
  const { container, show } = await open(false);
  const price = must(container.querySelector<HTMLElement>('li button'), 'price');
  price.focus();
  expect(document.activeElement).toBe(price);
  await show([]);
  expect(container.textContent).toContain('None: no wallet has 2 % of a side at one price.');
  expect(document.activeElement).toBe(only(container, '[data-part=panel]'));
});

it('a held wall that is gone keeps its line and the focus, without old numbers, and is not counted', async () => {
  const { container, show } = await open(true);
  const price = must(container.querySelector<HTMLElement>('li button'), 'price');
  expect(container.querySelector('li')?.textContent).toMatch(/^101\.07\.010\.0\s%1\.0 bps/);
  price.focus();
  await show([]);
  expect(container.querySelector('li')?.textContent).toMatch(/^101\.0goneA0xaaaa/);
  expect(container.querySelector('h3')?.textContent).toBe('Single-wallet walls 0');
  expect(document.activeElement).toBe(price);
  await show([{ ...WALL, sz: '8' }]);
  expect(container.querySelector('li')?.textContent).toMatch(/^101\.08\.0/);
  await show([], 0);
  expect(container.querySelectorAll('li'), 'not there yet at an earlier block').toHaveLength(0);
});

it('walls are listed anew as soon as they are not held, and within another distance', async () => {
  const { container, show, hold } = await open(true);
  const lines = () => [...container.querySelectorAll('li')].map((line) => line.dataset.gone);
  await show([]);
  expect(lines()).toEqual(['true']);
  await hold(false);
  expect(lines()).toEqual([]);
  await hold(true);
  await show([WALL]);
  expect(lines()).toEqual(['false']);
  await show([], 1, '25');
  expect(lines()).toEqual([]);
});
