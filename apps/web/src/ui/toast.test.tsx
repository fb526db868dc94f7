import { act } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { only, render } from '../test-support/render.ts';
import { Toasts, toast } from './toast.tsx';

it('[WEB-144] a finger on something else dismisses toasts that were seen and offer no action; a mouse does not', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { container } = await render(<Toasts />);
  const shown = () => [...only(container, 'output').children].map(({ textContent }) => textContent);
  const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
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
