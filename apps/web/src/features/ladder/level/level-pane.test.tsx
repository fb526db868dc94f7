import { order } from '@l4desk/testkit';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { BOOK_PAGE, onBookPage } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { act, click, only, press } from '../../../test-support/render.ts';
import { renderRoute } from '../../../test-support/render-route.tsx';
import { takesFocus } from '../../../ui/pass-focus.ts';
import { type BookPage } from '../book-page.ts';
import { HELD_TITLE } from '../use-list-hold.ts';
import { LevelPane } from './level-pane.tsx';

const PAGE: BookPage = { ...BOOK_PAGE, tick: '1', level: { side: 'B', px: '100', tick: '1' } };
const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);
/** How old the orders are at first, ms: their seconds end at different moments. */
const AGES = [10_000, 20_300, 30_600, 40_900];

/** The pane with a page around it and the orders of `AGES`; returns what shows the page without the level. */
async function renderPane() {
  const { worker, live, deliver } = followedPage();
  let deselect = () => {};
  const Component = () => {
    const [level, setLevel] = useState(PAGE.level);
    deselect = () => setLevel(undefined);
    return onBookPage(
      live,
      <main {...takesFocus}>
        <LevelPane />
      </main>,
      { ...PAGE, level },
    );
  };
  await renderRoute(Component);
  const bids = AGES.map((age, at) => order({ side: 'B', limitPx: '100', oid: 1 + at, timestamp: NOW - age }));
  const asks = [order({ side: 'A', limitPx: '101', oid: 9, timestamp: NOW })];
  worker.follower.now = NOW;
  worker.follower.goLive('BTC', { levels: [bids, asks] });
  await act(async () => {
    worker.runTasks();
    worker.deliver();
  });
  return { worker, live, deliver, deselect: () => act(async () => deselect()) };
}

it('an order that is closed passes the focus to the list, a level that is closed to the panel', async () => {
  const { deselect } = await renderPane();
  const list = only(document.body, '[aria-label="Orders in queue order"]');
  list.focus();
  await press(list, 'ArrowDown');
  const close = only(document.body, '[aria-label="Close the order"]');
  close.focus();
  await click(close);
  expect(document.activeElement).toBe(list);
  await deselect();
  expect(document.activeElement).toBe(only(document.body, 'main'));
});

it('a chosen order of the best bid stays shown with its level when the best price moves, until it is closed and the list left', async () => {
  const { worker, deliver, deselect } = await renderPane();
  await deselect();
  await deliver();
  const best = () => only(document.body, '[data-part=best-level]');
  await click(must(best().querySelector('[data-oid="1"] td'), 'order'));
  await deliver();
  const details = () => only(document.body, '[aria-label="Order 1"]');
  expect(details().dataset.gone).not.toBe('true');
  const bids = [
    order({ side: 'B', limitPx: '101', oid: 21, timestamp: NOW }),
    order({ side: 'B', limitPx: '100', oid: 1, timestamp: NOW }),
  ];
  worker.follower.goLive('BTC', { levels: [bids, [order({ side: 'A', limitPx: '102', oid: 9, timestamp: NOW })]] });
  await deliver();
  await deliver();
  expect(best().textContent).toMatch(/^Bid 100/);
  expect(details().dataset.gone).not.toBe('true');
  expect(only(best(), 'h2').title).toBe('');
  await click(only(document.body, '[aria-label="Close the order"]'));
  await deliver();
  await deliver();
  expect(best().textContent).toMatch(/^Bid 100/);
  expect(only(best(), 'h2').title).toBe(HELD_TITLE);
  await act(async () => only(document.body, '[aria-label="Orders in queue order"]').blur());
  await deliver();
  await deliver();
  expect(best().textContent).toMatch(/^Best bid 101/);
});

it('lists nothing of a book that is no longer shown', async () => {
  const { live, deliver } = await renderPane();
  await deliver();
  expect(document.querySelectorAll('[data-oid]')).toHaveLength(AGES.length);
  await act(async () => live.follow('ETH'));
  expect(document.querySelectorAll('[data-oid]')).toHaveLength(0);
});
