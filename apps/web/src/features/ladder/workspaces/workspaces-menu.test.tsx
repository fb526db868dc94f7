import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { beforeEach, expect, it } from 'vitest';
import { changeAccount } from '../../../state/account.ts';
import { useWorkspaces, type Workspace } from '../../../state/workspaces.ts';
import { act, button, click, only, render, type } from '../../../test-support/render.ts';
import { Toasts } from '../../../ui/toast.tsx';
import { openPageMenu } from '../page-menu.ts';
import { WorkspacesMenu } from './workspaces-menu.tsx';

const NOW: Omit<Workspace, 'name'> = { coin: 'BTC', search: { tick: '1' }, radarCoins: [], windows: [] };
const OTHER = { ...NOW, coin: 'ETH' };

beforeEach(() => {
  localStorage.clear();
  changeAccount('one');
  for (const name of ['Scalp', 'Wide']) useWorkspaces.getState().save({ ...OTHER, name });
  return async () => {
    // With the account go its workspaces and the toasts.
    await act(async () => changeAccount(undefined));
  };
});

async function open(now = NOW) {
  openPageMenu('workspaces');
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  await render(
    <RouterContextProvider router={router}>
      <WorkspacesMenu read={() => now} />
      <Toasts />
    </RouterContextProvider>,
  );
}

const coins = () => Object.fromEntries(useWorkspaces.getState().list.map(({ name, coin }) => [name, coin]));
const field = () => only(document.body, '[role=dialog] input') as HTMLInputElement;

it('a name that is taken replaces its workspace, with undo', async () => {
  await open();
  await type(field(), 'Scalp');
  await click(button(/^Save$/));
  expect(coins()).toEqual({ Scalp: 'BTC', Wide: 'ETH' });
  await click(button(/^Undo$/));
  expect(coins()).toEqual({ Scalp: 'ETH', Wide: 'ETH' });
});

it('of more than sixteen windows the first are saved, and the confirmation says that others are not', async () => {
  const windows = Array.from({ length: 18 }, (_, left) => ({
    href: '/book/BTC?pop=tape',
    left,
    top: 0,
    width: 640,
    height: 900,
  }));
  await open({ ...NOW, windows });
  await type(field(), 'Many');
  await click(button(/^Save$/));
  expect(useWorkspaces.getState().list.at(-1)).toEqual({ ...NOW, name: 'Many', windows: windows.slice(0, 16) });
  expect(document.body.textContent).toContain('Workspace “Many” saved, without 2 windows: at most 16 are kept');
});

it('the undo of a deletion keeps what was saved since', async () => {
  await open();
  await act(async () => useWorkspaces.getState().startWith('Scalp'));
  await click(button(/^Delete Scalp$/));
  await act(async () => useWorkspaces.getState().save({ ...NOW, name: 'New' }));
  await click(button(/^Undo$/));
  expect(Object.keys(coins())).toEqual(['Scalp', 'Wide', 'New']);
  expect(useWorkspaces.getState().start).toBe('Scalp');
  await click(button(/^Delete Scalp$/));
  await act(async () => useWorkspaces.getState().startWith('Wide'));
  await click(button(/^Undo$/));
  expect(Object.keys(coins())).toEqual(['Scalp', 'Wide', 'New']);
  expect(useWorkspaces.getState().start, 'the one chosen since').toBe('Wide');
});

it('the undo of a deletion leaves a workspace that has got the name, and says so', async () => {
  await open();
  await click(button(/^Delete Scalp$/));
  await act(async () => useWorkspaces.getState().save({ ...NOW, name: 'Scalp' }));
  await click(button(/^Undo$/));
  expect(coins()).toEqual({ Wide: 'ETH', Scalp: 'BTC' });
  expect(document.body.textContent).toContain('Not restored: another workspace is called “Scalp” now.');
});

it('the focus goes to the new name, back to its row, and stays in the menu after a deletion', async () => {
  await open();
  await click(button(/^Rename Scalp$/));
  const name = only(document.body, '[role=dialog] li input') as HTMLInputElement;
  expect(document.activeElement).toBe(name);
  await type(name, 'Fast');
  await click(button(/^Keep the name$/));
  expect(document.activeElement).toBe(button(/^Rename Fast$/));
  button(/^Delete Fast$/).focus();
  await click(button(/^Delete Fast$/));
  expect(document.activeElement).toBe(only(document.body, '[role=dialog]'));
});
