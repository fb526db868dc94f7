import { beforeEach, expect, it, vi } from 'vitest';
import { useLayouts } from '../../state/layouts.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { button, click, only, type } from '../../test-support/render.ts';

const view = (name: string, coin = 'ETH') => ({ name, search: { coin } });

const names = () => useLayouts.getState().views.orders?.map(({ name }) => name);
const field = () => only(document.body, '[aria-label="Saved views"][role=dialog] input') as HTMLInputElement;

beforeEach(async () => {
  signIn();
  useLayouts.setState({ views: { orders: [view('first'), view('second'), view('third')] } });
  await openApp('/orders?coin=BTC');
  await vi.waitUntil(() => document.querySelector('[aria-label="Saved views"]') !== null, { timeout: 300_000 });
  await click(only(document.body, '[aria-label="Saved views"]'));
  return () => useLayouts.setState(useLayouts.getInitialState(), true);
});

it('a saved view that takes the place of another one can be taken back', async () => {
  await type(field(), 'second');
  await click(button(/^Save$/));
  expect(useLayouts.getState().views.orders).toEqual([view('first'), view('second', 'BTC'), view('third')]);
  expect(document.body.textContent).toContain('View “second” replaced');
  await click(button('Undo'));
  expect(useLayouts.getState().views.orders).toEqual([view('first'), view('second'), view('third')]);
});

it('a removed view leaves the focus in the menu, and is put back at its place', async () => {
  const remove = button('Remove the view second');
  remove.focus();
  await click(remove);
  expect(names()).toEqual(['first', 'third']);
  expect(document.activeElement?.contains(field())).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
  await click(button('Undo'));
  expect(names()).toEqual(['first', 'second', 'third']);
});

it('the name of a view has at most 60 characters', async () => {
  await type(field(), 'x'.repeat(61));
  expect(button(/^Save$/).hasAttribute('disabled')).toBe(true);
  expect(document.body.textContent).toContain('A name has at most 60 characters.');
  await type(field(), 'x'.repeat(60));
  await click(button(/^Save$/));
  expect(names()).toEqual(['first', 'second', 'third', 'x'.repeat(60)]);
});
