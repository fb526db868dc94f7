import { expect, it } from 'vitest';
import { must } from '../test-support/must.ts';
import { act } from '../test-support/render.ts';
import { renderRoute } from '../test-support/render-route.tsx';
import { type PageChoices, pageSearch, searchText, usePageSearch } from './page-search.ts';

const search = pageSearch({ open: searchText });

it('what is opened adds one entry to the history, also if it was closed otherwise and opened again', async () => {
  let page: PageChoices<{ open: typeof searchText }> | undefined;
  const Component = () => {
    page = usePageSearch(search);
    return page.choices.open ?? 'closed';
  };
  const { container, router, history } = await renderRoute(Component, '/', '/?q=1');
  const change = async (open: string | undefined) => {
    await act(async () => must(page).change({ open }, open === undefined ? 'replace' : 'open'));
    await act(async () => router.load());
  };
  const back = async () => {
    await act(async () => history.back());
    await act(async () => router.load());
  };
  for (const row of ['a', 'b', 'c']) {
    await change(undefined);
    await change(row);
  }
  expect([container.textContent, history.length]).toEqual(['c', 3]);
  await back();
  expect(container.textContent).toBe('closed');
  await change('d');
  expect([container.textContent, history.length]).toEqual(['d', 3]);
  await back();
  expect([container.textContent, history.location.href]).toEqual(['closed', '/?q=1']);
  // An entry of something else, at the place of the one that was opened, is not overwritten.
  await act(async () => history.push('/?q=2'));
  await act(async () => router.load());
  await change('e');
  await back();
  expect([container.textContent, history.location.href]).toEqual(['closed', '/?q=2']);
});
