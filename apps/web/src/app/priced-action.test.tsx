import { StrictMode } from 'react';
import { expect, it, vi } from 'vitest';
import { useActionKeys, useActions } from '../hooks/actions.ts';
import { must } from '../test-support/must.ts';
import { click, press, render } from '../test-support/render.ts';
import { PricedAction } from './app-layout.tsx';

const run = vi.fn<() => void>();
const ACTIONS = [{ id: 'refresh', label: 'Refresh orders', keys: 'r', price: 45, run }];

function Page() {
  useActions('Orders', ACTIONS);
  return null;
}

function Shell({ isOpen }: { readonly isOpen: boolean }) {
  useActionKeys();
  return (
    <StrictMode>
      {isOpen && <Page />}
      <PricedAction />
    </StrictMode>
  );
}

it('a key that costs more than a credit opens its price, which is gone with the page', async () => {
  const { container, rerender } = await render(<Shell isOpen />);
  await press(document.body, 'r');
  expect(container.textContent).toBe('Refresh orders 45 creditsCancel');
  expect(run).not.toHaveBeenCalled();
  await rerender(<Shell isOpen={false} />);
  expect(container.textContent).toBe('');
  await rerender(<Shell isOpen />);
  expect(container.textContent).toBe('');

  for (const calls of [1, 1]) {
    await press(document.body, 'r');
    const [spend, cancel] = container.querySelectorAll('button');
    await click(must(run.mock.calls.length === 0 ? spend : cancel, 'a button'));
    expect(container.textContent).toBe('');
    expect(run).toHaveBeenCalledTimes(calls);
  }
});
