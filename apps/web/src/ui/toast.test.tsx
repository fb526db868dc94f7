import { beforeEach, expect, it, vi } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { act, only, render } from '../test-support/render.ts';
import { Toasts, toast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  changeAccount('one');
  return async () => {
    await act(async () => changeAccount(undefined));
    vi.useRealTimers();
  };
});

const UNDO = { text: 'Undo', run: () => {} };
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

async function show(...texts: readonly (readonly [string, typeof UNDO?])[]) {
  const { container } = await render(<Toasts />);
  await act(async () => {
    for (const [text, action] of texts) toast(text, action);
  });
  return { container, list: only(container, 'output') };
}

it('only a new toast is read out, not those that are still shown', async () => {
  const { list } = await show(['One']);
  // The role of the element would otherwise have all of it read.
  expect(list.getAttribute('aria-live')).toBe('polite');
  expect(list.getAttribute('aria-atomic')).toBe('false');
});

it('an action is offered as long as it has the focus, and then its usual time', async () => {
  const { container } = await show(['Deleted', UNDO]);
  const undo = () => container.querySelector('button');
  await act(async () => undo()?.focus());
  await pass(60_000);
  expect(undo()).not.toBeNull();
  await act(async () => undo()?.blur());
  await pass(9_900);
  expect(undo()).not.toBeNull();
  await pass(200);
  expect(undo()).toBeNull();
});

it('a toast with the focus in a dialog stays in the page behind it, too', async () => {
  const { container } = await render([<Toasts key="page" />, <Toasts key="dialog" />]);
  await act(async () => toast('Deleted', UNDO));
  const [, undo] = [...container.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Undo');
  await act(async () => undo?.focus());
  await pass(60_000);
  expect(document.activeElement).toBe(undo);
  expect(container.contains(undo ?? null)).toBe(true);
});

it('of too many toasts, one without an action goes first', async () => {
  const { list } = await show(['Deleted', UNDO], ['One'], ['Two'], ['Three'], ['Four']);
  const shown = () => [...list.children].map(({ textContent }) => textContent);
  expect(shown()).toEqual(['DeletedUndo', 'Three', 'Four']);
  await act(async () => {
    toast('Removed', UNDO);
    toast('Replaced', UNDO);
    toast('Five');
  });
  expect(shown(), 'none of them is lost').toEqual(['DeletedUndo', 'RemovedUndo', 'ReplacedUndo', 'Five']);
  await act(async () => toast('Six'));
  expect(shown()).toEqual(['DeletedUndo', 'RemovedUndo', 'ReplacedUndo', 'Six']);
});

it('a finger on something else dismisses toasts that were seen and offer no action; a mouse does not', async () => {
  const { container } = await render(<Toasts />);
  const shown = () => [...only(container, 'output').children].map(({ textContent }) => textContent);
  const press = (target: Element, pointerType: string) =>
    act(async () => target.dispatchEvent(new PointerEvent('pointerdown', { pointerType, bubbles: true })));
  await act(async () => {
    toast('Wallet removed', { text: 'Undo', run: () => {} });
    toast('View saved');
  });
  await pass(1_000);
  await act(async () => toast('BTC: spread 7.00 bps'));
  await press(document.body, 'mouse');
  await press(only(container, 'output > :last-child'), 'touch');
  expect(shown()).toEqual(['Wallet removedUndo', 'View saved', 'BTC: spread 7.00 bps']);
  await press(document.body, 'touch');
  expect(shown()).toEqual(['Wallet removedUndo', 'BTC: spread 7.00 bps']);
  await pass(10_000);
  expect(shown()).toEqual([]);
});
