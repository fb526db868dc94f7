import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { WIDEST } from '../../../hooks/use-media.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { act, render } from '../../../test-support/render.ts';
import type { LadderChoices } from '../search.ts';
import type { Panels } from '../use-panels.ts';
import { type Books, useBooks } from './use-books.ts';

beforeEach(() => {
  localStorage.clear();
  usePreferences.setState(usePreferences.getInitialState(), true);
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(new EventTarget(), { matches: query === WIDEST }));
});

/** The ladders of a very wide page of BTC, and what changes them. */
async function openWidest() {
  const { live, send } = statusLive();
  let books: Books | undefined;
  const now = () => {
    if (books === undefined) throw new Error('nothing is shown yet');
    return books;
  };
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/book/$coin',
    validateSearch: (given: LadderChoices) => given,
    component: Probe,
  });
  function Probe() {
    const navigate = useNavigate();
    const change = (next: LadderChoices) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }) });
    books = useBooks(route.useParams().coin, route.useSearch(), change, {} as Panels);
    return null;
  }
  const history = createMemoryHistory({ initialEntries: ['/book/BTC'] });
  const router = createRouter({ routeTree: root.addChildren([route]), history });
  await router.load();
  await render(
    <LiveProvider value={live}>
      <RouterProvider router={router as never} />
    </LiveProvider>,
  );
  await send(liveStatus(0, { ticks: ['1', '2', '5', '10', '20', '50', '100'] }));
  const shown = () => now().ladders.map(({ coin, tick }) => [coin, tick]);
  const run = (of: (actions: Books['actions']) => void) => act(async () => of(now().actions));
  return { shown, run };
}

const remembered = () => usePreferences.getState().books;

it('the second ladder of a very wide page is of the page’s coin, and coarser than the first', async () => {
  const { shown, run } = await openWidest();
  expect(shown()).toEqual([
    ['BTC', undefined],
    ['BTC', '10'],
  ]);
  await run(({ tick }) => tick('5'));
  expect(shown()).toEqual([
    ['BTC', '5'],
    ['BTC', '50'],
  ]);
});

it('the second ladder is of the page’s coin still after it was grouped, so that the next coin has no second book to pay', async () => {
  const { shown, run } = await openWidest();
  await run(({ activate }) => activate(1));
  await run(({ tick }) => tick('20'));
  expect(shown()).toEqual([
    ['BTC', undefined],
    ['BTC', '20'],
  ]);
  expect(remembered()).toBeNull();
  await run(({ activate }) => activate(0));
  await run(({ coin }) => coin('ETH'));
  await expect.poll(shown).toEqual([
    ['ETH', undefined],
    ['ETH', '10'],
  ]);
});

it('a second ladder with a coin of its own stays, and is remembered', async () => {
  const { shown, run } = await openWidest();
  await run(({ activate }) => activate(1));
  await run(({ coin }) => coin('SOL'));
  expect(remembered()).toBe('SOL');
  await run(({ activate }) => activate(0));
  await run(({ coin }) => coin('ETH'));
  await expect.poll(shown).toEqual([
    ['ETH', undefined],
    ['SOL', undefined],
  ]);
});
