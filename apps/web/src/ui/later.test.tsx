import { expect, it, vi } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { Toasts } from '../ui/toast.tsx';
import { later } from './later.tsx';

const page = () => document.body.textContent ?? '';

it('closes a part that fails to load, with a message, and loads it when it is opened again', async () => {
  let isThere = false;
  const load = vi.fn<() => Promise<() => string>>(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return () => 'the part';
  });
  const onClose = vi.fn<() => void>();
  const { Part, ahead } = later<{ readonly onClose: () => void }>(load);
  ahead();
  await expect.poll(() => load.mock.results[0]?.type).toBe('return');
  const { rerender } = await render(<Part onClose={onClose} />);
  expect(onClose).toHaveBeenCalledOnce();
  await rerender(<Toasts />);
  expect(page()).toContain('failed to load');

  isThere = true;
  await rerender(<Part onClose={onClose} />);
  await expect.poll(page).toContain('the part');
  await act(async () => rerender(<Part key="again" onClose={onClose} />));
  expect(load).toHaveBeenCalledTimes(3);
  expect(onClose).toHaveBeenCalledOnce();
});
