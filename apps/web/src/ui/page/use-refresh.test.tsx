import { expect, it, vi } from 'vitest';
import { isEnabled, useActionKeys, useActionLists } from '../../hooks/actions.ts';
import { press, render } from '../../test-support/render.ts';
import { useRefresh } from './page.tsx';

const run = vi.fn<() => void>();

function Page({ isBusy, credits }: { readonly isBusy: boolean; readonly credits: number }) {
  useActionKeys();
  useRefresh('Balances', { what: 'balances', credits, isBusy, run });
  const actions = useActionLists().flatMap((list) => list.actions);
  return actions.filter(isEnabled).map((action) => (
    <button key={action.id} type="button" onClick={action.run}>
      {action.label}, {action.hint}
    </button>
  ));
}

it('refreshes by R and from the palette, at the current price, and not while a response is pending', async () => {
  const { container, rerender } = await render(<Page isBusy={false} credits={0} />);
  expect(container.textContent).toBe('Refresh balances, free');
  await press(document.body, 'r');
  expect(run).toHaveBeenCalledTimes(1);
  await rerender(<Page isBusy credits={1} />);
  await press(document.body, 'r');
  expect(run).toHaveBeenCalledTimes(1);
  await rerender(<Page isBusy={false} credits={1} />);
  await press(document.body, 'r');
  expect(run).toHaveBeenCalledTimes(2);
  run.mockClear();
  await rerender(<Page isBusy credits={12} />);
  expect(container.textContent).toBe('');
  await press(document.body, 'r');
  expect(run).not.toHaveBeenCalled();
  await rerender(<Page isBusy={false} credits={12} />);
  // A key spends one credit at most.
  await press(document.body, 'r');
  expect(run).not.toHaveBeenCalled();
  container.querySelector('button')?.click();
  expect(run).toHaveBeenCalledTimes(1);
});
